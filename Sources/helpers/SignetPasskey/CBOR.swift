/// A value of CBOR (RFC 8949), as far as CTAP has it: CTAP2's canonical form (section 8), in which each value has one encoding.
public indirect enum CBOR: Equatable, Sendable {
  public struct Pair: Equatable, Sendable {
    public var key: CBOR
    public var value: CBOR

    public init(_ key: CBOR, _ value: CBOR) { (self.key, self.value) = (key, value) }
  }

  case unsigned(UInt64)
  /// -1 minus this.
  case negative(UInt64)
  case bytes([UInt8])
  /// UTF-8.
  case text([UInt8])
  case array([CBOR])
  /// In the canonical order of keys where it was read; any where it is to be written.
  case map([Pair])
  case bool(Bool)

  /// Arrays and maps within each other, at most.
  public static let depthLimit = 4

  public static func int(_ number: Int) -> CBOR {
    number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
  }

  public static func text(_ text: String) -> CBOR { .text(Array(text.utf8)) }

  /// A map whose keys are numbers; those without a value are left out.
  public static func numbered(_ pairs: [(Int, CBOR?)]) -> CBOR {
    .map(pairs.compactMap { key, value in value.map { Pair(.int(key), $0) } })
  }

  /// A map whose keys are words; those without a value are left out.
  public static func named(_ pairs: [(String, CBOR?)]) -> CBOR {
    .map(pairs.compactMap { key, value in value.map { Pair(.text(key), $0) } })
  }
}

// MARK: Reading

extension CBOR {
  /// Takes one value that is all of the bytes.
  public init(_ bytes: [UInt8]) throws(Status) {
    var reader = Reader(rest: bytes[...])
    self = try reader.value(within: CBOR.depthLimit)
    guard reader.rest.isEmpty else { throw .invalidCBOR }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    private mutating func byte() throws(Status) -> UInt8 {
      guard let byte = rest.popFirst() else { throw .invalidCBOR }
      return byte
    }

    /// The major type, and its number in the shortest form that there is.
    private mutating func head() throws(Status) -> (type: UInt8, number: UInt64) {
      let first = try byte()
      let (type, short) = (first >> 5, first & 31)
      guard short >= 24 else { return (type, UInt64(short)) }
      // Lengths that are told later are not canonical, nor is a number that has a shorter form.
      guard short <= 27 else { throw .invalidCBOR }
      var number: UInt64 = 0
      for _ in 0..<(1 << (short - 24)) { number = number << 8 | UInt64(try byte()) }
      let least: UInt64 = short == 24 ? 24 : 1 << (8 << (short - 25))
      guard number >= least || type == 7 else { throw .invalidCBOR }
      return (type, number)
    }

    private mutating func string(_ count: UInt64) throws(Status) -> [UInt8] {
      guard count <= UInt64(rest.count) else { throw .invalidCBOR }
      let bytes = Array(rest.prefix(Int(count)))
      rest = rest.dropFirst(Int(count))
      return bytes
    }

    mutating func value(within depth: Int) throws(Status) -> CBOR {
      let first = rest.first
      let (type, number) = try head()
      switch type {
      case 0: return .unsigned(number)
      case 1: return .negative(number)
      case 2: return .bytes(try string(number))
      case 3:
        let text = try string(number)
        guard String(validating: text, as: UTF8.self) != nil else { throw .invalidCBOR }
        return .text(text)
      case 4: return .array(try array(of: number, within: depth))
      case 5: return .map(try map(of: number, within: depth))
      case 7 where first == 0xF4 || first == 0xF5: return .bool(first == 0xF5)
      default: throw .invalidCBOR
      }
    }

    private mutating func array(of count: UInt64, within depth: Int) throws(Status) -> [CBOR] {
      // Each has a byte at least: nothing is reserved for what is not there.
      guard depth > 0, count <= UInt64(rest.count) else { throw .invalidCBOR }
      var values: [CBOR] = []
      for _ in 0..<Int(count) { values.append(try value(within: depth - 1)) }
      return values
    }

    private mutating func map(of count: UInt64, within depth: Int) throws(Status) -> [Pair] {
      guard depth > 0, count <= UInt64(rest.count / 2) else { throw .invalidCBOR }
      var pairs: [Pair] = []
      var last: [UInt8] = []
      for _ in 0..<Int(count) {
        let start = rest
        let key = try value(within: depth - 1)
        let encoded = Array(start.prefix(start.count - rest.count))
        guard last.isEmpty || CBOR.isOrdered(last, encoded) else { throw .invalidCBOR }
        last = encoded
        pairs.append(Pair(key, try value(within: depth - 1)))
      }
      return pairs
    }
  }

