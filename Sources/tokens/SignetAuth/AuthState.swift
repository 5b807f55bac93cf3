import SignetLanguage

/// Where a service stands.
public enum AuthState: Equatable, Sendable {
  /// Nobody is signed in, and nothing went wrong.
  case signedOut
  case signedIn(User)
  /// Somebody was, and has to sign in once more.
  case loginRequired(LoginReason)

  public var user: User? { if case .signedIn(let user) = self { user } else { nil } }
}

/// Why only a login helps.
public enum LoginReason: String, Error, Equatable, Sendable {
  /// Nothing is stored to go on with.
  case noCredential
  /// The server takes the credential no more: it expired, was used twice, or was revoked.
  case refusedByServer
  /// The vault is locked, or the owner did not confirm: the passcode opens it.
  case vaultLocked
  /// The fingers are not those that it was stored for: bind anew.
  case fingersChanged

  /// What it means, in English.
  public var text: String {
    switch self {
    case .noCredential: say("Nothing is stored to sign in with: sign in.")
    case .refusedByServer: say("The server does not take the stored sign-in any more: sign in again.")
    case .vaultLocked: say("The vault is locked: confirm with the passcode.")
    case .fingersChanged: say("The enrolled fingers have changed since the sign-in was stored: sign in again to bind it anew.")
    }
  }
}
