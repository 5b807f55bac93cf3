/// What a program sets in a context, and is told by it.
struct ContextSettings {
  var reason = ""
  var fallbackTitle: String?
  var cancelTitle: String?
  var interactionNotAllowed = false
  var reuseDuration: TimeInterval = 0
  var maxBiometryFailures: NSNumber?
  var hasCredential = false
  /// Whether an evaluation succeeded.
  var wasConfirmed = false
  var biometryType = LABiometryType.none
  var domainState: Data?
}
