import CLinux
import Glibc
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire

/// signet-reader as a test plays it, packet by packet, to a real signetd: for readers that lie, are late or talk out of
/// turn. Use it from one thread at a time.
final class ScriptedReader {
  private let listener: Int32
  private let path: String
  /// The channel of the process that signetd started last.
  private var channel: Int32 = -1
  private var packet: SecretBytes

  /// Takes signet-reader's place for the scene's signetd, which is started anew.
  init(_ scene: Scene) throws {
    guard let packet = SecretBytes(capacity: PacketLimit.readerPacket) else { throw TestKitError("no memory") }
    self.packet = packet
    path = scene.daemon.folder + "/scripted-reader"
    listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard clinux_bind_unix(listener, path) == 0, listen(listener, 8) == 0 else {
      throw TestKitError("\(path): \(clinux_errno())")
    }
    try scene.replace("signet-reader", by: "exec \(ReaderChannel.program("pam-host")) relay \(path)")
  }

  deinit {
    if channel >= 0 { close(channel) }
    close(listener)
    unlink(path)
  }

  /// Waits until signetd has started the process, and goes on with its channel.
  func awaitStart(within limit: Int32 = waitingLimit) throws {
    guard isStarted(within: limit) else { throw TestKitError("signetd starts no reader") }
    if channel >= 0 { close(channel) }
    channel = clinux_accept(listener, Int32(SOCK_CLOEXEC.rawValue))
  }

  /// Whether signetd starts a process in time, which waits for `awaitStart`.
  func isStarted(within limit: Int32) -> Bool {
    var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return poll(&ready, 1, limit) == 1
  }

  /// Ends the process, as a crash would.
  func crash() {
    if channel >= 0 { close(channel) }
    channel = -1
  }

  /// The next command; `nil` where none comes in time, or the process was ended.
  func next(within limit: Int32 = waitingLimit) throws -> ReaderCommand? {
    var ready = pollfd(fd: channel, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, limit) == 1 else { return nil }
    let count = packet.replace { recv(channel, $0.baseAddress, $0.count, 0) }
    guard count > 0 else {
      crash()
      return nil
    }
    return try ScriptedReader.command(in: packet)
  }

  private static func command(in packet: borrowing SecretBytes) throws -> ReaderCommand {
    try ReaderCommand(parsing: packet.span)
  }

  /// Serves commands as a reader would until it is to look at a finger; the operation, which is armed. `nil` where nobody
  /// asks for a scan in time.
  func nextScan(within limit: Int32) throws -> UInt32? {
    let deadline = PAMHost.microseconds() + Int64(limit) * 1000
    if channel < 0 {
      guard isStarted(within: limit) else { return nil }
      try awaitStart()
    }
    while let command = try next(within: Int32(max(0, (deadline - PAMHost.microseconds()) / 1000))) {
      do {
        if case .identify(let operation) = command {
          try send(.armed(operation: operation))
          return operation
        }
        try serve(command)
      } catch {
        // signetd ended the process; the next one is another scan's.
        crash()
        return nil
      }
    }
    return nil
  }

  @discardableResult
  func awaitScan() throws -> UInt32 {
    guard let operation = try nextScan(within: waitingLimit) else { throw TestKitError("signetd asks for no scan") }
    return operation
  }

  /// Serves commands until the scan is cancelled, which it returns; nothing is answered to that.
  @discardableResult
  func awaitCancel() throws -> UInt32 {
    guard let scan = try cancelledScan(within: waitingLimit) else { throw TestKitError("signetd cancels nothing") }
    return scan
  }

  /// Whether it is cancelled in time.
  func isCancelled(within limit: Int32) throws -> Bool { try cancelledScan(within: limit) != nil }

  private func cancelledScan(within limit: Int32) throws -> UInt32? {
    while let command = try next(within: limit) {
      if case .cancel(let operation) = command { return operation }
      try serve(command)
    }
    return nil
  }

  private func serve(_ command: ReaderCommand) throws {
    switch command {
    case .open(let operation, _): try send(.opened(operation: operation))
    case .close(let operation): try send(.idle(operation: operation))
    case .list(let operation): try list(operation)
    default: break
    }
  }

  /// Says which readers there are.
  func list(_ operation: UInt32, _ readers: ReaderDescription...) throws {
    for reader in readers { try send(.reader(operation: operation, reader)) }
    try send(.listed(operation: operation))
  }

  /// Waits until it is asked which readers there are, before anything else.
  func awaitListing() throws -> UInt32 {
    try awaitStart()
    guard case .list(let operation) = try next() else { throw TestKitError("signetd asks for no list") }
    return operation
  }

  func send(_ event: ReaderEvent) throws {
    try event.write(into: &packet)
    try transmit(packet)
  }

  private func transmit(_ packet: borrowing SecretBytes) throws {
    let sent = packet.span.withUnsafeBytes { Glibc.send(channel, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    guard sent >= 0 else { throw TestKitError("the reader's process is gone: \(clinux_errno())") }
  }
}
