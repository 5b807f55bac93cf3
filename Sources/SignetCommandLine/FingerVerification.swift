import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// One evaluation by finger alone, on one connection.
struct FingerVerification: ~Copyable {
  private let socket: String
  private var exchange: Exchange
  private var line = ProgressLine()

  init(socket: String) throws(CommandFailure) {
    self.socket = socket
    exchange = try Exchange(socket: socket)
  }

  /// Waits for signetd's verdict; `success` comes from nowhere else.
  mutating func verify(user: String, timeout: UInt16) throws(CommandFailure) -> Verdict {
    try exchange.send { packet throws(FormatError) in
      try AuthenticateRequest(
        policy: .deviceOwnerAuthenticationWithBiometrics, timeout: timeout, user: user.utf8.span,
        service: "signet".utf8.span, terminal: Span(), remoteHost: Span()
      ).write(into: &packet)
    }
    defer { line.end() }
    while true {
      guard try exchange.step() == .packet else {
        Interrupts.suspend()
        continue
      }
      switch try event() {
      case .nothing: continue
      case .show(let text): line.show(text)
      case .verdict(let verdict): return verdict
      }
    }
  }

  private enum Event {
    case nothing
    case show(String)
    case verdict(Verdict)
  }

  private func event() throws(CommandFailure) -> Event {
    let reply: LoginReply
    do { reply = try LoginReply(parsing: exchange.packet.span) } catch { throw CommandFailure(.malformed, socket: socket) }
    switch reply {
    case .heartbeat: return .nothing
    case .show(let prompt, let value, let detail):
      return .show(PromptWords.of(prompt, value: value, detail: detail))
    // This policy asks for no passcode.
    case .askPasscode: throw CommandFailure(.malformed, socket: socket)
    case .verdict(let verdict, _, let token, _):
      if verdict == .success { try discard(token) }
      return .verdict(verdict)
    }
  }

  /// A verification opens no session: its token is given back at once instead of living on unused.
  private func discard(_ token: Span<UInt8>) throws(CommandFailure) {
    guard let farewell = try? Exchange(socket: socket) else { return }
    try? farewell.send { packet throws(FormatError) in try CloseSessionRequest(token: token).write(into: &packet) }
  }
}
