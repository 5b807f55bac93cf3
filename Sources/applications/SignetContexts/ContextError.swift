// SignetContexts is an application's side of a context of signetd: one connection, on which evaluations and requests of the
// vault follow one another, the hosts that show and ask meanwhile, and what the answers are called in Apple's numbers. It
// decides nothing. It is compiled twice: normally, and in Embedded Swift inside libsignet.

#if !hasFeature(Embedded)
  import SignetClient
  import SignetVocabulary
#endif

/// Why a request in a context came to nothing.
public enum ContextError: Error, Equatable, Sendable {
  /// signetd gave no answer.
  case client(ClientError)
  /// signetd does not do it.
  case refused(RefusalCode)
  /// Somebody gave it up.
  case cancelled(CancelReason)
  /// The context was invalidated, before this request or while it was under way.
  case invalidated
  /// Something would have to be shown or asked, and there is nobody to ask.
  case notInteractive
  /// What was asked for does not fit a packet: a text is too long, or a value is.
  case unusable
  /// Another request is under way in this context.
  case inUse
  case noMemory
}

/// Who gave a request up.
public enum CancelReason: UInt8, Sendable {
  /// The user, by a key, a button or a signal of the terminal.
  case user = 0
  /// The program.
  case app = 1
  /// The system, for instance because another request came first.
  case system = 2

  /// How an evaluation ends that was given up so.
  public var verdict: Verdict {
    switch self {
    case .user: .userCancel
    case .app: .appCancel
    case .system: .systemCancel
    }
  }
}
