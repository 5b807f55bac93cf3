extension JSONValue {
  /// What a value tells any encoder of itself, as Foundation's would write it: members that are `nil` are left out.
  ///
  /// - Throws: `EncodingError` where a number is too large, and what the value throws.
  public init(encoding value: some Encodable) throws {
    let node = EncodingNode()
    try node.write(value)
    self = node.json
  }
}

/// One value while it is written. Containers of it write into the same node.
private final class EncodingNode: Encoder {
  enum Content {
    case leaf(JSONValue)
    case members([String: EncodingNode])
    case elements([EncodingNode])
  }

  var content = Content.leaf(.null)
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  var json: JSONValue {
    switch content {
    case .leaf(let value): value
    case .members(let members):
      .object(members.reduce(into: JSONObject()) { object, member in object[member.key] = member.value.json })
    case .elements(let elements): .array(elements.map(\.json))
    }
  }

  /// Texts, truth values and numbers know no other way to encode themselves than to be taken as they are.
  func write(_ value: some Encodable) throws {
    switch value {
    case let text as String: content = .leaf(.string(text))
    case let truth as Bool: content = .leaf(.bool(truth))
    case let number as any BinaryInteger:
      guard let integer = Int(exactly: number) else { throw refusal(number, "the number is too large") }
      content = .leaf(.integer(integer))
    case let number as any BinaryFloatingPoint:
      let number = Double(number)
      guard number.isFinite else { throw refusal(number, "the number is not finite") }
      content = .leaf(Int(exactly: number).map { .integer($0) } ?? .double(number))
    default: try value.encode(to: self)
    }
  }

  private func refusal(_ value: Any, _ why: String) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: why))
  }

  func member(_ key: any CodingKey) -> EncodingNode {
    let node = EncodingNode()
    guard case .members(var members) = content else { return node }
    members[key.stringValue] = node
    content = .members(members)
    return node
  }

  func element() -> EncodingNode {
    let node = EncodingNode()
    guard case .elements(let elements) = content else { return node }
    content = .elements(elements + [node])
    return node
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .members = content {} else { content = .members([:]) }
    return KeyedEncodingContainer(MemberEncoding(node: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    content = .elements([])
    return ElementEncoding(node: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { LeafEncoding(node: self) }
}

private struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: EncodingNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { node.member(key).content = .leaf(.null) }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try node.member(key).write(value) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    node.member(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { node.member(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { node }
  func superEncoder(forKey key: Key) -> any Encoder { node.member(key) }
}

private struct ElementEncoding: UnkeyedEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { [] }
  var count: Int { if case .elements(let elements) = node.content { elements.count } else { 0 } }

  func encodeNil() { node.element().content = .leaf(.null) }
  func encode<Value: Encodable>(_ value: Value) throws { try node.element().write(value) }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    node.element().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { node.element().unkeyedContainer() }
  func superEncoder() -> any Encoder { node.element() }
}

private struct LeafEncoding: SingleValueEncodingContainer {
  let node: EncodingNode
  var codingPath: [any CodingKey] { [] }

  func encodeNil() { node.content = .leaf(.null) }
  func encode<Value: Encodable>(_ value: Value) throws { try node.write(value) }
}
