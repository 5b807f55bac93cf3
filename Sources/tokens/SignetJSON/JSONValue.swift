// SignetJSON reads and writes JSON (RFC 8259) that comes from, and goes to, servers and tokens. It takes less than JSON allows:
// what two readers could understand in two ways, a name that is there twice above all, is an error.

/// A JSON value. Values are equal where their bytes are: texts are not compared by what Unicode calls equivalent.
public enum JSONValue: Sendable {
  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int)
  /// Any other number; always finite.
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// The members of a JSON object, each name once.
public struct JSONObject: Sendable {
  /// By the bytes of the name: `String` would take two names for one where Unicode calls them equivalent.
  private var members: [[UInt8]: JSONValue] = [:]

  public init() {}

  public var isEmpty: Bool { members.isEmpty }
  public var count: Int { members.count }

  /// The names, in the order of their bytes.
  public var names: [String] { members.keys.sorted(by: precedes).map { String(decoding: $0, as: UTF8.self) } }

  public subscript(name: String) -> JSONValue? {
    get { members[Array(name.utf8)] }
    set { members[Array(name.utf8)] = newValue }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Of a name that is given twice the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    for (name, value) in elements { self[name] = value }
  }
}

extension JSONObject: Equatable {
  public static func == (one: JSONObject, other: JSONObject) -> Bool { one.members == other.members }
}

extension JSONValue: Equatable {
  public static func == (one: JSONValue, other: JSONValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.double(let one), .double(let other)): one == other
    case (.string(let one), .string(let other)): one.hasSameBytes(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    default: false
    }
  }
}

extension String {
  /// Whether both are the same bytes. `==` takes U+212A, the sign of the kelvin, for the letter K, which an issuer's name or an
  /// account's must not be mistaken by.
  public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

private func precedes(_ one: [UInt8], _ other: [UInt8]) -> Bool { one.lexicographicallyPrecedes(other) }
