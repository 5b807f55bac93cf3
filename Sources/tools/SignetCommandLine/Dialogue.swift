import CLinux
import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

/// What the command line asks of signetd, besides to verify a finger.
protocol CommandRequest {
  func write(into packet: inout SecretBytes) throws(FormatError)
}

extension AdministrationRequest: CommandRequest {}
extension VaultRequest: CommandRequest {}

/// A request to signetd: what it shows goes to the progress line, and the passcode, where it asks for it, comes from the
/// terminal. Ctrl-C and other ending signals cancel the request first and are thrown then.
struct Dialogue: ~Copyable {
  /// How long signetd may be silent, in milliseconds: longer than in a login, which has a passcode prompt to go to.
  private static var silence: Int32 { 5000 }
  /// How long a cancelled request may take to end, in milliseconds, so that the reader is free when the command is over.
  private static var farewell: Int32 { 1000 }

  private var request: PendingRequest
  private var host: TerminalHost

  /// `title` stands before everything that is shown, `reason` above the question for the passcode. `offersPasscode`: whether the
  /// request allows the passcode in the place of a finger.
  init(
    _ request: some CommandRequest, at socket: String, title: String = "", reason: String = "", offersPasscode: Bool = false
  ) throws(CommandFailure) {
    let host = TerminalHost(socket: socket, title: title, reason: reason, offersPasscode: offersPasscode)
    try self.init(host, passcodes: .max) { packet throws(FormatError) in try request.write(into: &packet) }
  }

  /// Verifies a finger, by that alone.
  init(verifying user: String, timeout: UInt16, at socket: String) throws(CommandFailure) {
    try self.init(TerminalHost(socket: socket, takesPasscode: false), ending: .verdict) { packet throws(FormatError) in
      try AuthenticateRequest(
        policy: .deviceOwnerAuthenticationWithBiometrics, timeout: timeout, user: user.utf8.span,
        service: "signet".utf8.span, terminal: Span(), remoteHost: Span()
      ).write(into: &packet)
    }
  }

  private init(
    _ host: consuming TerminalHost, ending: Exchange.Ending = .reply, passcodes: Int = 0,
    _ write: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(CommandFailure) {
    var packet = try orExhausted(SecretBytes(capacity: PacketLimit.packet))
    do throws(FormatError) { try write(&packet) } catch {
      throw CommandFailure(.usage, ObstacleText.argumentTooLong)
    }
    var terms = Exchange.Terms(silence: Dialogue.silence)
    terms.farewell = Dialogue.farewell
    terms.passcodes = passcodes
    terms.ending = ending
    do throws(ClientError) {
      request = try unsafe PendingRequest(packet, to: host.socket, terms)
    } catch { throw host.failure(error) }
    self.host = host
  }

  /// Makes a request that is answered by `done` alone, whatever has to be proved before.
  static func follow(
    _ request: some CommandRequest, at socket: String, title: String = "", reason: String = ""
  ) throws(CommandFailure) {
    var dialogue = try Dialogue(request, at: socket, title: title, reason: reason)
    try dialogue.follow()
  }

  /// Returns when signetd has done what it was asked; throws the refusal otherwise.
  mutating func follow() throws(CommandFailure) {
    guard try next() == .done else { throw .unexpectedReply }
  }

  /// The next reply that is not for the user; `nil` for a part of a value, which is in `packet`. Throws refusals.
  mutating func next() throws(CommandFailure) -> AdministrationReply? {
    let reply = try nextOrRefusal()
    if case .refused(let refusal) = reply { throw CommandFailure(refusal) }
    return reply
  }

  mutating func nextOrRefusal() throws(CommandFailure) -> AdministrationReply? {
    defer { host.finish() }
    while true {
      switch try request.next(&host) {
      case .passcodeWanted(let reason): try host.ask(reason)
      case .typed: try answer()
      case .verdict, .evaluated: throw .unexpectedReply
      case .reply(.value): return nil
      case .reply:
        let reply = try parsed()
        guard case .enrollStage(let completed, let all, let retry) = reply else { return reply }
        host.show(completed: Int(completed), of: Int(all), retry)
      }
    }
  }

  /// The latest packet.
  var packet: SecretBytes { _read { yield request.packet } }

  private func parsed() throws(CommandFailure) -> AdministrationReply {
    do { return try AdministrationReply(parsing: packet.span) } catch { throw host.failure(.malformed) }
  }

  private mutating func answer() throws(CommandFailure) {
    var typed = try orExhausted(SecretBytes(capacity: FieldLimit.passcode + 2))
    switch host.takeAnswer(into: &typed) {
    case .nothing: break
    case .line:
      do throws(ClientError) { try request.answer(typed) } catch { throw host.failure(error) }
    case .empty, .end:
      request.cancel()
      throw CommandFailure(.refused, ObstacleText.noPasscode)
    case .tooLong: throw CommandFailure(.refused, ObstacleText.passcodeTooLong)
    }
  }

  /// Sends what `write` puts into a packet.
  mutating func send(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(CommandFailure) {
    do throws(ClientError) { try request.send(write) } catch { throw host.failure(error) }
  }

  /// Waits for signetd's verdict; `success` comes from nowhere else.
  mutating func verdict() throws(CommandFailure) -> Verdict {
    defer { host.finish() }
    guard case .verdict(let verdict, _) = try request.next(&host) else { throw .unexpectedReply }
    if verdict == .success { Dialogue.giveBackToken(in: packet, at: host.socket) }
    return verdict
  }

  /// A verification opens no session: its token is given back at once instead of living on unused.
  private static func giveBackToken(in packet: borrowing SecretBytes, at socket: String) {
    guard case .verdict(_, _, let token, _)? = try? LoginReply(parsing: packet.span) else { return }
    _ = try? Dialogue(TerminalHost(socket: socket)) { packet throws(FormatError) in
      try CloseSessionRequest(token: token).write(into: &packet)
    }
  }
}

/// What was to be had from the kernel, or the failure that says that it was not.
func orExhausted<Resource: ~Copyable>(_ resource: consuming Resource?) throws(CommandFailure) -> Resource {
  guard let resource else {
    throw CommandFailure(.refused, ObstacleText.exhausted(errno))
  }
  return resource
}
