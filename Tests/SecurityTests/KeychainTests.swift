import Foundation
import Security
import Testing

/// A password in the keychain, as most programs name one.
private func password(_ account: String, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
  [kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account].merging(more) { $1 }
}

@Suite struct KeychainTests {
  @Test func `what was added is found by its name, and once`() throws {
    let keychain = TestKeychain()
    #expect(keychain.add(password("a", [kSecValueData: Data("1".utf8)])) == errSecSuccess)
    #expect(keychain.add(password("a", [kSecValueData: Data("2".utf8)])) == errSecDuplicateItem)
    let (status, value) = keychain.copy(password("a", [kSecReturnData: true]))
    #expect(status == errSecSuccess && value as? Data == Data("1".utf8))
    #expect(keychain.copy(password("b", [kSecReturnData: true])).0 == errSecItemNotFound)
    #expect(keychain.copy(password("b")).0 == errSecItemNotFound)
  }

  @Test func `the whole name is read directly, without a list`() {
    let keychain = TestKeychain()
    _ = keychain.add(password("a", [kSecValueData: Data("1".utf8)]))
    _ = keychain.copy(password("a", [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]))
    _ = keychain.delete(password("a"))
    #expect(keychain.calls == ["add", "value", "delete"])
  }

  @Test func `the return keys say what comes, the limit whether in an array`() throws {
    let keychain = TestKeychain()
    _ = keychain.add(password("a", [kSecValueData: Data("1".utf8), kSecAttrLabel: "label"]))
    _ = keychain.add(password("b"))
    let existence = keychain.copy(password("a"))
    #expect(existence.0 == errSecSuccess && existence.1 == nil)
    #expect((keychain.copy(password("a", [kSecMatchLimit: kSecMatchLimitAll])).1 as? NSArray)?.count == 0)
    let both = try #require(keychain.copy(password("a", [kSecReturnData: true, kSecReturnAttributes: true])).1 as? [String: Any])
    #expect(both[kSecValueData as String] as? Data == Data("1".utf8))
    #expect(both[kSecAttrLabel as String] as? String == "label" && both[kSecAttrService as String] as? String == "service")
    #expect(both[kSecAttrAccessible as String] as? String == "ak" && both[kSecAttrCreationDate as String] is Date)
    #expect(both[kSecAttrAccessControl as String] is SecAccessControl && both[kSecClass as String] == nil)
    let all = keychain.copy([
      kSecClass: kSecClassGenericPassword, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll,
    ]).1
    #expect((all as? [[String: Any]])?.compactMap { $0[kSecAttrAccount as String] as? String } == ["a", "b"])
    // An item without a value has none to give.
    #expect(keychain.copy(password("b", [kSecReturnData: true])) == (errSecSuccess, nil))
    let without = keychain.copy(password("b", [kSecReturnData: true, kSecReturnAttributes: true])).1 as? [String: Any]
    #expect(without != nil && without?[kSecValueData as String] == nil)
    let values = keychain.copy([
      kSecClass: kSecClassGenericPassword, kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll,
    ])
    #expect(values.1 as? [Data] == [Data("1".utf8)])
  }

  @Test func `a dictionary that was given finds its item again`() throws {
    let keychain = TestKeychain()
    _ = keychain.add(
      password("a", [kSecValueData: Data("1".utf8), kSecAttrComment: "c", kSecAttrCreator: 7, kSecAttrIsInvisible: true]))
    let given = try #require(keychain.copy(password("a", [kSecReturnAttributes: true])).1 as? [CFString: Any])
    var query = given
    query[kSecClass] = kSecClassGenericPassword
    query[kSecReturnData] = true
    #expect(keychain.copy(query).1 as? Data == Data("1".utf8))
    query[kSecAttrCreator] = 8
    #expect(keychain.copy(query).0 == errSecItemNotFound)
  }

  @Test func `a persistent reference finds its item`() throws {
    let keychain = TestKeychain()
    let (status, reference) = keychain.adding(password("a", [kSecValueData: Data("1".utf8), kSecReturnPersistentRef: true]))
    let data = try #require(reference as? Data)
    #expect(status == errSecSuccess)
    #expect(keychain.copy([kSecValuePersistentRef: data, kSecReturnData: true]).1 as? Data == Data("1".utf8))
    #expect(keychain.delete([kSecValuePersistentRef: data]) == errSecSuccess)
    #expect(keychain.copy([kSecValuePersistentRef: data, kSecReturnData: true]).0 == errSecItemNotFound)
    #expect(keychain.copy([kSecValuePersistentRef: Data([1, 2]), kSecReturnData: true]).0 == errSecItemNotFound)
  }

