/// Reads one JSON text. Strict: UTF-8, no byte order mark, no name twice, nothing behind the value, numbers that are finite.
public struct JSONReader {
  /// How deep arrays and objects may stand in one another. What is read calls itself so often, so this bounds the stack, too.
  public static let maximumDepth = 16

  private let bytes: [UInt8]
  private var offset = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Reads a value.
  ///
  /// - Parameter limit: the most bytes that are looked at; more are an error.
  public static func value(_ bytes: some Sequence<UInt8>, limit: Int) throws(JSONError) -> JSONValue {
    // One more than allowed is enough to know.
    let bytes = Array(bytes.prefix(max(0, limit) &+ 1))
    guard bytes.count <= limit else { throw .tooLarge }
    var reader = JSONReader(bytes)
    reader.skipSpace()
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.offset == bytes.count else { throw .malformed(offset: reader.offset) }
    return value
  }

  /// Reads an object; any other value is an error.
  public static func object(_ bytes: some Sequence<UInt8>, limit: Int) throws(JSONError) -> JSONObject {
    guard case .object(let object) = try value(bytes, limit: limit) else { throw .malformed(offset: 0) }
    return object
  }

  private var malformed: JSONError { .malformed(offset: offset) }
  private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) throws(JSONError) {
    guard next == byte else { throw malformed }
    offset += 1
  }

  private mutating func take(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for byte in "\(word)".utf8 { try take(byte) }
    return value
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    switch next {
    case UInt8(ascii: "{"): .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): .string(try string())
    case UInt8(ascii: "t"): try take("true", .bool(true))
    case UInt8(ascii: "f"): try take("false", .bool(false))
    case UInt8(ascii: "n"): try take("null", .null)
    default: try number()
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
    guard depth <= JSONReader.maximumDepth else { throw .tooDeep }
    var object = JSONObject()
    try take(UInt8(ascii: "{"))
    skipSpace()
    if next == UInt8(ascii: "}") {
      offset += 1
      return object
    }
    while true {
      skipSpace()
      let name = try string()
      guard object[name] == nil else { throw .duplicateName(name) }
      skipSpace()
      try take(UInt8(ascii: ":"))
      skipSpace()
      object[name] = try value(depth: depth)
      skipSpace()
      guard next == UInt8(ascii: ",") else { break }
      offset += 1
    }
    try take(UInt8(ascii: "}"))
    return object
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
    guard depth <= JSONReader.maximumDepth else { throw .tooDeep }
    var array: [JSONValue] = []
    try take(UInt8(ascii: "["))
    skipSpace()
    if next == UInt8(ascii: "]") {
      offset += 1
      return array
    }
    while true {
      skipSpace()
      array.append(try value(depth: depth))
      skipSpace()
      guard next == UInt8(ascii: ",") else { break }
      offset += 1
    }
    try take(UInt8(ascii: "]"))
    return array
  }

  private mutating func digits() throws(JSONError) {
    let start = offset
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    guard offset > start else { throw malformed }
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = offset
    if next == UInt8(ascii: "-") { offset += 1 }
    if next == UInt8(ascii: "0") { offset += 1 } else { try digits() }
    let isWhole = next != UInt8(ascii: ".") && next != UInt8(ascii: "e") && next != UInt8(ascii: "E")
    if next == UInt8(ascii: ".") {
      offset += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      try digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isWhole, let value = Int(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw .malformed(offset: start) }
    return .double(value)
  }

  private mutating func string() throws(JSONError) -> String {
    let start = offset
    try take(UInt8(ascii: "\""))
    var text: [UInt8] = []
    while true {
      guard let byte = next, byte >= 0x20 else { throw malformed }
      offset += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") { text += Array(String(try escaped()).utf8) } else { text.append(byte) }
    }
    guard let string = String(validating: text, as: UTF8.self) else { throw .malformed(offset: start) }
    return string
  }

  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    guard let byte = next else { throw malformed }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try scalar()
    default: throw malformed
    }
  }

  /// The scalar of one `\uXXXX`, or of two that are a surrogate pair; half a pair is an error.
  private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
    let first = try codeUnit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00 else { throw malformed }
    try take(UInt8(ascii: "\\"))
    try take(UInt8(ascii: "u"))
    let second = try codeUnit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw malformed }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    guard offset + 4 <= bytes.count else { throw malformed }
    var unit: UInt32 = 0
    for byte in bytes[offset..<offset + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw malformed }
      unit = unit << 4 | UInt32(digit)
    }
    offset += 4
    return unit
  }
}
