extension JSONValue {
  /// The text, where it is one.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The truth value, where it is one; numbers are none.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The number, where it has no fraction and fits.
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  /// The number, where it is one.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }
  /// The elements, where it is an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The members, where it is an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }
  /// The texts, where it is an array of nothing else.
  public var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Of a name that is given twice the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (name, value) in elements { object[name] = value }
    self = .object(object)
  }
}
