import CLinux
import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire

/// A client of signetd that shows a test every packet, without PAM in between.
public final class LoginClient {
  /// A reply of a login, in a form to keep.
  public enum Reply: Equatable, Sendable {
    case show(Prompt, value: UInt8, detail: String)
    case askPasscode(PasscodeReason)
    case verdict(Verdict, EvidenceMethod, token: [UInt8])
    /// signetd has no place.
    case busy(Crowd)
    /// signetd closed the connection, or is gone.
    case closed
  }

  private let socket: String
  private var connection: Connection
  private var packet: SecretBytes
  private var hasAsked = false
  /// The login secret of the last verdict; empty where it had none.
  public private(set) var authtok: [UInt8] = []

  /// `waiting`: how long to stand in line, in milliseconds, where too many connect.
  public init(socket: String, waiting: Int = 0) throws {
    guard let packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    self.packet = packet
    self.socket = socket
    connection = try Connection(path: socket, waiting: waiting)
  }

  /// Sends a request. signetd waits two seconds for the first, which a machine that stood still may be late with; it is
  /// asked anew then.
  private func ask() throws {
    do throws(ClientError) { try connection.send(packet) } catch {
      guard case .closed = error, !hasAsked else { throw error }
      connection = try Connection(path: socket)
      try connection.send(packet)
    }
    hasAsked = true
  }

  public func authenticate(
    _ user: String, policy: Policy = .deviceOwnerAuthentication, timeout: UInt16 = 20, service: String = "test",
    question: QuestionForm = .beside
  ) throws {
    let (name, caller, terminal, host) = (Array(user.utf8), Array(service.utf8), Array("pts/0".utf8), [UInt8]())
    try AuthenticateRequest(
      policy: policy, timeout: timeout, user: name.span, service: caller.span, terminal: terminal.span, remoteHost: host.span,
      question: question
    ).write(into: &packet)
    try ask()
  }

  public func answer(passcode: String) throws {
    let bytes = Array(passcode.utf8)
    try PasscodeRequest(passcode: bytes.span).write(into: &packet)
    try ask()
  }

  public func send(_ request: AdministrationRequest) throws {
    try request.write(into: &packet)
    try ask()
  }

  /// Sends what `write` puts into a packet.
  public func send(_ write: (inout SecretBytes) throws -> Void) throws {
    try write(&packet)
    try ask()
  }

  /// What `read` makes of the next packet.
  public func receive<Value>(within limit: Int32 = waitingLimit, _ read: (borrowing SecretBytes) throws -> Value) throws -> Value
  {
    try connection.receive(into: &packet, within: limit)
    return try read(packet)
  }

  /// Without a key one is made, as the module makes it.
  public func openSession(token: [UInt8], key: Int32? = nil) throws {
    let key = try key ?? TokenKey.make()
    let terminal = Array("pts/0".utf8)
    try OpenSessionRequest(token: token.span, key: key, terminal: terminal.span).write(into: &packet)
    try ask()
  }

  public func closeSession(token: [UInt8]) throws {
    try CloseSessionRequest(token: token.span).write(into: &packet)
    try ask()
  }

  public func fallback() throws { try send(raw: [PacketLimit.version, RequestKind.fallback.rawValue]) }
  public func follow() throws { try send(raw: [PacketLimit.version, RequestKind.follow.rawValue]) }
  public func cancel() throws { try send(raw: [PacketLimit.version, RequestKind.cancel.rawValue]) }

  /// Closes the connection, as the end of the client does.
  public func disconnect() { shutdown(connection.descriptor, Int32(SHUT_RDWR)) }

  /// Waits, and reads nothing, until signetd has closed the connection.
  public func awaitHangUp(within limit: Int32 = waitingLimit) throws {
    var watched = pollfd(fd: connection.descriptor, events: 0, revents: 0)
    guard poll(&watched, 1, limit) == 1 else { throw TestKitError("signetd stays connected") }
  }

  /// Sends bytes as they are.
  public func send(raw bytes: [UInt8]) throws {
    packet.removeAll()
    guard packet.append(bytes.span) else { throw TestKitError("too long") }
    try connection.send(packet)
  }