  @Test func `an update changes all that match, and loses nothing where a name is taken`() {
    let keychain = TestKeychain()
    _ = keychain.add(password("a", [kSecValueData: Data("1".utf8)]))
    _ = keychain.add(password("b", [kSecValueData: Data("2".utf8)]))
    let all: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "service"]
    #expect(keychain.update(all, [kSecAttrLabel: "both"]) == errSecSuccess)
    #expect(keychain.copy(password("b", [kSecAttrLabel: "both", kSecReturnData: true])).1 as? Data == Data("2".utf8))
    #expect(keychain.update(password("a"), [kSecAttrAccount: "b"]) == errSecDuplicateItem)
    #expect(keychain.copy(password("a", [kSecReturnData: true])).1 as? Data == Data("1".utf8))
    #expect(keychain.update(password("a"), [kSecAttrAccount: "c", kSecValueData: Data("3".utf8)]) == errSecSuccess)
    #expect(keychain.copy(password("c", [kSecReturnData: true])).1 as? Data == Data("3".utf8))
    #expect(keychain.update(password("a"), [kSecAttrLabel: "x"]) == errSecItemNotFound)
  }

  @Test func `value and access control do not filter, accessibility does`() throws {
    let keychain = TestKeychain()
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
    _ = keychain.add(password("a", [kSecValueData: Data("1".utf8), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock]))
    #expect(keychain.copy(password("a", [kSecValueData: Data("x".utf8), kSecAttrAccessControl: control])).0 == errSecSuccess)
    #expect(keychain.copy(password("a", [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked])).0 == errSecItemNotFound)
    #expect(keychain.delete(password("a", [kSecAttrAccessible: kSecAttrAccessibleAlways])) == errSecItemNotFound)
    #expect(keychain.delete(password("a", [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock])) == errSecSuccess)
  }

  @Test func `where the owner must not be asked, guarded items fail, or are left out`() throws {
    let keychain = TestKeychain()
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .biometryAny, nil))
    _ = keychain.add(password("a", [kSecValueData: Data("1".utf8), kSecAttrAccessControl: control]))
    _ = keychain.add(password("b", [kSecValueData: Data("2".utf8)]))
    let fail: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail, kSecReturnData: true]
    let skip: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip, kSecReturnData: true]
    #expect(keychain.copy(password("a", fail)).0 == errSecInteractionNotAllowed)
    #expect(keychain.copy(password("a", skip)).0 == errSecItemNotFound)
    var all = skip
    all[kSecClass] = kSecClassGenericPassword
    all[kSecMatchLimit] = kSecMatchLimitAll
    #expect(keychain.copy(all).1 as? [Data] == [Data("2".utf8)])
    // Attributes are nobody's secret.
    #expect(keychain.copy(password("a", [kSecReturnAttributes: true, kSecUseNoAuthenticationUI: true])).0 == errSecSuccess)
  }

  @Test func `data as an account stays data, and what names say counts`() throws {
    let keychain = TestKeychain()
    let named: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: Data("key".utf8)]
    #expect(keychain.add(named.merging([kSecValueData: Data("1".utf8)]) { $1 }) == errSecSuccess)
    let given = keychain.copy(named.merging([kSecReturnAttributes: true]) { $1 }).1 as? [String: Any]
    #expect(given?[kSecAttrAccount as String] as? Data == Data("key".utf8))
    #expect(given?[kSecAttrService as String] as? String == "")
    #expect(keychain.copy([kSecClass: kSecClassGenericPassword, kSecAttrAccount: "key"]).0 == errSecSuccess)
    let raw: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: Data([0xFF, 0])]
    #expect(keychain.add(raw) == errSecSuccess && keychain.copy(raw).0 == errSecSuccess)
  }

  @Test func `a server's passwords are told apart by all that names them`() {
    let keychain = TestKeychain()
    func login(_ more: [CFString: Any]) -> [CFString: Any] {
      [kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrAccount: "ada"].merging(more) { $1 }
    }
    #expect(keychain.add(login([:])) == errSecSuccess)
    #expect(keychain.add(login([kSecAttrPort: 0, kSecAttrPath: ""])) == errSecDuplicateItem)
    #expect(keychain.add(login([kSecAttrPort: 443])) == errSecSuccess)
    #expect(keychain.add(login([kSecAttrPort: 443, kSecAttrProtocol: kSecAttrProtocolHTTPS])) == errSecSuccess)
    #expect(keychain.add(login([kSecAttrPath: "/a|b%"])) == errSecSuccess)
    let paths = keychain.copy(login([kSecAttrPath: "/a|b%", kSecReturnAttributes: true])).1 as? [String: Any]
    #expect(paths?[kSecAttrPath as String] as? String == "/a|b%")
    let some = keychain.copy(login([kSecAttrPort: 443, kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll])).1
    #expect((some as? NSArray)?.count == 2)
    #expect(keychain.delete(login([:])) == errSecSuccess)
    #expect(keychain.copy(login([:])).0 == errSecItemNotFound)
  }

  @Test func `what cannot be here is refused, or is not found`() throws {
    let keychain = TestKeychain()
    #expect(keychain.add(password("a", [kSecAttrAccessGroup: "T.group"])) == errSecMissingEntitlement)
    #expect(keychain.add(password("a", [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])) == errSecUnimplemented)
    for one in [kSecClassKey, kSecClassCertificate, kSecClassIdentity] {
      #expect(keychain.add([kSecClass: one]) == errSecUnimplemented)
      #expect(keychain.copy([kSecClass: one, kSecReturnRef: true]).0 == errSecItemNotFound)
      #expect(keychain.delete([kSecClass: one]) == errSecItemNotFound)
    }
    for flags: SecAccessControlCreateFlags in [.applicationPassword, .privateKeyUsage, .watch, [.biometryAny, .and, .watch]] {
      let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, flags, nil))
      #expect(keychain.add(password("a", [kSecAttrAccessControl: control])) == errSecUnimplemented)
    }
  }
}

private func == (one: (OSStatus, CFTypeRef?), other: (OSStatus, CFTypeRef?)) -> Bool { one.0 == other.0 && one.1 === other.1 }
