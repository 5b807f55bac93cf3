#if !hasFeature(Embedded)
  import SignetBytes
  import SignetClient
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

// The owner's items. What an item asks for is proved by what the context holds already, and the rest is asked of the user.

extension ContextConnection {
  /// Stores a new item.
  public mutating func add<Host: ContextHost & ~Copyable>(
    _ item: Item, _ value: Span<UInt8>, _ host: inout Host
  ) throws(ContextError) {
    try store(.add(user: "", item, length: try length(of: value)), value, &host)
  }

  /// Replaces an item that is there, with all that belongs to it.
  public mutating func update<Host: ContextHost & ~Copyable>(
    _ item: Item, _ value: Span<UInt8>, _ host: inout Host
  ) throws(ContextError) {
    try store(.update(user: "", item, length: try length(of: value)), value, &host)
  }

  /// An item's value, in memory that is wiped.
  public mutating func read<Host: ContextHost & ~Copyable>(
    _ name: ItemName, mayInteract: Bool = true, _ host: inout Host
  ) throws(ContextError) -> SecretBytes {
    try ask(.read(user: "", name, mayInteract: mayInteract && host.canInteract))
    return try answer(&host)
  }

  /// Makes a key of this name (`ItemName.Kind.key`), which signs and never leaves signetd. Returns its public point: 4, x and y.
  public mutating func makeKey<Host: ContextHost & ~Copyable>(_ key: Item, _ host: inout Host) throws(ContextError) -> [UInt8] {
    try ask(.makeKey(user: "", key))
    return try answer(of: ItemLimit.publicKey, &host)
  }

  /// The signature (r and s) of `ItemLimit.digest` bytes by a key.
  public mutating func sign<Host: ContextHost & ~Copyable>(
    _ digest: [UInt8], with name: ItemName, mayInteract: Bool = true, _ host: inout Host
  ) throws(ContextError) -> [UInt8] {
    try ask(.sign(user: "", name, digest: digest, mayInteract: mayInteract && host.canInteract))
    return try answer(of: ItemLimit.signature, &host)
  }

  /// What a key and another's public point (4, x and y), which has to be on the curve, agree on: x of a point, in memory that is wiped.
  public mutating func agree<Host: ContextHost & ~Copyable>(
    with point: [UInt8], by name: ItemName, mayInteract: Bool = true, _ host: inout Host
  ) throws(ContextError) -> SecretBytes {
    try ask(.agree(user: "", name, point: point, mayInteract: mayInteract && host.canInteract))
    return try secret(of: ItemLimit.agreement, &host)
  }

  /// What a passkey's secret makes of one or two salts, as many bytes as these have.
  public mutating func derive<Host: ContextHost & ~Copyable>(
    from salts: [UInt8], with name: ItemName, mayInteract: Bool = true, _ host: inout Host
  ) throws(ContextError) -> SecretBytes {
    try ask(.derive(user: "", name, salts: salts, mayInteract: mayInteract && host.canInteract))
    return try secret(of: salts.count, &host)
  }

  /// What is no secret, and so many bytes long.
  private mutating func answer<Host: ContextHost & ~Copyable>(
    of count: Int, _ host: inout Host
  ) throws(ContextError) -> [UInt8] {
    let value = try secret(of: count, &host)
    return Array(copying: value.span)
  }

  /// What is so many bytes long.
  private mutating func secret<Host: ContextHost & ~Copyable>(
    of count: Int, _ host: inout Host
  ) throws(ContextError) -> SecretBytes {
    let value = try answer(&host)
    guard value.count == count else { throw .client(.malformed) }
    return value
  }

  /// A value, up to `done`.
  private mutating func answer<Host: ContextHost & ~Copyable>(_ host: inout Host) throws(ContextError) -> SecretBytes {
    var value: SecretBytes?
    var total = 0
    while true {
      switch try next(&host) {
      case .reply(.value):
        if let error = take(into: &value, &total) { throw abandon(error, &host) }
      case .reply(.done):
        guard let value = value.take(), value.count == total else { throw abandon(.client(.malformed)) }
        return value
      case .reply, .evaluated: throw abandon(.client(.malformed), &host)
      }
    }
  }

  public mutating func delete<Host: ContextHost & ~Copyable>(_ name: ItemName, _ host: inout Host) throws(ContextError) {
    try settle(.delete(user: "", name), &host)
  }

  /// Forgets which programs besides the one that stored it may read an item.
  public mutating func revoke<Host: ContextHost & ~Copyable>(_ name: ItemName, _ host: inout Host) throws(ContextError) {
    try settle(.revoke(user: "", name), &host)
  }

  /// All items, without their values.
  public mutating func list() throws(ContextError) -> [ItemRow] {
    try ask(.list(user: ""))
    var host = SilentHost()
    var rows: [ItemRow] = []
    while true {
      switch try next(&host) {
      case .reply(.row):
        // A file that is at fault is the command line's to tell of.
        switch VaultListing(packet.span) {
        case .item(let row): rows.append(row)
        case .problem: break
        case nil: throw abandon(.client(.malformed), &host)
        }
      case .reply(.done): return rows
      case .reply, .evaluated: throw abandon(.client(.malformed), &host)
      }
    }
  }

  private func length(of value: Span<UInt8>) throws(ContextError) -> UInt32 {
    guard value.count <= ItemLimit.value else { throw .unusable }
    return UInt32(truncatingIfNeeded: value.count)
  }

  private mutating func ask(_ request: VaultRequest) throws(ContextError) {
    try begin(ContextConnection.terms) { packet throws(FormatError) in try request.write(into: &packet) }
  }

  private mutating func settle<Host: ContextHost & ~Copyable>(
    _ request: VaultRequest, _ host: inout Host
  ) throws(ContextError) {
    try ask(request)
    guard try next(&host) == .reply(.done) else { throw abandon(.client(.malformed), &host) }
  }

  private mutating func store<Host: ContextHost & ~Copyable>(
    _ request: VaultRequest, _ value: Span<UInt8>, _ host: inout Host
  ) throws(ContextError) {
    try ask(request)
    var isSent = false
    while true {
      switch try next(&host) {
      case .reply(.askValue) where !isSent:
        isSent = true
        try send(value, &host)
      case .reply(.done): return
      case .reply, .evaluated: throw abandon(.client(.malformed), &host)
      }
    }
  }

  private mutating func send<Host: ContextHost & ~Copyable>(
    _ value: Span<UInt8>, _ host: inout Host
  ) throws(ContextError) {
    var rest = value
    do throws(ContextError) {
      while !rest.isEmpty {
        let part = rest.extracting(first: min(rest.count, PacketLimit.valuePart))
        try send { packet throws(FormatError) in try ValueRequest(part: part).write(into: &packet) }
        rest = rest.extracting(droppingFirst: part.count)
      }
    } catch { throw abandon(error, &host) }
  }

  /// Adds the part of a value that is in the packet; why it does not, where it does not.
  private mutating func take(into value: inout SecretBytes?, _ total: inout Int) -> ContextError? {
    defer { packet.removeAll() }
    do throws(FormatError) {
      let reply = try ValueReply(parsing: packet.span)
      guard var all = value.take() ?? SecretBytes(capacity: max(1, Int(reply.total))) else { return .noMemory }
      let fits = all.count == 0 || total == Int(reply.total)
      total = Int(reply.total)
      let isTaken = fits && all.append(reply.part)
      value = consume all
      return isTaken ? nil : .client(.malformed)
    } catch { return .client(.malformed) }
  }
}