  /// The next reply that is not a heartbeat.
  public func next(within limit: Int32 = waitingLimit) throws -> Reply {
    let deadline = Clock.milliseconds() + Int64(limit)
    while true {
      do throws(ClientError) {
        try connection.receive(into: &packet, within: Int32(max(0, deadline - Clock.milliseconds())))
      } catch {
        if case .closed = error { return .closed }
        throw error
      }
      if let reply = try LoginClient.reply(in: packet, &authtok) { return reply }
    }
  }

  /// `nil` for a heartbeat.
  private static func reply(in packet: borrowing SecretBytes, _ secret: inout [UInt8]) throws -> Reply? {
    switch try LoginReply(parsing: packet.span) {
    case .heartbeat: return nil
    case .show(let prompt, let value, let detail):
      return .show(prompt, value: prompt.withoutOrder(value), detail: String(decoding: Array(copying: detail), as: UTF8.self))
    case .askPasscode(let reason): return .askPasscode(reason)
    case .verdict(let verdict, let method, let token, let authtok):
      secret = Array(copying: authtok)
      return .verdict(verdict, method, token: Array(copying: token))
    case .busy(let crowd): return .busy(crowd)
    }
  }

  /// The next reply to a request of the command line that is not a heartbeat.
  public func nextAdministration(within limit: Int32 = waitingLimit) throws -> AdministrationReply {
    while true {
      try connection.receive(into: &packet, within: limit)
      let reply = try LoginClient.administrationReply(in: packet)
      if reply != .heartbeat { return reply }
    }
  }

  private static func administrationReply(in packet: borrowing SecretBytes) throws -> AdministrationReply {
    try AdministrationReply(parsing: packet.span)
  }

  /// Waits until the reader is armed for this client.
  public func awaitArmed() throws {
    while true {
      switch try next() {
      case .show(.touchReader, _, _): return
      case .show: continue
      case let other: throw TestKitError("expected an armed reader, got \(other)")
      }
    }
  }

  /// Waits until a miss is told, whatever is shown besides: where the reader compares with one finger at a time, each prompt names one.
  public func awaitMiss() throws {
    while true {
      switch try next() {
      case .show(.notRecognised, _, _), .show(.noAttemptsLeft, _, _), .show(.locked, _, _): return
      case .show: continue
      case let other: throw TestKitError("expected a miss, got \(other)")
      }
    }
  }

  /// Skips what is shown, until a passcode is asked for or the verdict is there.
  public func afterShowing(within limit: Int32 = waitingLimit) throws -> Reply {
    while true {
      let reply = try next(within: limit)
      if case .show = reply { continue }
      return reply
    }
  }

  /// Waits for the verdict; the passcode, where asked for, is answered with `passcode` or cancelled.
  public func verdict(passcode: String? = nil) throws -> Reply {
    while true {
      switch try afterShowing() {
      case .askPasscode:
        // signetd may have heard a cancel while it asked, and be gone.
        if let passcode { try answer(passcode: passcode) } else { try? cancel() }
      case let reply: return reply
      }
    }
  }
}

extension LoginClient.Reply {
  /// Whether this, and nothing else, is a success.
  public var isSuccess: Bool {
    guard case .verdict(.success, _, let token) = self else { return false }
    return token.count == FieldLimit.token
  }

  /// The verdict, `nil` for everything else.
  public var verdict: Verdict? {
    guard case .verdict(let verdict, _, _) = self else { return nil }
    return verdict
  }
}

extension Connection {
  /// Waits for one packet, `limit` milliseconds at most.
  func receive(into packet: inout SecretBytes, within limit: Int32) throws(ClientError) {
    let deadline = Clock.milliseconds() &+ Int64(limit)
    while true {
      let rest = deadline &- Clock.milliseconds()
      guard rest > 0 else { throw .silent }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&ready, 1, Int32(truncatingIfNeeded: rest))
      if ready.revents != 0, try receive(into: &packet) { return }
    }
  }
}
