import Foundation
import Testing

@testable import Security

/// PORTING.md's table of what differs between iOS, macOS and here: what it says of here is what is done, row by row.
@Suite struct DifferenceTableTests {
  /// The last cell of each row by the first.
  private static let rows: [String: String] = {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let text = try! String(contentsOf: root.appending(path: "Sources/applications/PORTING.md"), encoding: .utf8)
    let lines = text.components(separatedBy: "## iOS, macOS and here")[1].split(separator: "\n").filter { $0.hasPrefix("|") }
    let cells = lines.dropFirst(2).map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return Dictionary(uniqueKeysWithValues: cells.map { ($0[0], $0[3]) })
  }()

  private let keychain = TestKeychain()
  private let all: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "service"]
  private var every: [CFString: Any] { all.merging([kSecMatchLimit: kSecMatchLimitAll]) { $1 } }

  private func password(_ account: String, _ more: [CFString: Any] = [:]) -> [CFString: Any] {
    all.merging([kSecAttrAccount: account, kSecValueData: Data(account.utf8)].merging(more) { $1 }) { $1 }
  }

  private func query(_ more: [CFString: Any]) -> [CFString: Any] { all.merging(more) { $1 } }
  private func count(_ more: [CFString: Any] = [:]) -> Int {
    (keychain.copy(every.merging([kSecReturnAttributes: true]) { $1 }.merging(more) { $1 }).1 as? NSArray)?.count ?? 0
  }

  /// What is done for a row: what is said of it here, as far as that is a number.
  private typealias Check = @Sendable (DifferenceTableTests) throws -> [OSStatus]

  private static let checks: [String: Check] = [
    "`SecItemDelete` of several": {
      [$0.keychain.delete($0.all), OSStatus($0.count())]
    },
    "`SecItemDelete` with `kSecMatchLimit`": {
      [$0.keychain.delete($0.query([kSecMatchLimit: 2])), OSStatus($0.count() - 1)]
    },
    "other `kSecMatch` keys in `SecItemDelete`": { [$0.keychain.delete($0.query([kSecMatchCaseInsensitive: true]))] },
    "`SecItemUpdate` with a `kSecMatch` key": {
      [$0.keychain.update($0.query([kSecMatchLimit: kSecMatchLimitAll]), [kSecAttrLabel: "x"])]
    },
    "`kSecMatchLimitAll` with `kSecReturnData`": {
      let (status, found) = $0.keychain.copy($0.every.merging([kSecReturnData: true]) { $1 })
      return [status, OSStatus((found as? [Data])?.count ?? 0) - 3]
    },
    "`kSecMatchLimit` of 2 or more": {
      let (status, found) = $0.keychain.copy($0.query([kSecMatchLimit: 2, kSecReturnData: true]))
      return [status, OSStatus((found as? [Data])?.count ?? 0) - 2]
    },
    "`kSecAttrSynchronizable` without iCloud": {
      let other: [CFString: Any] = [kSecAttrSynchronizable: true]
      return [$0.keychain.add($0.password("a", other)), OSStatus($0.count() - 3), OSStatus($0.count(other) - 1)]
    },
    "`kSecAttrSynchronizable` with `ThisDeviceOnly` or an access control": { test in
      let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil)!
      let bounds: [[CFString: Any]] = [
        [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly], [kSecAttrAccessControl: control],
      ]
      return bounds.map { bound in
        test.keychain.add(test.password("d", bound.merging([kSecAttrSynchronizable: true]) { $1 }))
      }
    },
    "no access group": { [OSStatus($0.count([kSecAttrAccessGroup: AccessGroup.own]) - 3)] },
    "another program's access group": { test in
      test.keychain.creator = "/usr/bin/other"
      #expect(test.keychain.add(test.password("d")) == errSecSuccess)
      #expect(test.count([kSecAttrAccessGroup: "/usr/bin/other"]) == 1)
      return [test.keychain.copy(test.query([kSecAttrAccessGroup: "TEAM.other"])).0]
    },
    "`kSecAttrAccessible`": {
      [
        OSStatus($0.count([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) - 3),
        OSStatus($0.count([kSecAttrAccessible: kSecAttrAccessibleAlways])),
      ]
    },
    "`kSecUseDataProtectionKeychain`": { [OSStatus($0.count([kSecUseDataProtectionKeychain: true]) - 3)] },
    "`kSecAttrAccess`, `kSecUseKeychain`, `kSecUseItemList`": { test in
      let all = [kSecAttrAccess, kSecUseKeychain, kSecUseItemList].map { test.keychain.copy(test.query([$0: "x"])).0 }
      #expect(Set(all).count == 1)
      return all
    },
    "new data of an item with an access control": { test in
      try test.guarded { test.keychain.update($0, [kSecValueData: Data("new".utf8)]) }
    },
    "deletion of an item with an access control": { test in
      try test.guarded { test.keychain.delete($0) }
    },
  ]

  /// What a call answers for an item that asks for something, where nobody may be asked.
  private func guarded(_ call: ([CFString: Any]) -> OSStatus) throws -> [OSStatus] {
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
    #expect(keychain.add(password("d", [kSecAttrAccessControl: control])) == errSecSuccess)
    let silent: [CFString: Any] = [kSecAttrAccount: "d", kSecUseAuthenticationUI: kSecUseAuthenticationUIFail]
    return [call(all.merging(silent) { $1 })]
  }

  /// What the words of a row mean that has no number.
  private static func wanted(_ said: String) -> OSStatus {
    if said == "takes the proof" { return errSecInteractionNotAllowed }
    return said.hasPrefix("-") ? OSStatus(said.prefix { $0 == "-" || $0.isNumber }) ?? 1 : errSecSuccess
  }

  @Test func `each row of the table is looked at, and no other is`() {
    #expect(Set(Self.rows.keys) == Set(Self.checks.keys))
  }

  @Test(arguments: rows.keys.sorted()) func `what is said of here is what is done`(row: String) throws {
    let check = try #require(Self.checks[row])
    for account in ["a", "b", "c"] { #expect(keychain.add(password(account)) == errSecSuccess) }
    let wanted = Self.wanted(try #require(Self.rows[row]))
    for status in try check(self) { #expect(status == wanted, "\(row): \(status)") }
  }
}
