// DaemonConnections has one client at a time: its socket, what it may ask now, and waiting for it and for something else.
import CLinux
import DaemonService
import Glibc
import SignetAuthentication
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire
import Synchronization

/// One client: its socket, its phase, and waiting for it and something else at a time. One thread uses it.
package final class ClientConnection {
  package private(set) var peer: Peer
  package private(set) var caller: PermittedRequests.Caller
  /// Whether root itself asks. It may do without asking the owner, which nobody may on whose behalf another program asks.
  package var isRoot: Bool { caller == .root }
  package var phase = PermittedRequests.Phase.start {
    didSet { slot.waitsForTyping([.passcode, .oldPasscode, .asksPolkit].contains(phase)) }
  }
  /// Where it stands among all connections.
  package let slot: ConnectionSlot
  /// How long a client may take to read one part of a long answer, in milliseconds.
  private static let drainTimeout: Int64 = 2_000
  /// How long a client that has a reader may leave heartbeats unread, in milliseconds: longer than any message is shown before
  /// the next is read, and short for whoever waits for the reader.
  private static let readingLimit: Int64 = 5_000

  private let socket: Descriptor
  private let shutdown: Shutdown
  private var permitted: PermittedRequests
  private var input: SecretBytes
  private var output: SecretBytes
  private var lastSent: Int64
  private let connected: Int64
  /// Why the client cannot be waited for any more. Whoever was interrupted by it may still have sent a reply, but no request follows.
  private var failure: Interruption?
  /// Since when the client has something to read; `nil` where it has read everything.
  private var unreadSince: Int64?

  /// What /proc says of the peer, read at its first use: best while the peer waits for something else.
  package private(set) lazy var process = PeerProcess(of: peer.pid, connected: connected)

  /// Reads it now, where it was not read yet.
  package func learnProcess() { _ = process }

  /// Which program the peer ran when it was first asked for.
  private lazy var firstProgram = ProgramIdentity(of: peer)

  /// Which program the peer runs, for what it may read; not known where the peer has ended, or has become another program since
  /// it was first asked for: who starts another program must not be taken for it.
  package var program: ProgramIdentity {
    let first = firstProgram
    guard !peerHasEnded, first.isStill(of: peer) else { return .unknown }
    return first
  }

  /// Who is behind the peer.
  package private(set) var origin: RequestOrigin
  private var held: HeldProcess?

  /// Whether the peer's process has ended, so that its number may be another's. Before Linux 6.5 nobody knows, and it is false.
  package var peerHasEnded: Bool { held?.hasEnded ?? false }

  /// `nil` where there is no memory. `sessionLocker` is signet-logind's uid, where it may ask, `busService` signet-fprint's.
  package init?(
    _ arrival: consuming Arrival, at slot: ConnectionSlot, permitted: PermittedRequests, shutdown: Shutdown,
    sessionLocker: UInt32? = nil, busService: UInt32? = nil
  ) {
    guard let input = SecretBytes(capacity: PacketLimit.packet), let output = SecretBytes(capacity: PacketLimit.packet) else {
      return nil
    }
    peer = arrival.peer
    origin = arrival.origin
    held = arrival.process
    self.slot = slot
    caller =
      switch peer.uid {
      case 0: .root
      case sessionLocker: .sessionLocker
      case busService: .busService
      default: .user
      }
    self.input = consume input
    self.output = consume output
    connected = arrival.connected
    lastSent = arrival.connected
    socket = arrival.accepted()
    self.permitted = permitted
    self.shutdown = shutdown
    slot.begin(on: socket.raw, at: connected)
  }

  // The descriptor's number is free for another file from here on, and must not be shut down as ours.
  deinit { slot.end() }

  /// Why waiting for the client ended.
  package enum Interruption: Error, Equatable {
    /// The client closed the connection.
    case closed
    /// The client sent what it may not send now, or what is not a packet.
    case misuse(String)
    /// The client asked what others may; it was told.
    case denied(RequestKind)
    /// signetd is being stopped, or the machine sleeps.
    case stopping
    /// It makes room for others.
    case displaced
  }

  /// What became ready first.
  package enum Ready {
    /// A permitted request; read it with `read`.
    case request(RequestKind)
    /// One of the other descriptors.
    case other
    /// Neither, for a while; look after what needs looking after and wait again.
    case tick
    case deadline
  }

  /// Waits for a request, for `others` (those that are not -1), or until `deadline` on the boot clock; with heartbeats while it
  /// waits. Without them, too, there is a `tick` as often.
  package func wait(for others: Int32..., until deadline: Int64, heartbeats: Bool = true) throws(Interruption) -> Ready {
    if shutdown.isRequested { throw .stopping }
    if slot.isDisplaced { throw .displaced }
    // A client that watches is sent changes only.
    let heartbeats = heartbeats && phase != .watching
    let now = bootMilliseconds()
    if now >= deadline { return .deadline }
    if heartbeats { slot.speaks() }
    if heartbeats, now - lastSent >= Int64(Heartbeat.interval) { try beat() }
    let rest = min(deadline - now, Int64(Heartbeat.interval) - (heartbeats ? bootMilliseconds() - lastSent : 0))
    var watched = (others + [socket.raw]).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard unsafe poll(&watched, nfds_t(watched.count), Int32(clamping: max(0, rest))) > 0 else { return .tick }
    // The reader first: a verdict that has arrived counts before a cancel that has arrived.
    if watched.dropLast().contains(where: { $0.revents != 0 }) { return .other }
    return try takeRequest().map { .request($0) } ?? .tick
  }

  /// Waits for the next request of a context, as long as it takes and without a word: an application that asks nothing is not
  /// woken, and neither is signetd. `holdsUntil`: how long the context holds what it has proved.
  package func nextRequest(holdsUntil: Int64?) throws(Interruption) -> RequestKind {
    phase = .context
    permitted.beginAnew()
    slot.rest(since: bootMilliseconds(), holdsUntil: holdsUntil)
    defer { slot.work() }
    while true {
      if let failure { throw failure }
      if shutdown.isRequested { throw .stopping }
      if slot.isDisplaced { throw .displaced }
      if let kind = try takeRequest() {
        // The connection was handed on: it is another process that asks.
        guard !peerHasEnded else { throw .misuse("\(kind) in the context of a program that has ended") }
        return kind
      }
      sleep(untilAlso: -1)
    }
  }

  /// Waits until `other` is readable, or for so many milliseconds where that is not negative, without a word; false where the client said that it needs no more, and
  /// the connection is over.
  package func awaitChange(of other: Int32, within limit: Int32) throws(Interruption) -> Bool {
    if shutdown.isRequested { throw .stopping }
    if slot.isDisplaced { throw .displaced }
    slot.watch()
    sleep(untilAlso: other, within: limit)
    slot.work()
    return try takeRequest() == nil
  }

  private func sleep(untilAlso other: Int32, within limit: Int32 = -1) {
    var watched = [socket.raw, shutdown.bell.descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = unsafe poll(&watched, nfds_t(watched.count), limit)
  }

  /// Waits for the first request.
  package func firstRequest(within limit: Int64) throws(Interruption) -> RequestKind {
    let deadline = bootMilliseconds() + limit
    while true {
      switch try wait(until: deadline, heartbeats: false) {
      case .request(let kind): return kind
      case .deadline: throw .misuse("no request within \(limit) ms")
      case .other, .tick: continue
      }
    }
  }

  /// Goes on for the sender on the bus whom `onBehalf` names: from here on everything is judged as if they had connected, but that nobody
  /// is root and few requests are permitted. What they ask.
  package func standIn() throws(Interruption) -> RequestKind {
    let (sender, request) = try read { fields throws(FormatError) in
      let all = try OnBehalfRequest(parsing: fields)
      return (all.sender, Array(copying: all.request))
    }
    guard sender.pid > 0, let pid = Int32(exactly: sender.pid), let process = HeldProcess(of: pid) else { throw .closed }
    let seen = min(Int64(clamping: sender.seen), connected)
    let actual = RequestOrigin.Credentials(of: pid)
    // The process is held before it is looked at, so that all of this is of one process.
    guard actual?.effective == sender.uid, PeerProcess.began(pid, before: seen), !process.hasEnded else { throw .closed }
    caller = .busService
    peer = Peer(pid: pid, uid: sender.uid)
    held = process
    origin = RequestOrigin(behind: peer, connected: seen, process: process)
    input.removeAll()
    guard input.append(request.span), let kind = RequestKind(rawValue: (try? ClientConnection.kind(of: input)) ?? 0) else {
      throw .misuse("not a packet of this protocol on behalf of somebody")
    }
    phase = .onBehalf
    return try permit(kind)
  }

  private func takeRequest() throws(Interruption) -> RequestKind? {
    do throws(Interruption) { return try judgedRequest() } catch {
      failure = error
      throw error
    }
  }

  private func judgedRequest() throws(Interruption) -> RequestKind? {
    do {
      guard try Channel.receive(into: &input, from: socket.raw) else { return nil }
    } catch {
      if slot.isDisplaced { throw .displaced }
      throw error == .tooLong ? .misuse("a packet of over \(PacketLimit.packet) bytes") : .closed
    }
    guard let kind = RequestKind(rawValue: (try? ClientConnection.kind(of: input)) ?? 0) else {
      throw .misuse("not a packet of this protocol")
    }
    return try permit(kind)
  }

  private func permit(_ kind: RequestKind) throws(Interruption) -> RequestKind {
    switch permitted.judge(kind, in: phase, by: caller) {
    case .permitted:
      slot.asked(kind)
      return kind
    case .notNow: throw .misuse("\(kind) in phase \(phase)")
    case .denied:
      refuse(caller == .sessionLocker ? .notForSessionLocker : .permissionDenied)
      throw .denied(kind)
    }
  }

  private static func kind(of packet: borrowing SecretBytes) throws(FormatError) -> UInt8 {
    var fields = ByteReader(packet.span)
    return try fields.header()
  }

  /// Reads the fields of the request that `wait` announced; a malformed one is misuse.
  package func read<Value: ~Copyable>(_ body: (inout ByteReader) throws(FormatError) -> Value) throws(Interruption) -> Value {
    do throws(FormatError) {
      return try ClientConnection.parse(input, body)
    } catch {
      let misuse = Interruption.misuse("malformed fields: \(error)")
      failure = misuse
      throw misuse
    }
  }

  private static func parse<Value: ~Copyable>(
    _ packet: borrowing SecretBytes, _ body: (inout ByteReader) throws(FormatError) -> Value
  ) throws(FormatError) -> Value {
    var fields = ByteReader(packet.span)
    _ = try fields.header()
    return try body(&fields)
  }

  /// The same for a request that carries a secret, which is wiped then.
  package func readSecret<Value: ~Copyable>(_ body: (inout ByteReader) throws(FormatError) -> Value) throws(Interruption) -> Value
  {
    defer { input.removeAll() }
    return try read(body)
  }

  package func send(_ reply: borrowing LoginReply) throws(Interruption) {
    do {
      try reply.write(into: &output)
      try transmit()
    } catch {
      throw .closed
    }
  }

  package func send(_ reply: AdministrationReply) throws(Interruption) {
    try send { packet throws(FormatError) in try reply.write(into: &packet) }
  }

  /// Sends what `write` puts into a packet.
  package func send(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(Interruption) {
    do {
      try write(&output)
      try transmit()
    } catch {
      throw .closed
    }
  }

  /// The same, and waits where the client has not read the last ones yet: for long answers.
  package func sendPatiently(_ reply: AdministrationReply) throws(Interruption) {
    try sendPatiently { packet throws(FormatError) in try reply.write(into: &packet) }
  }

  /// A released value, in parts.
  package func send(value: Span<UInt8>) throws(Interruption) {
    let total = UInt32(clamping: value.count)
    var rest = value
    repeat {
      let part = rest.extracting(first: PacketLimit.valuePart)
      rest = rest.extracting(droppingFirst: part.count)
      try sendPatiently { packet throws(FormatError) in try ValueReply(total: total, part: part).write(into: &packet) }
    } while !rest.isEmpty
  }

  private func sendPatiently(_ write: (inout SecretBytes) throws(FormatError) -> Void) throws(Interruption) {
    let deadline = bootMilliseconds() + ClientConnection.drainTimeout
    do {
      try write(&output)
      defer { output.removeAll() }
      while true {
        do throws(Channel.Failure) {
          return try Channel.send(output, on: socket.raw)
        } catch {
          let rest = deadline - bootMilliseconds()
          guard error == .full, rest > 0, !shutdown.isRequested else { throw error }
          var watched = pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&watched, 1, Int32(clamping: min(rest, 250)))
        }
      }
    } catch {
      throw .closed
    }
  }

  package func show(_ prompt: Prompt, value: UInt8 = 0, detail: String = "") throws(Interruption) {
    try send(AdministrationReply.show(prompt, value: value, detail: detail))
  }

  /// Tells the client of a refusal, if it is still there.
  package func refuse(_ refusal: Refusal) { try? send(AdministrationReply.refused(refusal)) }

  /// Whether the client is stopped, or busy with something else, so that it keeps from others what it does not use.
  package var hasStoppedReading: Bool {
    unreadSince.map { bootMilliseconds() - $0 >= ClientConnection.readingLimit } ?? false
  }

  /// Tells the client, if it is still there, that there is no place for it.
  package func turnAway() {
    Channel.stopReading(from: socket.raw)
    try? send(LoginReply.busy(slot.crowd))
  }

  private func beat() throws(Interruption) {
    unreadSince = clinux_unread(socket.raw) > 0 ? unreadSince ?? bootMilliseconds() : nil
    do {
      try LoginReply.heartbeat.write(into: &output)
      try Channel.send(output, on: socket.raw)
    } catch {
      // A client that does not read (stopped, in a slow conversation) is not gone; it will find old heartbeats.
      if let failure = error as? Channel.Failure, failure == .closed { throw .closed }
    }
    lastSent = bootMilliseconds()
  }

  private func transmit() throws(Channel.Failure) {
    slot.speaks()
    defer { output.removeAll() }
    try Channel.send(output, on: socket.raw)
    lastSent = bootMilliseconds()
  }
}
