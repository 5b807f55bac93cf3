import SignetBytes

// Attributes as bytes, which signetd stores sealed and gives back. Each is its key (Apple's four characters), a type byte (1 text
// in UTF-8, 2 data, 3 number, 4 truth), the length (two bytes, the least significant first) and so many bytes: a number has
// eight, the least significant first; a truth one, 0 or 1. Keys ascend, and no key is there twice.

/// Attributes by their keys of four characters.
typealias Attributes = [String: AttributeValue]

enum AttributeEncoding {
  /// The attributes as bytes; keys that are not four ASCII characters, and values above 65,535 bytes, are left out.
  static func encode(_ attributes: Attributes) -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, value) in attributes.sorted(by: { Array($0.key.utf8).lexicographicallyPrecedes(Array($1.key.utf8)) }) {
      let (kind, content) = parts(of: value)
      guard key.utf8.count == 4, content.count <= Int(UInt16.max) else { continue }
      bytes += Array(key.utf8) + [kind] + Array(littleEndian: content.count, size: 2) + content
    }
    return bytes
  }

  /// The attributes that these bytes say; `nil` where they are of no such form.
  static func decode(_ bytes: [UInt8]) -> Attributes? {
    var attributes: Attributes = [:]
    var rest = bytes[...]
    var last: [UInt8] = []
    while !rest.isEmpty {
      guard rest.count >= 7 else { return nil }
      let head = Array(rest.prefix(7))
      let (key, length) = (Array(head[..<4]), Int(head[5]) | Int(head[6]) << 8)
      rest = rest.dropFirst(7)
      guard last.lexicographicallyPrecedes(key), key.allSatisfy({ (32..<127).contains($0) }), rest.count >= length,
        let value = value(head[4], Array(rest.prefix(length)))
      else { return nil }
      attributes[String(decoding: key, as: UTF8.self)] = value
      rest = rest.dropFirst(length)
      last = key
    }
    return attributes
  }

  private static func parts(of value: AttributeValue) -> (kind: UInt8, content: [UInt8]) {
    switch value {
    case .text(let text): (1, Array(text.utf8))
    case .data(let bytes): (2, bytes)
    case .number(let number): (3, Array(littleEndian: number, size: 8))
    case .flag(let flag): (4, [flag ? 1 : 0])
    }
  }

  private static func value(_ kind: UInt8, _ content: [UInt8]) -> AttributeValue? {
    switch (kind, content.count) {
    case (1, _): String(validating: content, as: UTF8.self).map { .text($0) }
    case (2, _): .data(content)
    case (3, 8): .number(Int64(bitPattern: content.reversed().reduce(0) { $0 << 8 | UInt64($1) }))
    case (4, 1) where content[0] <= 1: .flag(content[0] == 1)
    default: nil
    }
  }
}
