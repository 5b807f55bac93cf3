/// The fields of a message's header, in their order. Names are compared without regard to case.
public struct NetworkHeaders: Sendable, ExpressibleByDictionaryLiteral {
  public private(set) var fields: [(name: String, value: String)] = []

  public init() {}

  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// Puts a field behind the others.
  public mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

  /// All values of a name.
  public func values(_ name: String) -> [String] {
    let name = name.lowercased()
    return fields.filter { $0.name.lowercased() == name }.map(\.value)
  }

  /// The value of a name that is there once. Setting it takes the others of that name away.
  public subscript(name: String) -> String? {
    get {
      let values = values(name)
      return values.count == 1 ? values[0] : nil
    }
    set {
      let lower = name.lowercased()
      fields.removeAll { $0.name.lowercased() == lower }
      if let newValue { add(name, newValue) }
    }
  }
}
