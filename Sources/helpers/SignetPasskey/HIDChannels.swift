/// CTAPHID (CTAP 2.1, section 11.2): who opened the device, and whose message comes in which packets. A value without I/O; moments are
/// milliseconds of one clock.
///
/// One message is under way at a time, from its first packet to its answer; the others are told that the device is busy, and so they are
/// while one has it locked for itself.
public struct HIDChannels {
  /// What the device has to do.
  public enum Action: Equatable {
    /// A report for the host.
    case send([UInt8])
    /// A command with its CBOR has come, and the device is busy until `answer`.
    case perform([UInt8])
    /// Who asked gives it up; the command ends with an answer all the same.
    case cancel
    /// Who asked begins anew, and wants no answer any more.
    case abandon
  }

  /// Bytes of a report.
  public static let reportLength = 64
  /// How long the next packet of a message may take, in milliseconds.
  public static let packetTimeout: Int64 = 500
  /// How often it is said that a command takes longer, in milliseconds.
  public static let keepalive: Int64 = 100

  private static let broadcast: UInt32 = 0xFFFF_FFFF

  private enum Command {
    static let ping: UInt8 = 0x01
    static let lock: UInt8 = 0x04
    static let initialize: UInt8 = 0x06
    static let cbor: UInt8 = 0x10
    static let cancel: UInt8 = 0x11
    static let keepalive: UInt8 = 0x3B
    static let error: UInt8 = 0x3F
  }

  private enum Fault: UInt8 {
    case command = 0x01
    case parameter = 0x02
    case length = 0x03
    case sequence = 0x04
    case timeout = 0x05
    case busy = 0x06
    case channel = 0x0B
  }

  private struct Message {
    var channel: UInt32
    var command: UInt8
    var length: Int
    var bytes: [UInt8]
    var sequence: UInt8 = 0
    var deadline: Int64
  }

  /// The device is for one channel alone. Nothing has to happen when that is over: whoever comes then is let in.
  private struct Lock {
    var channel: UInt32
    var until: Int64

    /// In seconds.
    static let longest: UInt8 = 10
  }

  private enum Phase {
    case idle
    case receiving(Message)
    case performing(UInt32)
  }

  /// All up to this one were given to somebody.
  private var lastChannel: UInt32 = 0
  private var phase = Phase.idle
  private var lock: Lock?

  public init() {}

  /// When `timeout` has to be called, if nothing comes before; `nil` for never.
  public var deadline: Int64? { if case .receiving(let message) = phase { message.deadline } else { nil } }

  /// The rest of a message has not come.
  public mutating func timeout(at now: Int64) -> [Action] {
    guard case .receiving(let message) = phase, now >= message.deadline else { return [] }
    phase = .idle
    return [fault(.timeout, message.channel)]
  }

  /// That a command takes longer: `waits` for the user, or for the machine.
  public func keepalive(waits: Bool) -> [Action] {
    guard case .performing(let channel) = phase else { return [] }
    return HIDChannels.packets(channel, Command.keepalive, [waits ? 2 : 1])
  }

  /// The answer to the command; nothing where nobody waits for one.
  public mutating func answer(_ bytes: [UInt8]) -> [Action] {
    guard case .performing(let channel) = phase else { return [] }
    phase = .idle
    return HIDChannels.packets(channel, Command.cbor, bytes)
  }

  /// No program has the device open any more: nobody waits for anything, and all channels are given out anew.
  public mutating func closed() -> [Action] {
    defer { self = HIDChannels() }
    if case .performing = phase { return [.abandon] }
    return []
  }

  /// Takes a report of the host's.
  public mutating func received(_ report: [UInt8], at now: Int64) -> [Action] {
    guard report.count == HIDChannels.reportLength else { return [] }
    let channel = report[..<4].reduce(0) { $0 << 8 | UInt32($1) }
    guard report[4] & 0x80 != 0 else { return proceed(channel, report[4], report[5...], at: now) }
    let message = Message(
      channel: channel, command: report[4] & 0x7F, length: Int(report[5]) << 8 | Int(report[6]), bytes: Array(report[7...]),
      deadline: now + HIDChannels.packetTimeout)
    return begin(message, at: now)
  }

  private mutating func begin(_ message: Message, at now: Int64) -> [Action] {
    let channel = message.channel
    guard channel == HIDChannels.broadcast || channel > 0 && channel <= lastChannel else { return [fault(.channel, channel)] }
    if message.command == Command.initialize { return initialize(message, at: now) }
    guard channel != HIDChannels.broadcast else { return [fault(.channel, channel)] }
    switch phase {
    case .idle where !isLocked(for: channel, at: now): return start(message, at: now)
    case .receiving(let other) where other.channel == channel:
      phase = .idle
      return [fault(.sequence, channel)]
    case .performing(channel) where message.command == Command.cancel: return [.cancel]
    case .idle, .receiving, .performing: return message.command == Command.cancel ? [] : [fault(.busy, channel)]
    }
  }

