// The names are the compiler's, or Foundation's on Apple's systems.
// swift-format-ignore-file: NoLeadingUnderscores

// An error goes from `LAError` to `NSError` and back by a cast, as on Apple's systems. Foundation on Linux casts no `NSError` to
// an error type of Swift by itself; what it does for `String` and `NSString` it does for any type that says how.

extension LAError: CustomNSError {
  public var errorCode: Int { _nsError.code }
  public var errorUserInfo: [String: Any] { _nsError.userInfo }
}

extension LAError: LocalizedError {
  public var errorDescription: String? { _nsError.localizedDescription }
}

extension LAError: Hashable {
  public static func == (one: LAError, other: LAError) -> Bool { one._nsError == other._nsError }
  public func hash(into hasher: inout Hasher) { hasher.combine(_nsError.code) }
}

extension LAError: _ObjectiveCBridgeable {
  public typealias _ObjectiveCType = NSError

  public func _bridgeToObjectiveC() -> NSError { _nsError }

  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
      preconditionFailure("\(source) is no LAError")
    }
  }

  public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) -> Bool {
    guard source.domain == LAErrorDomain, Code(rawValue: source.code) != nil else { return false }
    result = LAError(_nsError: source)
    return true
  }

  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    guard let source else { preconditionFailure("no error is no LAError") }
    var result: LAError?
    _forceBridgeFromObjectiveC(source, result: &result)
    return result ?? LAError(.authenticationFailed)
  }
}
