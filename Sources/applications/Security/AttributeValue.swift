import SignetCoreFoundation

/// The value of an attribute, as it is kept and compared.
enum AttributeValue: Hashable, Sendable {
  case text(String)
  case data([UInt8])
  case number(Int64)
  case flag(Bool)

  /// What stands in a program's dictionary; `nil` where it is none of these.
  init?(_ value: Any) {
    if let text = value as? String {
      self = .text(text)
    } else if let data = value as? Data {
      self = .data(Array(data))
    } else if let flag = AttributeValue.flag(value) {
      self = .flag(flag)
    } else if let number = value as? NSNumber {
      self = .number(number.int64Value)
    } else {
      return nil
    }
  }

  /// A real Bool; a number, which casts to one as well, is none.
  static func flag(_ value: Any) -> Bool? {
    if type(of: value) == Bool.self { return value as? Bool }
    guard let number = value as? NSNumber, number.isBoolean else { return nil }
    return number.boolValue
  }

  /// For comparing: texts, data and numbers that say the same are the same.
  var bytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .number(let number): Array(String(number).utf8)
    case .flag(let flag): [flag ? 49 : 48]
    }
  }

  /// Whether it says nothing, which is the same as being left out.
  var isNothing: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .data(let bytes): bytes.isEmpty
    case .number(let number): number == 0
    case .flag(let flag): !flag
    }
  }

  /// For a program's dictionary.
  var object: Any {
    switch self {
    case .text(let text): text
    case .data(let bytes): Data(bytes)
    case .number(let number): NSNumber(value: number)
    case .flag(let flag): flag
    }
  }
}

/// Takes an optional's wrapping off, which a program's `as Any` left on; `nil` for none.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any AnyOptional else { return value is NSNull ? nil : value }
  return optional.content.flatMap(unwrapped)
}

private protocol AnyOptional { var content: Any? { get } }
extension Optional: AnyOptional {
  fileprivate var content: Any? { map { $0 } }
}
