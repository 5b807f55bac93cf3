import Foundation
import SignetVocabulary
import Testing

@testable import Security

/// Where iOS, macOS's data protection keychain and its files differ, or where most programs never look: each as code for several
/// of them expects it.
@Suite struct PortableTests {
  private let keychain = TestKeychain()

  private func password(_ account: String, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
    [kSecClass: kSecClassGenericPassword, kSecAttrService: "service", kSecAttrAccount: account].merging(more) { $1 }
  }

  private let all: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "service"]

  private func accounts(_ query: [CFString: Any]) -> [String] {
    let given = keychain.copy(query.merging([kSecReturnAttributes: true]) { $1 }).1
    let rows = given as? [[String: Any]] ?? (given as? [String: Any]).map { [$0] } ?? []
    return rows.compactMap { $0[kSecAttrAccount as String] as? String }
  }

  private func fill(_ accounts: String...) {
    for account in accounts { #expect(keychain.add(password(account, [kSecValueData: Data(account.utf8)])) == errSecSuccess) }
  }

  private var every: [CFString: Any] { all.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 } }

  // MARK: Limits

  @Test func `a deletion takes all that match, as on iOS, or as many as macOS's limit says`() {
    fill("a", "b", "c", "d")
    #expect(keychain.delete(all.merging([kSecMatchLimit: kSecMatchLimitOne]) { $1 }) == errSecSuccess)
    #expect(accounts(every) == ["b", "c", "d"])
    #expect(keychain.delete(all.merging([kSecMatchLimit: 2]) { $1 }) == errSecSuccess)
    #expect(accounts(every) == ["d"])
    fill("e")
    #expect(keychain.delete(every) == errSecSuccess)
    #expect(keychain.delete(every) == errSecItemNotFound)
    fill("f", "g")
    #expect(keychain.delete(all) == errSecSuccess)
    #expect(accounts(every) == [])
  }

  @Test func `a limit of several gives an array of no more`() {
    fill("c", "a", "b")
    #expect(accounts(all.merging([kSecMatchLimit: 2]) { $1 }) == ["c", "a"])
    #expect(accounts(all.merging([kSecMatchLimit: 5]) { $1 }) == ["c", "a", "b"])
    let one = keychain.copy(all.merging([kSecMatchLimit: 1, kSecReturnData: true]) { $1 }).1
    #expect(one as? Data == Data("c".utf8))
    let two = keychain.copy(all.merging([kSecMatchLimit: 2, kSecReturnData: true]) { $1 }).1
    #expect(two as? [Data] == [Data("c".utf8), Data("a".utf8)])
  }

  @Test func `items come in the order in which they were stored, and an update leaves them in it`() throws {
    let names = (0..<20).map { "\(($0 * 7) % 20)" }
    for name in names { #expect(keychain.add(password(name)) == errSecSuccess) }
    #expect(accounts(every) == names)
    #expect(keychain.update(password(names[0]), [kSecAttrLabel: "x"]) == errSecSuccess)
    #expect(accounts(every) == names)
    // No program sees when, but for whole seconds.
    let one = try #require(keychain.copy(password(names[0], [kSecReturnAttributes: true])).1 as? [String: Any])
    #expect(!one.keys.contains { $0.hasPrefix("-") })
  }

  // MARK: Updates

  @Test func `an update of several changes all or none`() {
    fill("a", "b", "c")
    #expect(keychain.update(all, [kSecAttrAccount: "same", kSecAttrLabel: "x"]) == errSecDuplicateItem)
    #expect(accounts(every) == ["a", "b", "c"])
    #expect(accounts(every.merging([kSecAttrLabel: "x"]) { $1 }) == [])
    // One that fails in the middle, which nothing told of before.
    keychain.failingUpdate = 3
    #expect(keychain.update(all, [kSecAttrLabel: "y", kSecValueData: Data("new".utf8)]) == errSecDiskFull)
    keychain.failingUpdate = nil
    #expect(accounts(every.merging([kSecAttrLabel: "y"]) { $1 }) == [])
    for name in ["a", "b", "c"] {
      #expect(keychain.copy(password(name, [kSecReturnData: true])).1 as? Data == Data(name.utf8))
    }
  }

  @Test func `new data of a guarded item takes the proof that reading it takes`() throws {
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
    _ = keychain.add(password("a", [kSecValueData: Data("1".utf8), kSecAttrAccessControl: control]))
    let silent = password("a", [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail])
    #expect(keychain.update(silent, [kSecValueData: Data("2".utf8)]) == errSecInteractionNotAllowed)
    #expect(keychain.update(silent, [kSecAttrLabel: "x"]) == errSecInteractionNotAllowed)
    #expect(keychain.copy(password("a", [kSecReturnData: true])).1 as? Data == Data("1".utf8))
    #expect(keychain.update(password("a"), [kSecValueData: Data("2".utf8)]) == errSecSuccess)
    #expect(keychain.copy(password("a", [kSecReturnData: true])).1 as? Data == Data("2".utf8))
    // Whoever deletes it proves nothing.
    #expect(keychain.delete(silent) == errSecSuccess)
  }

  // MARK: Synchronizable items

  @Test func `an item that may go to other devices is another one than that which may not`() {
    let synchronizable: [CFString: Any] = [kSecAttrSynchronizable: true]
    let any: [CFString: Any] = [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
    #expect(keychain.add(password("a", [kSecValueData: Data("here".utf8)])) == errSecSuccess)
    #expect(keychain.add(password("a", synchronizable.merging([kSecValueData: Data("there".utf8)]) { $1 })) == errSecSuccess)
    #expect(keychain.add(password("a", synchronizable)) == errSecDuplicateItem)
    func value(_ more: [CFString: Any]) -> Data? {
      keychain.copy(password("a", more.merging([kSecReturnData: true]) { $1 })).1 as? Data
    }
    #expect(value([:]) == Data("here".utf8))
    #expect(value([kSecAttrSynchronizable: false]) == Data("here".utf8))
    #expect(value(synchronizable) == Data("there".utf8))
    #expect(accounts(every.merging(any) { $1 }).count == 2)
    #expect(accounts(every).count == 1)
    let row = keychain.copy(password("a", synchronizable.merging([kSecReturnAttributes: true]) { $1 })).1 as? [String: Any]
    #expect(row?[kSecAttrSynchronizable as String] as? Bool == true)
    #expect(keychain.delete(password("a")) == errSecSuccess)
    #expect(value([:]) == nil && value(any) == Data("there".utf8))
    #expect(keychain.update(password("a"), [kSecAttrLabel: "x"]) == errSecItemNotFound)
    #expect(keychain.update(password("a", any), [kSecValueData: Data("new".utf8)]) == errSecSuccess)
    #expect(value(synchronizable) == Data("new".utf8))
    // From one kind to the other, and back.
    #expect(keychain.update(password("a", any), [kSecAttrSynchronizable: false]) == errSecSuccess)
    #expect(value([:]) == Data("new".utf8) && value(synchronizable) == nil)
    #expect(keychain.add(password("a", synchronizable)) == errSecSuccess)
    #expect(keychain.update(password("a"), [kSecAttrSynchronizable: true]) == errSecDuplicateItem)
    #expect(keychain.delete(password("a", any)) == errSecSuccess)
    #expect(accounts(every.merging(any) { $1 }) == [])
  }

  @Test func `a guarded item cannot become synchronizable, and a reference finds either kind`() throws {
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
    _ = keychain.add(password("a", [kSecAttrAccessControl: control]))
    #expect(keychain.update(password("a"), [kSecAttrSynchronizable: true]) == errSecParam)
    for isSynchronizable in [false, true] {
      let server: [CFString: Any] = [
        kSecClass: kSecClassInternetPassword, kSecAttrServer: "example.com", kSecAttrAccount: "a",
        kSecAttrSynchronizable: isSynchronizable, kSecValueData: Data("\(isSynchronizable)".utf8), kSecReturnPersistentRef: true,
      ]
      let reference = try #require(keychain.adding(server).1 as? Data)
      let value = keychain.copy([kSecValuePersistentRef: reference, kSecReturnData: true]).1
      #expect(value as? Data == Data("\(isSynchronizable)".utf8))
    }
  }

  // MARK: Access groups

  @Test func `each program has a group of its own, and may name no other`() throws {
    fill("a")
    let row = try #require(keychain.copy(password("a", [kSecReturnAttributes: true])).1 as? [String: Any])
    let group = try #require(row[kSecAttrAccessGroup as String] as? String)
    #expect(group == AccessGroup.own && !group.isEmpty)
    let own: [CFString: Any] = [kSecAttrAccessGroup: group]
    #expect(keychain.copy(password("a", own)).0 == errSecSuccess)
    #expect(keychain.add(password("b", own)) == errSecSuccess)
    #expect(keychain.update(password("b", own), own) == errSecSuccess)
    #expect(accounts(every.merging(own) { $1 }) == ["a", "b"])
    let other: [CFString: Any] = [kSecAttrAccessGroup: "TEAM.shared"]
    #expect(keychain.add(password("c", other)) == errSecMissingEntitlement)
    #expect(keychain.copy(password("a", other)).0 == errSecMissingEntitlement)
    #expect(keychain.update(password("a", other), [kSecAttrLabel: "x"]) == errSecMissingEntitlement)
    #expect(keychain.update(password("a"), other) == errSecMissingEntitlement)
    #expect(keychain.delete(password("a", other)) == errSecMissingEntitlement)
    #expect(keychain.copy(password("a", [kSecAttrAccessGroup: kSecAttrAccessGroupToken])).0 == errSecItemNotFound)
    #expect(keychain.delete(password("b", own)) == errSecSuccess)
  }

  @Test func `what another program stored is in its group`() {
    keychain.creator = "/usr/bin/other"
    fill("a")
    keychain.creator = AccessGroup.own + " (unit.service)"
    fill("b")
    #expect(accounts(every.merging([kSecAttrAccessGroup: "/usr/bin/other"]) { $1 }) == ["a"])
    #expect(accounts(every.merging([kSecAttrAccessGroup: AccessGroup.own]) { $1 }) == ["b"])
    // Whoever asks for none is told of all; who may read what is not a matter of names.
    #expect(accounts(every) == ["a", "b"])
  }

  // MARK: Dictionaries

  @Test func `what is given is found by strings of either kind, in dictionaries of any`() throws {
    fill("a")
    let given = keychain.copy(password("a", [kSecReturnAttributes: true, kSecReturnData: true])).1
    let any = try #require(given as? [AnyHashable: Any])
    #expect(any[kSecAttrAccount] as? String == "a" && any["acct"] as? String == "a" && any[kSecValueData] as? Data != nil)
    let bridged = try #require(given as? NSDictionary)
    #expect(bridged[kSecAttrAccount] as? String == "a" && bridged["acct"] as? String == "a")
    let strings = try #require(given as? [CFString: Any])
    #expect(strings[kSecAttrAccount] as? String == "a")
    #expect(Set<AnyHashable>([kSecAttrAccount, "acct", "acct" as NSString]).count == 1)
    #expect(AnyHashable(kSecAttrAccount) as? NSString == "acct" && AnyHashable(kSecAttrAccount) as? String == "acct")
    #expect((AnyHashable(kSecAttrAccount) == AnyHashable(1)) == false)
  }
}
