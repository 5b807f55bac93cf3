import CLinux
import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire

/// What signals ask of a run.
public struct Interruptions {
  /// For poll(2): readable while a signal is held back; -1 where signals act as ever.
  public let descriptor: Int32
  /// Takes it: its number where it ends the run, `nil` where it was seen to.
  public let take: () -> Int32?

  public init(descriptor: Int32 = -1, take: @escaping () -> Int32? = { nil }) {
    self.descriptor = descriptor
    self.take = take
  }
}

/// One request to signetd, of which every packet is seen, also what comes after a cancel.
struct WatchedRequest: ~Copyable {
  /// What signetd said. Its sign of life is passed over.
  enum Said: Equatable {
    case show(Prompt, UInt8)
    case passcodeWanted(PasscodeReason)
    case verdict(Verdict, EvidenceMethod)
    case stage(completed: Int, of: Int, ScanRetry?)
    case row(AdministrationReply)
    case done
    case refused(Refusal)
    /// Too many requests are open.
    case noPlace
  }

  private let socket: String
  private let connection: Connection
  private var packet: SecretBytes
  private let signals: Interruptions

  init(
    at socket: String, _ signals: Interruptions, _ write: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(Stop) {
    try self.init(socket, signals, WatchedRequest.packet(write), WatchedRequest.connection(to: socket))
  }

  private init(
    _ socket: String, _ signals: Interruptions, _ request: consuming SecretBytes, _ connection: consuming Connection
  ) throws(Stop) {
    let failure = WatchedRequest.send(request, on: connection)
    request.removeAll()
    packet = request
    self.connection = connection
    self.socket = socket
    self.signals = signals
    if let failure { throw failure }
  }

  private static func send(_ packet: borrowing SecretBytes, on connection: borrowing Connection) -> Stop? {
    do throws(ClientError) { try connection.send(packet) } catch { return .wrong("signetd hung up: \(error)") }
    return nil
  }

  private static func packet(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(Stop) -> SecretBytes {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .cannot("no memory is left") }
    do throws(FormatError) { try write(&packet) } catch { throw .cannot("the request does not fit into a packet") }
    return packet
  }

  private static func connection(to socket: String) throws(Stop) -> Connection {
    do throws(ClientError) { return try unsafe Connection(path: socket, waiting: 5_000) } catch {
      throw .cannot("nobody answers at \(socket): \(error)")
    }
  }

  private mutating func send(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(Stop) {
    defer { packet.removeAll() }
    do throws(FormatError) { try write(&packet) } catch { throw .cannot("the request does not fit into a packet") }
    if let failure = WatchedRequest.send(packet, on: connection) { throw failure }
  }

  mutating func cancel() throws(Stop) {
    try send { packet throws(FormatError) in try packet.begin(RequestKind.cancel.rawValue) }
  }

  mutating func answer(_ passcode: borrowing SecretBytes) throws(Stop) {
    try send { packet throws(FormatError) in try PasscodeRequest(passcode: passcode.span).write(into: &packet) }
  }

  /// The next thing that signetd says, within so many milliseconds.
  mutating func next(within limit: Int64) throws(Stop) -> Said {
    guard let said = try nextIfAny(within: limit) else { throw .wrong("signetd said nothing for \(limit) ms") }
    return said
  }

  /// The same; `nil` where it says nothing.
  mutating func nextIfAny(within limit: Int64) throws(Stop) -> Said? {
    let deadline = Clock.milliseconds() + limit
    while true {
      let rest = deadline - Clock.milliseconds()
      guard rest > 0 else { return nil }
      var watched = [signals.descriptor, connection.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&watched, nfds_t(watched.count), Int32(clamping: rest))
      if watched[0].revents != 0, let signal = signals.take() { throw .interrupted(signal) }
      guard watched[1].revents != 0 else { continue }
      do throws(ClientError) {
        guard try connection.receive(into: &packet) else { continue }
      } catch { throw .wrong("signetd hung up: \(error)") }
      if let said = try parsed() { return said }
    }
  }

  /// `nil` for a heartbeat.
  private func parsed() throws(Stop) -> Said? {
    let isLogin: Bool =
      switch packet.count > 1 ? ReplyKind(rawValue: packet.span[1]) : nil {
      case .heartbeat, .show, .askPasscode, .verdict, .busy: true
      default: false
      }
    do throws(FormatError) {
      return isLogin ? try parsedOfLogin() : try parsedOfAdministration()
    } catch { throw .wrong("signetd sent what is no packet of this protocol") }
  }

  private func parsedOfLogin() throws(FormatError) -> Said? {
    switch try LoginReply(parsing: packet.span) {
    case .heartbeat: return nil
    case .show(let prompt, let value, _): return .show(prompt, value)
    case .askPasscode(let reason): return .passcodeWanted(reason)
    case .busy: return .noPlace
    case .verdict(let verdict, let method, let token, _):
      if verdict == .success { giveBack(token) }
      return .verdict(verdict, method)
    }
  }

  private func parsedOfAdministration() throws(FormatError) -> Said? {
    switch try AdministrationReply(parsing: packet.span) {
    case .enrollStage(let completed, let all, let retry): .stage(completed: Int(completed), of: Int(all), retry)
    case .done: .done
    case .refused(let refusal): .refused(refusal)
    case let row: .row(row)
    }
  }

  /// A scenario opens no session: its token must not live on.
  private func giveBack(_ token: Span<UInt8>) {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { return }
    guard (try? CloseSessionRequest(token: token).write(into: &packet)) != nil else { return }
    guard let connection = try? unsafe Connection(path: socket, waiting: 1_000) else { return }
    try? connection.send(packet)
    var answered = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&answered, 1, 1_000)
  }
}
