/// What a client may ask of signetd. Which of these in which phase, how often and from whom: SignetDaemon's
/// `PermittedRequests`.
public enum RequestKind: UInt8, Sendable {
  case authenticate = 1
  case passcode = 2
  case fallback = 3
  case cancel = 4
  case openSession = 5
  case closeSession = 6
  /// Answers `ReplyKind.askValue`.
  case value = 7
  case passcodeChanged = 8
  /// The passcode is asked for, and the client goes on reading meanwhile: the finger may be asked for again beside it.
  case follow = 9
  case enroll = 16
  case delete = 17
  case list = 18
  case status = 19
  case readers = 20
  case reset = 21
  case sessions = 22
  case revokeSession = 23
  case lock = 24
  case history = 25
  case suspend = 26
  case resume = 27
  case vaultAdd = 28
  case vaultUpdate = 29
  case vaultRead = 30
  case vaultDelete = 31
  case vaultList = 32
  case vaultRecover = 33
  case vaultReset = 34
  /// Makes the connection a context: an application's, for many requests.
  case context = 35
  case evaluate = 36
  case canEvaluate = 37
  case watch = 38
  /// Forgets what the evaluations of a context have proved.
  case forget = 39
  case vaultRevoke = 40
  /// Whose session a token is, asked by whoever was given it.
  case introspect = 41
  case issueToken = 42
  case refreshToken = 43
  /// Ends a chain of refresh tokens.
  case endRefresh = 44
  case keySet = 45
  /// Ends all sessions of a user but the asker's.
  case revokeOthers = 46
  /// A key to seal with, or one to unseal with, for the programs of a session.
  case sealingKey = 47
  /// Takes over the fingers that fprintd has of a user.
  case importFprintd = 48
  /// Tells which opening of the caller's vault this is, and of each change.
  case watchVault = 49
  /// Another request, which signet-fprint makes for somebody on the system bus.
  case onBehalf = 50
  /// Whether a finger is the user's: it proves nothing else, and nothing is released for it.
  case verify = 51
  /// The token of the caller's session at the seat, for a program that the caller's own service manager started.
  case sessionToken = 52
  /// Makes a key that signs and never leaves signetd.
  case keyMake = 53
  /// Signs a digest with such a key.
  case keySign = 54
}
