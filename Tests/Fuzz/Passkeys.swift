import SignetBytes
import SignetPasskey

extension FuzzTarget {
  /// Reports of a host's, one behind another, with the time that passes between them in a byte before each.
  ///
  /// Each report that is sent has its length, and goes to a channel that was given out or to whom this one was from. A message is performed one
  /// at a time and is no longer than the longest, a timeout is said in the future alone, and after all of it whoever begins gets a channel.
  static let hid = FuzzTarget(
    name: "hid", longest: 40 * 65,
    seeds: {
      let begin = report(0xFFFF_FFFF, [0x86, 0, 8, 1, 2, 3, 4, 5, 6, 7, 8])
      return [
        begin, begin + report(1, [0x81, 0, 3, 1, 2, 3]), begin + report(1, [0x90, 0, 1, 4]) + report(1, [0x91, 0, 0]),
        begin + report(1, [0x90, 0, 100]) + report(1, [0]) + report(1, [0x86, 0, 8]),
        begin + begin + report(1, [0x90, 0, 200]) + report(2, [0x90, 0, 1, 4]) + report(1, [1]),
        begin + report(1, [0x81, 0x1D, 0xB9]) + report(1, [0], after: 255) + report(1, [1], after: 255),
        begin + report(1, [0x90, 0xFF, 0xFF]) + report(7, [0x83, 0, 1]),
        begin + begin + report(1, [0x84, 0, 1, 1]) + report(2, [0x81, 0, 1, 1]) + report(2, [0x81, 0, 1, 1], after: 255),
      ]
    },
    run: { bytes in
      var host = FuzzedHost()
      var rest = bytes
      while rest.count >= 1 + HIDChannels.reportLength {
        host.send(Array(copying: rest.extracting(1...HIDChannels.reportLength)), after: Int64(rest[0]) * 4)
        rest = rest.extracting(droppingFirst: 1 + HIDChannels.reportLength)
      }
      host.end()
    })

  /// A command and its CBOR, as a message has them.
  ///
  /// What is read as CBOR is written back bit for bit, and what a request has of it is as long as it may be.
  static let ctap = FuzzTarget(
    name: "ctap", longest: Device.messageLimit,
    seeds: {
      let site = CBOR.named([("id", .text("example.org")), ("name", .text("Example"))])
      let user = CBOR.named([("id", .bytes([1, 2])), ("name", .text("alice")), ("displayName", .text("Alice"))])
      let kinds = CBOR.array([.named([("alg", .int(-7)), ("type", .text("public-key"))])])
      let (hash, list) = (CBOR.bytes([UInt8](repeating: 7, count: 32)), CBOR.array([Answer.descriptor([9, 9])]))
      let point = PublicKey.agreeing([UInt8](repeating: 3, count: 64))
      let requests: [(UInt8, CBOR)] = [
        (
          1,
          .numbered([
            (1, hash), (2, site), (3, user), (4, kinds), (5, list), (6, .named([("credProtect", .int(2))])),
            (7, .named([("rk", .bool(true))])), (8, .bytes([1])), (9, .int(2)),
          ])
        ),
        (2, .numbered([(1, .text("example.org")), (2, hash), (3, list), (5, .named([("up", .bool(false))]))])), (4, .map([])),
        (6, .numbered([(1, .int(2)), (2, .int(6)), (3, point), (9, .int(2)), (10, .text("example.org"))])),
        (6, .numbered([(2, .int(7))])),
        (0x0A, .numbered([(1, .int(4)), (2, .numbered([(1, hash)])), (3, .int(2)), (4, .bytes([1, 2]))])),
        (
          0x0A,
          .numbered([
            (1, .int(7)), (2, .numbered([(2, Answer.descriptor([5])), (3, user)])), (3, .int(2)), (4, .bytes([1, 2])),
          ])
        ), (0x41, .numbered([(1, .int(6)), (2, .numbered([(2, Answer.descriptor([5]))])), (3, .int(1)), (4, .bytes([1]))])),
      ]
      return requests.map { [$0] + $1.encoded }
    },
    run: { bytes in
      guard bytes.count > 1, let value = try? CBOR(Array(copying: bytes.extracting(droppingFirst: 1))) else { return }
      require([bytes[0]] + value.encoded == Array(copying: bytes), "CBOR is read and written as something else")
      read(bytes[0], value)
    })
}

