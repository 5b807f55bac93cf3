#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// Who is connected, and which of them has the device, as a value: what happens goes in, and what is to be done comes out. Connections are
/// named by their descriptors; moments are in milliseconds.
struct Places {
  enum Action: Equatable {
    /// A device is to be made, for this connection.
    case make(Int32)
    /// The device has to go, before anything else happens.
    case unmake
    /// This connection is to be closed.
    case end(Int32)
  }

  /// So many are connected at the same time, at one a user.
  static let limit = 64

  private struct Place {
    var connection: Int32
    var uid: UInt32
  }

  /// What passes through the one device that there is.
  private struct Device {
    var connection: Int32
    /// From the user's process: one a millisecond, as a real device on USB; whoever reads the node has room for 64.
    var fromUser: TokenBucket
    /// From those who have the node open: a message at its longest has 129 reports. More than all of them together have to say is a flood,
    /// of which the kernel would log each report that finds no room.
    var fromNode: TokenBucket
  }

  private var places: [Place] = []
  private var device: Device?
  /// Who may have a device now.
  private var owner: UInt32?
  /// Each new device has udev start programs.
  private var making: [(uid: UInt32, bucket: TokenBucket)] = []

  /// The connection that has the device.
  var served: Int32? { device?.connection }
  var connections: [Int32] { places.map { $0.connection } }

  func has(_ connection: Int32) -> Bool { places.contains { $0.connection == connection } }
  func uid(of connection: Int32) -> UInt32? { places.first { $0.connection == connection }?.uid }

  // MARK: What happens

  /// Somebody connects. One waits for each user; and where all places are taken, there is one for whoever sits at the seat.
  mutating func arrive(_ connection: Int32, of uid: UInt32, at now: Int64) -> [Action] {
    guard !places.contains(where: { $0.uid == uid }) else { return [.end(connection)] }
    var actions: [Action] = []
    if places.count >= Places.limit {
      guard uid == owner, let last = places.popLast() else { return [.end(connection)] }
      actions.append(.end(last.connection))
    }
    places.append(Place(connection: connection, uid: uid))
    return actions + serve(at: now)
  }

  /// Another user sits at the seat, or nobody. Whoever had the device has it no longer.
  mutating func belongs(to uid: UInt32?, at now: Int64) -> [Action] {
    guard uid != owner else { return [] }
    owner = uid
    return end(served) + serve(at: now)
  }

  /// Time has passed.
  mutating func wake(at now: Int64) -> [Action] { serve(at: now) }

  /// The peer has left, or did what it must not, or there is no device to be had for it.
  mutating func leave(_ connection: Int32) -> [Action] { has(connection) ? end(connection) : [] }

  /// A report has come from a connection: whether it goes on. Who has no device has nothing to answer, and is gone.
  mutating func report(from connection: Int32, at now: Int64) -> [Action]? {
    guard connection == served else { return leave(connection) }
    _ = device?.fromUser.take(at: now)
    return nil
  }

  /// Something has come from the device. More than there may be ends it, and another one is made later.
  mutating func news(at now: Int64) -> [Action] {
    guard let connection = served, device?.fromNode.take(at: now) == false else { return [] }
    if let index = making.firstIndex(where: { $0.uid == uid(of: connection) }) { making[index].bucket.forfeit(at: now) }
    return end(connection)
  }

  // MARK: How long to wait

  /// How long nothing is to be read from a connection; the peer then waits, too.
  func pause(of connection: Int32, at now: Int64) -> Int64 { connection == served ? device?.fromUser.wait(at: now) ?? 0 : 0 }

  /// How long until a device may be made; `nil` where none is waited for.
  func pause(at now: Int64) -> Int64? {
    guard device == nil, let owner, places.contains(where: { $0.uid == owner }) else { return nil }
    return making.first { $0.uid == owner }?.bucket.wait(at: now) ?? 0
  }

  // MARK: The device

  private mutating func serve(at now: Int64) -> [Action] {
    making.removeAll { $0.bucket.isFull(at: now) }
    guard device == nil, let owner, let place = places.first(where: { $0.uid == owner }) else { return [] }
    var bucket = making.first { $0.uid == owner }?.bucket ?? TokenBucket(burst: 4, period: 5_000, at: now)
    guard bucket.take(at: now) else { return [] }
    making.removeAll { $0.uid == owner }
    making.append((owner, bucket))
    device = Device(
      connection: place.connection, fromUser: TokenBucket(burst: 32, period: 1, at: now),
      fromNode: TokenBucket(burst: 1_024, period: 1, at: now))
    return [.make(place.connection)]
  }

  private mutating func end(_ connection: Int32?) -> [Action] {
    guard let connection else { return [] }
    places.removeAll { $0.connection == connection }
    guard served == connection else { return [.end(connection)] }
    device = nil
    return [.unmake, .end(connection)]
  }
}
