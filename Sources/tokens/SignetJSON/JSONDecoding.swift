extension JSONValue {
  /// The value of a type that tells any decoder what it is made of. How deep this goes is the type's own depth, not that of what came.
  ///
  /// - Throws: `DecodingError`, and what the type throws.
  public func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    // Texts, truth values and numbers know no other way to decode themselves than to be given as they are.
    let leaf: Any? =
      switch type {
      case is String.Type: string
      case is Bool.Type: bool
      case let type as any FixedWidthInteger.Type: whole(type)
      case let type as any BinaryFloatingPoint.Type: number.map { JSONValue.real($0, type) }
      default: try type.init(from: ValueDecoding(value: self))
      }
    guard let value = leaf as? Value else { throw mismatch(type) }
    return value
  }

  private func whole<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? { integer.flatMap(Integer.init(exactly:)) }

  private static func real<Real: BinaryFloatingPoint>(_ value: Double, _ type: Real.Type) -> Real { Real(value) }

  fileprivate func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: "it is something else"))
  }
}

private struct ValueDecoding: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let object = value.object else { throw value.mismatch(JSONObject.self) }
    return KeyedDecodingContainer(MemberDecoding(object: object))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let array = value.array else { throw value.mismatch([JSONValue].self) }
    return ElementDecoding(array: array)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { value == .null }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try value.decoded(as: type) }
}

private struct MemberDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { object.names.compactMap(Key.init(stringValue:)) }

  private func member(_ key: any CodingKey) throws -> JSONValue {
    guard let value = object[key.stringValue] else {
      throw DecodingError.keyNotFound(key, DecodingError.Context(codingPath: [], debugDescription: "it is missing"))
    }
    return value
  }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }
  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try member(key).decoded(as: type) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try ValueDecoding(value: member(key)).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try ValueDecoding(value: member(key)).unkeyedContainer()
  }
  func superDecoder() -> any Decoder { ValueDecoding(value: .object(object)) }
  func superDecoder(forKey key: Key) throws -> any Decoder { ValueDecoding(value: try member(key)) }
}

private struct ElementDecoding: UnkeyedDecodingContainer {
  let array: [JSONValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { [] }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex == array.count }

  init(array: [JSONValue]) { self.array = array }

  private mutating func next() throws -> JSONValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSONValue.self, DecodingError.Context(codingPath: [], debugDescription: "there is no further element"))
    }
    defer { currentIndex += 1 }
    return array[currentIndex]
  }

  mutating func decodeNil() -> Bool {
    guard !isAtEnd, array[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decoded(as: type) }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
    try ValueDecoding(value: next()).container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try ValueDecoding(value: next()).unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { ValueDecoding(value: try next()) }
}
