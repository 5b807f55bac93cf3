import SignetLanguage

/// Keeps tokens. Calls may block while the owner is asked for a finger; the services make them on a thread of their own, one
/// after the other.
public protocol TokenStorage: Sendable {
  /// Keeps a token; the one that was there is gone. After a crash in between there is the old one or none.
  ///
  /// - Throws: `TokenStorageError`.
  func store(token: String, for key: TokenKey) throws

  /// The same for what a server gave and gives no second time. A storage that takes nothing now may keep it elsewhere, as safe, until it
  /// does; one that cannot need not have this.
  ///
  /// - Throws: `TokenStorageError`.
  func storeGiven(token: String, for key: TokenKey) throws

  /// - Returns: `nil` where there is none.
  /// - Throws: `TokenStorageError` where there is one that is not released.
  func retrieve(for key: TokenKey) throws -> String?

  /// Erases a token. That there is none is no error.
  ///
  /// - Throws: `TokenStorageError`.
  func delete(for key: TokenKey) throws

  // The same for who calls tokens by a name alone. A type implements either kind, and has the other by `NamedTokens.swift`.
  func store(token: String, for name: String) throws
  func retrieve(for name: String) throws -> String?
  func delete(for name: String) throws
}

extension TokenStorage {
  public func storeGiven(token: String, for key: TokenKey) throws { try store(token: token, for: key) }
}

/// What a token is called in the storage.
public struct TokenKey: Hashable, Sendable {
  /// The server: an issuer, or an origin.
  public let service: String
  /// The account there, or a name of the application's own.
  public let account: String
  public let kind: TokenKind

  public init(service: String, account: String, kind: TokenKind) {
    self.service = service
    self.account = account
    self.kind = kind
  }
}

/// What a token is for.
public enum TokenKind: String, Sendable, CaseIterable {
  /// Gets access tokens: lives for days or months.
  case refresh
  /// A session's cookies.
  case session
  /// A key that proves who the client is (RFC 7523), or who holds the token (RFC 9449).
  case deviceKey = "device-key"
  /// What a provider said when the client registered (RFC 7591).
  case registration
  /// Tokens that are signed out of, and that the server was not told of yet.
  case revocation
}

/// Why a storage did not do what it was asked.
public enum TokenStorageError: Error, Equatable, Sendable {
  /// The vault is locked, or the owner did not prove who they are.
  case locked
  /// It was stored for other fingers than those that are enrolled now, and is lost.
  case fingersChanged
  /// The owner cancelled.
  case cancelled
  /// Nobody could be asked: no terminal and no desktop.
  case notInteractive
  /// signetd is not there, or has no vault for this user.
  case unavailable
  /// What is stored there is not what was stored.
  case damaged
  /// Another of Security's results.
  case failed(status: Int32)
}

extension TokenStorageError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .locked: say("The vault did not release the token: confirm with the passcode.")
    case .fingersChanged: say("The enrolled fingers have changed since the token was stored: sign in again to bind it anew.")
    case .cancelled: say("The release of the token was cancelled.")
    case .notInteractive: say("The vault has to ask its owner and cannot here: run this on a terminal or a desktop.")
    case .unavailable: say("The vault cannot be asked: see `signet doctor`.")
    case .damaged: say("What the vault holds is no token: sign in again.")
    case .failed(let status): say("The vault refused with status \(status).")
    }
  }
}
