import Security

// Shape 22: a property wrapper, optional and Codable, with a nonmutating setter. Shape 25: `#if canImport`.
@propertyWrapper
struct KeychainStored<Value: Codable> {
  private let key: String
  private let fallback: Value?

  init(wrappedValue: Value? = nil, _ key: String) {
    self.key = key
    self.fallback = wrappedValue
  }

  private var query: [CFString: Any] {
    [
      kSecClass: kSecClassGenericPassword,
      kSecAttrService: "wrapper",
      kSecAttrAccount: key,
      kSecAttrGeneric: key.data(using: .utf8)!,
    ]
  }

  var wrappedValue: Value? {
    get {
      var query = query
      query[kSecReturnData] = true
      var ref: AnyObject?
      guard SecItemCopyMatching(query as CFDictionary, &ref) == errSecSuccess, let data = ref as? Data else { return fallback }
      return try? JSONDecoder().decode(Value.self, from: data)
    }
    nonmutating set {
      SecItemDelete(query as CFDictionary)
      guard let newValue, let data = try? JSONEncoder().encode(newValue) else { return }
      var query = query
      query[kSecValueData] = data
      SecItemAdd(query as CFDictionary, nil)
    }
  }

  var projectedValue: KeychainStored<Value> { self }
}

struct Session: Codable, Equatable {
  var user: String
  var count: Int
}

struct Settings {
  @KeychainStored("session") var session: Session?
  @KeychainStored("name") var name: String?
}
