import SignetBytes
import SignetMemory
import SignetVocabulary
@testable import SignetWire

extension Codec {
  static let vaultRequest = Codec(
    name: "VaultRequest",
    echo: { bytes throws(FormatError) in
      var fields = ByteReader(bytes.span)
      guard let kind = RequestKind(rawValue: try fields.header()) else { throw .badValue }
      let request = try VaultRequest(kind: kind, parsing: fields)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: vaultRequests.map { request in sample { packet throws(FormatError) in try request.write(into: &packet) } })

  private static var vaultRequests: [VaultRequest] {
    items.map { .add(user: "alice", $0, length: 6) }
      + items.suffix(1).map { .update(user: text(FieldLimit.user), $0, length: UInt32(ItemLimit.value)) }
      + [
        .add(user: "", items[0], length: 0), .update(user: "", .loginSecret, length: 512),
        .read(user: "alice", .loginSecret), .read(user: "alice", longestName, mayInteract: false),
        .revoke(user: "alice", longestName), .revoke(user: "", ItemName(service: "", account: "")),
        .read(user: "", ItemName(service: "mail", account: "alice@example.org")),
        .delete(user: "alice", longestName), .delete(user: "", .loginSecret), .list(user: ""), .list(user: "müller"),
        .recover(user: "alice"), .reset(user: text(FieldLimit.user)),
        .makeKey(user: "", Item(key, label: "ssh", accessControl: AccessControl(.biometryCurrentSet))),
        .sign(user: "alice", key, digest: Array(0..<32)),
        .sign(
          user: "", ItemName(kind: .key, service: text(ItemLimit.name), account: ""), digest: Array(0..<32), mayInteract: false),
      ]
  }

  private static let key = ItemName(kind: .key, service: "git.example.org", account: "alice")
  private static let longestName = ItemName(service: text(ItemLimit.name), account: text(ItemLimit.name))

  /// Every access control and accessibility class; the longest comes last.
  static var items: [Item] {
    let name = ItemName(service: "mail", account: "")
    let controls = (0...AccessControl.Constraints.known.rawValue).flatMap { number in
      [AccessControl.Connective.and, .or].map { AccessControl(AccessControl.Constraints(rawValue: number), $0) }
    }
    return controls.map { Item(name, accessControl: $0) } + Accessibility.allCases.map { Item(name, accessibility: $0) }
      + [
        .loginSecret, Item(ItemName(kind: .internetPassword, service: "", account: "")),
        Item(key, attributes: [4] + [UInt8](repeating: 0x5A, count: 64)),
        Item(
          longestName, label: text(ItemLimit.text), comment: text(ItemLimit.text),
          attributes: [UInt8](repeating: 0xA5, count: ItemLimit.attributes)),
      ]
  }

  static let value = Codec(
    name: "ValueRequest",
    echo: { bytes throws(FormatError) in
      let request = try ValueRequest(parsing: fields(of: .value, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [1, 6, PacketLimit.valuePart].map { count in
      let part = [UInt8](repeating: 0x76, count: count)
      return sample { packet throws(FormatError) in try ValueRequest(part: part.span).write(into: &packet) }
    })

  static let valueReply = Codec(
    name: "ValueReply",
    echo: { bytes throws(FormatError) in
      let reply = try ValueReply(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try reply.write(into: &packet) }
    },
    samples: [(0, 0), (1, 1), (6, 5), (ItemLimit.value, 1), (ItemLimit.value, PacketLimit.valuePart)].map { total, count in
      let part = [UInt8](repeating: 0x76, count: count)
      return sample { packet throws(FormatError) in
        try ValueReply(total: UInt32(total), part: part.span).write(into: &packet)
      }
    })

  static let passcodeChanged = Codec(
    name: "PasscodeChangedRequest",
    echo: { bytes throws(FormatError) in
      let request = try PasscodeChangedRequest(parsing: fields(of: .passcodeChanged, in: bytes.span))
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try request.write(into: &packet) }
    },
    samples: [("", 0, 1), ("alice", 6, 7), (text(FieldLimit.user), FieldLimit.passcode, FieldLimit.passcode)].map {
      user, oldCount, newCount in
      let (user, old) = (Array(user.utf8), [UInt8](repeating: 0x6F, count: oldCount))
      let new = [UInt8](repeating: 0x6E, count: newCount)
      return sample { packet throws(FormatError) in
        try PasscodeChangedRequest(user: user.span, old: old.span, new: new.span).write(into: &packet)
      }
    })

  /// The rows and replies of a vault, which `AdministrationReply` carries.
  static var vaultReplies: [AdministrationReply] {
    items.map { .item(ItemRow(item: $0, created: 1_795_240_800, modified: .max, isOfCurrentSet: false)) }
      + [.item(ItemRow(item: items[0], created: 0, modified: 0, isOfCurrentSet: true, isInTPM: true))]
      + [FingerChange(.enrolled, .leftThumb, time: 1_795_240_900), FingerChange(.deleted, nil, time: .max)].map {
        .item(ItemRow(item: items[0], created: 1, modified: 2, isOfCurrentSet: false, change: $0))
      }
      + [
        .item(
          ItemRow(
            item: items[0], created: 1, modified: 2, isOfCurrentSet: true, creator: "/usr/bin/one",
            others: Array(repeating: text(ItemLimit.program), count: ItemLimit.others))),
        // The longest that fits a packet.
        .item(
          ItemRow(
            item: items[items.count - 1], created: 1, modified: 2, isOfCurrentSet: true, creator: text(ItemLimit.program),
            others: Array(repeating: text(24), count: ItemLimit.others))),
      ]
      + VaultState.allCases.map {
        .vault(VaultRow(state: $0, items: 3, lost: 1, hasLoginSecret: true, fault: .damaged("the file")))
      }
      + [
        .vault(VaultRow(state: .open)), .vault(VaultRow(state: .closed, protection: .locked)),
        .vault(VaultRow(state: .unusable, items: .max, lost: .max, fault: .missing(text(FieldLimit.path)))), .askValue,
      ] + VaultError.all.map { .vaultProblem($0) }
  }
}
