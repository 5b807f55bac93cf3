/// One of an item's attributes, by which it is found. Compared byte by byte: what looks the same may be another.
struct Attribute: Equatable {
  var name: [UInt8]
  var value: [UInt8]
}

/// What the vault keeps of an item beside its label and its value: in the form that PROTOCOL.md has for an item's attributes, one of
/// which, Apple's generic one, has in it a version, the content type behind its length, and each attribute's name and value, behind 2
/// bytes of length each, in ascending order of the names.
struct KeptAttributes {
  var contentType: [UInt8]
  var attributes: [Attribute]

  private static let head = Array("gena".utf8) + [2]
  private static let version: UInt8 = 1
  static let plainText = Array("text/plain".utf8)

  init(contentType: [UInt8], attributes: [Attribute]) {
    self.contentType = contentType
    self.attributes = attributes.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Of an item that somebody else stored under our name, there are none.
  init(parsing bytes: [UInt8]) {
    self = KeptAttributes.parsed(bytes) ?? KeptAttributes(contentType: KeptAttributes.plainText, attributes: [])
  }

  private static func parsed(_ bytes: [UInt8]) -> KeptAttributes? {
    guard bytes.starts(with: head) else { return nil }
    var rest = bytes.dropFirst(head.count)
    guard let body = take(&rest), rest.isEmpty else { return nil }
    rest = body[...]
    guard rest.popFirst() == version, let type = take(&rest) else { return nil }
    var kept = KeptAttributes(contentType: type, attributes: [])
    while !rest.isEmpty {
      guard let name = take(&rest), let value = take(&rest) else { return nil }
      kept.attributes.append(Attribute(name: name, value: value))
    }
    return kept
  }

  private static func take(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let low = rest.popFirst(), let high = rest.popFirst() else { return nil }
    let count = Int(low) | Int(high) << 8
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Fails where the vault has no room for them.
  func bytes() throws(CallError) -> [UInt8] {
    var body = [KeptAttributes.version]
    KeptAttributes.put(contentType, into: &body)
    for attribute in attributes {
      KeptAttributes.put(attribute.name, into: &body)
      KeptAttributes.put(attribute.value, into: &body)
      guard body.count <= ItemLimit.attributes else { break }
    }
    var bytes = KeptAttributes.head
    KeptAttributes.put(body, into: &bytes)
    guard bytes.count <= ItemLimit.attributes else {
      throw .tooLong("An item's attributes and content type have about 1,000 bytes at most.")
    }
    return bytes
  }

  private static func put(_ field: [UInt8], into bytes: inout [UInt8]) {
    bytes += [UInt8(truncatingIfNeeded: field.count), UInt8(truncatingIfNeeded: field.count >> 8)]
    bytes += field
  }

  /// Whether it has all that is looked for.
  func includes(_ wanted: [Attribute]) -> Bool { wanted.allSatisfy { attributes.contains($0) } }
}
