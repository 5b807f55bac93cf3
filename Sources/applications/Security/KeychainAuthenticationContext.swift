package import SignetContexts

/// What the value of `kSecUseAuthenticationContext` is: LocalAuthentication's `LAContext`, whose module stands above this one.
package protocol KeychainAuthenticationContext: AnyObject {
  var keychainContext: ApplicationContext { get }
  /// What the owner is told where the query itself does not say it.
  var keychainPrompting: Prompting { get }
  /// False under `interactionNotAllowed`.
  var mayAskOwner: Bool { get }
}