/// A report behind its pause.
private func report(_ channel: UInt32, _ bytes: [UInt8], after pause: UInt8 = 0) -> [UInt8] {
  let head = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: channel >> UInt32($0)) } + bytes
  return [pause] + head + [UInt8](repeating: 0, count: HIDChannels.reportLength - head.count)
}

/// Who has opened the device, and what is to be true of its channels.
private struct FuzzedHost {
  private var channels = HIDChannels()
  private var given: UInt32 = 0
  private var isPerforming = false
  private var now: Int64 = 0

  mutating func send(_ report: [UInt8], after pause: Int64) {
    now += pause
    take(channels.timeout(at: now), from: nil)
    take(channels.received(report, at: now), from: channel(of: report))
    if let deadline = channels.deadline { require(deadline > now, "a timeout that is over") }
    // Every other command is answered at once; the others are while more reports come.
    if isPerforming, report[6] & 1 == 0 { answer() }
  }

  mutating func end() {
    take(channels.closed(), from: nil)
    require(!isPerforming, "somebody waits behind a closed device")
    // Who opens it next gets the first channel.
    given = 0
    now += HIDChannels.packetTimeout
    take(channels.timeout(at: now), from: nil)
    let before = given
    take(channels.received(report(.max, [0x86, 0, 8]).dropFirst().map { $0 }, at: now), from: .max)
    require(given == before + 1, "nobody can begin any more")
  }

  private mutating func answer() {
    take(channels.keepalive(waits: true), from: nil)
    take(channels.answer([UInt8](repeating: 0, count: 100)), from: nil)
    isPerforming = false
  }

  private mutating func take(_ actions: [HIDChannels.Action], from asker: UInt32?) {
    for action in actions {
      switch action {
      case .send(let report):
        require(report.count == HIDChannels.reportLength, "a report of \(report.count) bytes")
        let channel = channel(of: report)
        if channel == .max, report[4] == 0x86 { given = max(given, report[15..<19].reduce(0) { $0 << 8 | UInt32($1) }) }
        require(channel == asker || channel > 0 && channel <= given, "a report for the channel \(channel)")
      case .perform(let message):
        require(!isPerforming, "two commands at once")
        require((1...Device.messageLimit).contains(message.count), "a command of \(message.count) bytes")
        isPerforming = true
      case .cancel: require(isPerforming, "nothing is given up")
      case .abandon:
        require(isPerforming, "nothing is left")
        isPerforming = false
      }
    }
  }

  private func channel(of report: [UInt8]) -> UInt32 { report[..<4].reduce(0) { $0 << 8 | UInt32($1) } }
}

private func read(_ command: UInt8, _ value: CBOR) {
  switch command {
  case 0x01:
    guard let request = try? MakeCredential(value) else { return }
    requireBounded(request.site)
    let account = request.account
    require((1...64).contains(account.id.count) && account.name.count <= 64 && account.displayName.count <= 64, "\(account)")
    require(request.clientDataHash.count == 32 && request.excluded.count <= 64, "\(request)")
    requireKept(
      StoredCredential(
        name: [UInt8](repeating: 1, count: 32), site: request.site, account: account, isDiscoverable: request.isDiscoverable,
        protection: request.protection ?? 1, point: [UInt8](repeating: 2, count: 64)))
  case 0x02:
    guard let request = try? GetAssertion(value) else { return }
    requireBounded(request.site)
    require(request.clientDataHash.count == 32 && request.allowed.map { (1...64).contains($0.count) } ?? true, "\(request)")
  case 0x06:
    guard case .token(_, let point, _, let site)? = try? ClientPIN(value) else { return }
    require(point.count == 64, "a point of \(point.count) bytes")
    site.map(requireBounded)
  case 0x0A, 0x41:
    guard case (.firstAccount(let hash), _, _)? = try? Management.parsed(value) else { return }
    require(hash.count == 32, "a hash of \(hash.count) bytes")
  default: break
  }
}

private func requireBounded(_ site: Site) { require((1...253).contains(site.id.count), "a site of \(site.id.count) bytes") }

/// What is kept of it is read again as it was, and fits; and what the user is shown of it is one line.
private func requireKept(_ credential: StoredCredential) {
  require(credential.comment.utf8.count <= 1024, "a comment of \(credential.comment.utf8.count) bytes")
  let again = StoredCredential(
    account: credential.name.hexadecimal, comment: credential.comment, publicKey: [4] + credential.point)
  require(again == credential, "\(credential) is kept as \(String(describing: again))")
  require(!credential.label.isEmpty, "a passkey without a label")
  requirePlain(credential.label, "what is shown of a passkey")
}