  private func isLocked(for channel: UInt32, at now: Int64) -> Bool {
    guard let lock else { return false }
    return lock.channel != channel && now < lock.until
  }

  private mutating func start(_ message: Message, at now: Int64) -> [Action] {
    switch message.command {
    case Command.lock: return lock(message, at: now)
    case Command.ping where message.length <= Device.messageLimit: return proceed(message)
    case Command.cbor where (1...Device.messageLimit).contains(message.length): return proceed(message)
    case Command.ping, Command.cbor: return [fault(.length, message.channel)]
    // There is nothing to cancel, and that gets no answer.
    case Command.cancel: return []
    default: return [fault(.command, message.channel)]
    }
  }

  /// For so many seconds, from now on; 0 ends it.
  private mutating func lock(_ message: Message, at now: Int64) -> [Action] {
    guard message.length == 1 else { return [fault(.length, message.channel)] }
    let seconds = message.bytes[0]
    guard seconds <= Lock.longest else { return [fault(.parameter, message.channel)] }
    lock = seconds == 0 ? nil : Lock(channel: message.channel, until: now + Int64(seconds) * 1_000)
    return HIDChannels.packets(message.channel, Command.lock, [])
  }

  private mutating func proceed(
    _ channel: UInt32, _ sequence: UInt8, _ bytes: ArraySlice<UInt8>, at now: Int64
  ) -> [Action] {
    // Of a message that is not under way, or somebody else's: nobody is told.
    guard case .receiving(var message) = phase, message.channel == channel else { return [] }
    guard sequence == message.sequence else {
      phase = .idle
      return [fault(.sequence, channel)]
    }
    message.sequence += 1
    message.deadline = now + HIDChannels.packetTimeout
    message.bytes += bytes
    return proceed(message)
  }

  private mutating func proceed(_ message: Message) -> [Action] {
    guard message.bytes.count >= message.length else {
      phase = .receiving(message)
      return []
    }
    let bytes = Array(message.bytes.prefix(message.length))
    if message.command == Command.ping {
      phase = .idle
      return HIDChannels.packets(message.channel, Command.ping, bytes)
    }
    phase = .performing(message.channel)
    return [.perform(bytes)]
  }

  /// Gives out a channel, or lets the one who has it begin anew.
  private mutating func initialize(_ message: Message, at now: Int64) -> [Action] {
    guard message.length == 8 else { return [fault(.length, message.channel)] }
    var actions: [Action] = []
    var given = message.channel
    if given == HIDChannels.broadcast {
      guard lastChannel < HIDChannels.broadcast - 1 else { return [fault(.busy, given)] }
      lastChannel += 1
      given = lastChannel
    } else {
      switch phase {
      case .idle where !isLocked(for: given, at: now): break
      case .receiving(let other) where other.channel == given: phase = .idle
      case .performing(given):
        phase = .idle
        actions.append(.abandon)
      case .idle, .receiving, .performing: return [fault(.busy, given)]
      }
      if lock?.channel == given { lock = nil }
    }
    // Version 2 of CTAPHID, version 1.0.0 of the device; CBOR, and no messages of U2F. No bit stands for the lock.
    let answer = Array(message.bytes.prefix(8)) + HIDChannels.bytes(of: given) + [2, 1, 0, 0, 0x04 | 0x08]
    return actions + HIDChannels.packets(message.channel, Command.initialize, answer)
  }

  private func fault(_ fault: Fault, _ channel: UInt32) -> Action {
    HIDChannels.packets(channel, Command.error, [fault.rawValue])[0]
  }

  private static func bytes(of channel: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: channel >> UInt32($0)) }
  }

  private static func packets(_ channel: UInt32, _ command: UInt8, _ message: [UInt8]) -> [Action] {
    var rest = message[...]
    var head = bytes(of: channel) + [command | 0x80, UInt8(message.count >> 8 & 0xFF), UInt8(message.count & 0xFF)]
    var packets: [Action] = []
    var sequence: UInt8 = 0
    repeat {
      let part = rest.prefix(reportLength - head.count)
      rest = rest.dropFirst(part.count)
      packets.append(.send(head + part + [UInt8](repeating: 0, count: reportLength - head.count - part.count)))
      head = bytes(of: channel) + [sequence]
      sequence += 1
    } while !rest.isEmpty
    return packets
  }
}