  /// Whether one key comes before another. Of keys of one type the shorter is first, and that is what its head says.
  private static func isOrdered(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    for (one, other) in zip(first, second) where one != other { return one < other }
    return first.count < second.count
  }
}

// MARK: Writing

extension CBOR {
  /// The one encoding.
  public var encoded: [UInt8] {
    var bytes: [UInt8] = []
    write(into: &bytes)
    return bytes
  }

  private func write(into bytes: inout [UInt8]) {
    switch self {
    case .unsigned(let number): CBOR.head(0, number, &bytes)
    case .negative(let number): CBOR.head(1, number, &bytes)
    case .bytes(let string):
      CBOR.head(2, UInt64(string.count), &bytes)
      bytes += string
    case .text(let string):
      CBOR.head(3, UInt64(string.count), &bytes)
      bytes += string
    case .array(let values):
      CBOR.head(4, UInt64(values.count), &bytes)
      for value in values { value.write(into: &bytes) }
    case .map(let pairs):
      CBOR.head(5, UInt64(pairs.count), &bytes)
      let written = pairs.map { (key: $0.key.encoded, value: $0.value) }.sorted { CBOR.isOrdered($0.key, $1.key) }
      for pair in written {
        bytes += pair.key
        pair.value.write(into: &bytes)
      }
    case .bool(let value): bytes.append(value ? 0xF5 : 0xF4)
    }
  }

  private static func head(_ type: UInt8, _ number: UInt64, _ bytes: inout [UInt8]) {
    let first = type << 5
    if number < 24 { return bytes.append(first | UInt8(number)) }
    let size = number <= 0xFF ? 0 : number <= 0xFFFF ? 1 : number <= 0xFFFF_FFFF ? 2 : 3
    bytes.append(first | 24 + UInt8(size))
    for shift in (0..<(1 << size)).reversed() { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
  }
}

// MARK: What is in it

extension CBOR {
  /// What a map has under a number; `nil` for nothing.
  public subscript(_ key: Int) -> CBOR? { value(of: .int(key)) }

  /// What a map has under a word; `nil` for nothing.
  public subscript(_ key: String) -> CBOR? { value(of: .text(key)) }

  private func value(of key: CBOR) -> CBOR? {
    guard case .map(let pairs) = self else { return nil }
    return pairs.first { $0.key == key }?.value
  }

  public func asBytes() throws(Status) -> [UInt8] {
    guard case .bytes(let bytes) = self else { throw .unexpectedType }
    return bytes
  }

  public func asText() throws(Status) -> [UInt8] {
    guard case .text(let text) = self else { throw .unexpectedType }
    return text
  }

  public func asArray() throws(Status) -> [CBOR] {
    guard case .array(let values) = self else { throw .unexpectedType }
    return values
  }

  public func asBool() throws(Status) -> Bool {
    guard case .bool(let value) = self else { throw .unexpectedType }
    return value
  }

  public func asInt() throws(Status) -> Int {
    switch self {
    case .unsigned(let number) where number <= UInt64(Int.max): return Int(number)
    case .negative(let number) where number <= UInt64(Int.max): return -1 - Int(number)
    default: throw .unexpectedType
    }
  }

  /// A map, whatever is in it.
  public func asMap() throws(Status) -> CBOR {
    guard case .map = self else { throw .unexpectedType }
    return self
  }
}
