#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// Who sent a message on the system bus, as the bus says: it has that from the kernel.
public struct BusSender: Equatable, Sendable {
  /// Its effective uid when it connected to the bus.
  public var uid: UInt32
  public var pid: UInt32
  /// A moment on the boot clock, in milliseconds, at which it was connected already: a process that began later has its number only.
  public var seen: UInt64

  public init(uid: UInt32, pid: UInt32, seen: UInt64) {
    self.uid = uid
    self.pid = pid
    self.seen = seen
  }
}

/// A request that signet-fprint makes for somebody on the bus, answered as if they had made it themselves: signetd asks the kernel
/// about them, and believes of this who they are.
public struct OnBehalfRequest: ~Escapable {
  public var sender: BusSender
  /// The whole packet of the other request.
  public var request: Span<UInt8>

  /// As long as fits into a packet with all that stands before it.
  public static var limit: Int { PacketLimit.packet &- 20 }

  @_lifetime(copy request)
  public init(of sender: BusSender, _ request: Span<UInt8>) {
    self.sender = sender
    self.request = request
  }
}

extension OnBehalfRequest: MessageForm {
  package static var kind: UInt8 { RequestKind.onBehalf.rawValue }

  @_lifetime(immortal)
  package init() { self.init(of: BusSender(uid: .max, pid: 0, seen: 0), Span()) }

  @_lifetime(self: copy self, copy fields)
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    sender.uid = try fields.passed(sender.uid)
    sender.pid = try fields.passed(sender.pid)
    sender.seen = try fields.passed(sender.seen)
    request = try fields.passed(request, limit: OnBehalfRequest.limit)
  }
}
