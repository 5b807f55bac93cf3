import SignetLanguage

/// One key of signet.conf(5): its name, where it may stand, how its value is read, and what the value means.
public struct Key: Sendable {
  public let name: String
  /// The values that are allowed, in words.
  public let allowed: String
  /// Whether it may be given several times.
  public let repeats: Bool
  /// Whether it may stand in a `[service NAME]` section too.
  public var isForServices: Bool { readForService != nil }

  /// A value as it would stand in the file, and what it means in words.
  struct Value: Equatable {
    var text: String
    var words: String
  }

  /// Reads a value into the configuration; false where it is not allowed.
  let read: @Sendable (String, inout Configuration) -> Bool
  /// Forgets what an earlier file gave for a key that repeats.
  let forget: @Sendable (inout Configuration) -> Void
  let readForService: (@Sendable (String, inout Configuration.ServiceSettings) -> Bool)?
  /// The value in force; for a key that repeats, as many as were given.
  let values: @Sendable (Configuration) -> [Value]
  /// What a service's section says; `nil` where the section does not set this key.
  let valueForService: (@Sendable (Configuration.ServiceSettings) -> Value?)?
}

extension Key {
  /// A key with one value that holds for all services.
  init<Content>(
    _ name: String, _ form: Form<Content>, _ field: WritableKeyPath<Configuration, Content> & Sendable,
    words: @escaping @Sendable (Content) -> String
  ) {
    self.name = name
    allowed = form.allowed
    repeats = false
    read = { text, configuration in
      guard let value = form.read(text) else { return false }
      configuration[keyPath: field] = value
      return true
    }
    values = { [Value(text: form.write($0[keyPath: field]), words: words($0[keyPath: field]))] }
    forget = { _ in }
    readForService = nil
    valueForService = nil
  }

  /// A key with one global value, and where a service's section sets it, another one for that service.
  init<Content>(
    _ name: String, _ form: Form<Content>, _ field: WritableKeyPath<Configuration, Content> & Sendable,
    service: WritableKeyPath<Configuration.ServiceSettings, Content?> & Sendable,
    words: @escaping @Sendable (Content) -> String
  ) {
    let key = Key(name, form, field, words: words)
    self.name = name
    (allowed, repeats, read, values, forget) = (key.allowed, key.repeats, key.read, key.values, key.forget)
    readForService = { text, settings in
      guard let value = form.read(text) else { return false }
      settings[keyPath: service] = value
      return true
    }
    valueForService = { $0[keyPath: service].map { Value(text: form.write($0), words: words($0)) } }
  }

  /// A key that may be given several times.
  init<Content>(
    _ name: String, _ form: Form<Content>, all field: WritableKeyPath<Configuration, [Content]> & Sendable,
    words: @escaping @Sendable (Content) -> String
  ) {
    self.name = name
    allowed = form.allowed
    repeats = true
    read = { text, configuration in
      guard let value = form.read(text) else { return false }
      configuration[keyPath: field].append(value)
      return true
    }
    forget = { $0[keyPath: field] = [] }
    values = { $0[keyPath: field].map { Value(text: form.write($0), words: words($0)) } }
    readForService = nil
    valueForService = nil
  }
}

extension Key {
  static func named(_ name: String) -> Key? { Key.all.first { $0.name == name } }

  /// The message for a key that does not exist: it names the key that was probably meant, and all keys that there are.
  static func unknown(_ name: String) -> String {
    let nearest = Key.all.map { (key: $0.name, distance: Key.distance($0.name, name)) }.min { $0.distance < $1.distance }
    let (found, all) = (Shown.text(name), Key.all.map(\.name).joined(separator: ", "))
    guard let nearest, nearest.distance <= 3 else { return say("unknown key \(found). The keys are: \(all)") }
    return say("unknown key \(found); did you mean `\(nearest.key)`? The keys are: \(all)")
  }

  /// How many letters have to be added, left out or replaced to turn one into the other (Levenshtein's distance).
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one.utf8), Array(other.utf8))
    guard abs(one.count - other.count) <= 3 else { return .max }
    var row = Array(0...other.count)
    for (index, letter) in one.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in other.indices {
        let replaced = diagonal + (other[column] == letter ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
