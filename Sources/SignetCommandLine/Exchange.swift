import CLinux
import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

/// One request to signetd and what comes back.
///
/// Ctrl-C and other ending signals cancel the request at signetd first and are thrown then.
struct Exchange: ~Copyable {
  enum Step {
    /// `packet` holds a packet.
    case packet
    /// The other descriptor is readable.
    case input
    /// The user pressed the suspend key.
    case suspend
  }

  /// How long signetd may be silent, in milliseconds. More patient than a login, which has a passcode prompt to go to.
  private static var patience: Int64 { 5000 }
  /// How long a cancelled request may take to end, in milliseconds, so that the reader is free when the command is over.
  private static var farewell: Int32 { 1000 }

  private let path: String
  private let connection: Connection
  private let interrupts: Interrupts
  /// The latest packet received.
  private(set) var packet: SecretBytes

  init(socket path: String) throws(CommandFailure) {
    let interrupts = try orExhausted(Interrupts())
    let packet = try orExhausted(SecretBytes(capacity: PacketLimit.packet))
    let connection: Connection
    do { connection = try unsafe Connection(path: path) } catch { throw CommandFailure(error, socket: path) }
    self.path = path
    self.connection = connection
    self.interrupts = interrupts
    self.packet = packet
  }

  func send(_ request: AdministrationRequest) throws(CommandFailure) {
    try send { buffer throws(FormatError) in try request.write(into: &buffer) }
  }

  func send(_ request: VaultRequest) throws(CommandFailure) {
    try send { buffer throws(FormatError) in try request.write(into: &buffer) }
  }

  /// Sends what `write` puts into a packet of its own.
  func send(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(CommandFailure) {
    var outgoing = try orExhausted(SecretBytes(capacity: PacketLimit.packet))
    do { try write(&outgoing) } catch {
      throw CommandFailure(.usage, "an argument is longer than the protocol allows. Shorten it.")
    }
    do { try connection.send(outgoing) } catch { throw CommandFailure(error, socket: path) }
  }

  /// The next reply that is not a heartbeat.
  mutating func next() throws(CommandFailure) -> AdministrationReply {
    var key = EnterKey()
    guard let reply = try nextOrValue(watching: &key) else { throw .unexpectedReply }
    return reply
  }

  /// The same, or `nil` for a part of a value: that one is in `packet` and nowhere else. The key asks for the passcode.
  mutating func nextOrValue(watching key: inout EnterKey) throws(CommandFailure) -> AdministrationReply? {
    while true {
      switch try step(input: key.descriptor) {
      case .suspend:
        let isWatched = key.descriptor >= 0
        key.release()
        Interrupts.suspend()
        if isWatched { key.watch() }
        continue
      case .input:
        if key.isPressed() { askForPasscode(&key) }
        continue
      case .packet: break
      }
      if packet.count > 1, packet.span[1] == ReplyKind.value.rawValue { return nil }
      let reply = try parsed()
      if reply != .heartbeat { return reply }
    }
  }

  /// Once is enough, and all that signetd allows. It may have decided already: then its reply says what became of it.
  private func askForPasscode(_ key: inout EnterKey) {
    key.release()
    try? send { packet throws(FormatError) in try packet.begin(RequestKind.fallback.rawValue) }
  }

  /// The latest packet as a reply.
  func parsed() throws(CommandFailure) -> AdministrationReply {
    do { return try AdministrationReply(parsing: packet.span) } catch { throw CommandFailure(.malformed, socket: path) }
  }

  /// Waits for a packet, a signal, or input on another descriptor.
  mutating func step(input: Int32 = -1, mayBeSilent: Bool = false) throws(CommandFailure) -> Step {
    let deadline = Clock.milliseconds() + Exchange.patience
    while true {
      var ready = [connection.descriptor, interrupts.descriptor, input].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let rest = max(0, deadline - Clock.milliseconds())
      let count = unsafe poll(&ready, nfds_t(ready.count), mayBeSilent ? -1 : Int32(truncatingIfNeeded: rest))
      if count == 0 { throw CommandFailure(.silent, socket: path) }
      if ready[1].revents != 0, let signal = interrupts.take() {
        if signal == SIGTSTP { return .suspend }
        try cancel(because: signal)
      }
      do {
        if ready[0].revents != 0, try connection.receive(into: &packet) { return .packet }
      } catch { throw CommandFailure(error, socket: path) }
      if ready[2].revents != 0 { return .input }
    }
  }

  /// Waits for an answer on the terminal, while signetd may be silent; a reply overtakes it.
  mutating func awaitInput(on terminal: Int32) throws(CommandFailure) -> TerminalQuestion.Wake {
    while true {
      switch try step(input: terminal, mayBeSilent: true) {
      case .input: return .input
      case .suspend: return .suspend
      case .packet: if try parsed() != .heartbeat { return .overtaken }
      }
    }
  }

  /// Cancels the request and waits for its end, so that no armed reader is left behind.
  private mutating func cancel(because signal: Int32) throws(CommandFailure) -> Never {
    try? send { buffer throws(FormatError) in try buffer.begin(RequestKind.cancel.rawValue) }
    let deadline = Clock.milliseconds() + Int64(Exchange.farewell)
    while true {
      let rest = deadline - Clock.milliseconds()
      guard rest > 0, (try? connection.receive(into: &packet, within: Int32(truncatingIfNeeded: rest))) != nil else { break }
    }
    throw CommandFailure(.interrupted(by: signal), "")
  }
}

/// What was to be had from the kernel, or the failure that says that it was not.
func orExhausted<Resource: ~Copyable>(_ resource: consuming Resource?) throws(CommandFailure) -> Resource {
  guard let resource else {
    throw CommandFailure(.refused, "no memory or descriptor is left: \(ErrorText.of(errno)). Close programs, then try again.")
  }
  return resource
}
