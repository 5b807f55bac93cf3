import Foundation
import Testing

@testable import Security

/// What Apple's keychain refuses in a dictionary, with the result that it gives.
@Suite struct QueryTests {
  private func status(_ query: CFDictionary, _ call: ItemQuery.Call = .copy) -> OSStatus {
    do throws(KeychainError) { _ = try ItemQuery(query, for: call, of: call == .change ? .genericPassword : nil) } catch {
      return error.status
    }
    return errSecSuccess
  }

  @Test func `a class is needed, and one that there is`() {
    #expect(status([:] as NSDictionary) == errSecParam)
    #expect(status([kSecClass: "none"] as NSDictionary) == errSecNoSuchClass)
    #expect(status([kSecClass: 1] as NSDictionary) == errSecParam)
    #expect(status([kSecClass: kSecClassKey, kSecAttrApplicationTag: Data()] as NSDictionary) == errSecSuccess)
  }

  @Test(
    arguments: [
      ("r_Data", 1 as any Sendable, errSecParam), ("r_Data", "yes", errSecParam), ("r_Else", true, errSecParam),
      ("m_Limit", "many", errSecParam), ("m_Limit", 0, errSecParam), ("m_Limit", true, errSecParam),
      ("m_Limit", 5, errSecSuccess),
      ("srvr", "example.com", errSecNoSuchAttr), ("abcd", "x", errSecNoSuchAttr), ("else", "x", errSecNoSuchAttr),
      ("other", "x", errSecParam), ("u_Else", true, errSecParam), ("u_AuthUI", "x", errSecParam), ("u_AuthCtx", "x", errSecParam),
      ("v_Else", Data(), errSecParam), ("v_Data", "text", errSecParam), ("v_Data", Data(count: 65_537), errSecDataTooLarge),
      ("acct", 7, errSecSuccess), ("acct", Data(), errSecSuccess), ("acct", ["a"], errSecParam), ("acct", Date(), errSecParam),
      ("pdmn", "xx", errSecParam), ("accc", "x", errSecParam), ("sync", "x", errSecParam), ("sync", 1, errSecSuccess),
      ("agrp", "T.x", errSecSuccess), ("vwht", "x", errSecSuccess), ("vwht", 1, errSecParam), ("agrp", 1, errSecParam),
      ("nleg", true, errSecSuccess),
      ("nleg", 1, errSecParam),
      ("cdat", "x", errSecParam), ("acct", Optional<String>.none as any Sendable, errSecParam),
      ("acls", "x", errSecUnimplemented),
    ] as [(String, any Sendable, OSStatus)])
  func `each key takes what belongs to it`(key: String, value: any Sendable, expected: OSStatus) {
    #expect(status([kSecClass: kSecClassGenericPassword, key: value] as NSDictionary) == expected, "\(key)")
  }

  @Test func `each call takes the keys that are for it`() {
    let base: [CFString: Any] = [kSecClass: kSecClassGenericPassword]
    func with(_ key: CFString, _ value: Any) -> CFDictionary { base.merging([key: value]) { $1 } as CFDictionary }
    for limit: Any in [kSecMatchLimitAll, kSecMatchLimitOne, 2] {
      #expect(status(with(kSecMatchLimit, limit), .delete) == errSecSuccess)
    }
    #expect(status(with(kSecMatchLimit, "many"), .delete) == errSecParam)
    #expect(status(with(kSecMatchCaseInsensitive, true), .delete) == errSecParam)
    #expect(status(with(kSecMatchLimit, kSecMatchLimitOne), .update) == errSecParam)
    #expect(status(with(kSecReturnData, true), .update) == errSecParam)
    #expect(status(with(kSecReturnData, false), .update) == errSecSuccess)
    #expect(status(with(kSecReturnData, true), .delete) == errSecSuccess)
    #expect(status([kSecReturnData: true] as NSDictionary, .change) == errSecNoSuchAttr)
    #expect(status([kSecClass: kSecClassGenericPassword] as NSDictionary, .change) == errSecNoSuchAttr)
    #expect(status([kSecMatchLimit: 1] as NSDictionary, .change) == errSecNoSuchAttr)
    #expect(status([kSecAttrLabel: "x", kSecValueData: Data()] as NSDictionary, .change) == errSecSuccess)
    #expect(status(with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip), .delete) == errSecParam)
    #expect(status(with(kSecUseAuthenticationUI, kSecUseAuthenticationUISkip), .copy) == errSecSuccess)
    #expect(status(with(kSecAttrSynchronizable, kSecAttrSynchronizableAny), .add) == errSecParam)
  }

  @Test func `access control stands alone`() throws {
    let control = try #require(SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, .userPresence, nil))
    let base: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: control]
    #expect(status(base as CFDictionary, .add) == errSecSuccess)
    let with = base.merging([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) { $1 }
    #expect(status(with as CFDictionary, .add) == errSecParam)
    #expect(status(base.merging([kSecAttrSynchronizable: true]) { $1 } as CFDictionary, .add) == errSecParam)
    // Nor is what stays on this device synchronizable.
    for protection in [
      kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      kSecAttrAccessibleAlwaysThisDeviceOnly, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
    ] {
      let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccessible: protection, kSecAttrSynchronizable: true,
      ]
      #expect(status(query as CFDictionary, .add) == errSecParam)
      #expect(status(query as CFDictionary, .copy) == errSecSuccess)
    }
    // An optional as it is often written.
    let optional: SecAccessControl? = control
    #expect(
      status([kSecClass: kSecClassGenericPassword, kSecAttrAccessControl: optional as Any] as NSDictionary, .add) == errSecSuccess
    )
  }

  @Test(
    arguments: [
      ([.or, .and], false), ([.biometryAny, .biometryCurrentSet], false), ([.userPresence, .biometryAny], false),
      ([.userPresence, .or, .devicePasscode], false), ([.userPresence, .applicationPassword], true), ([], true),
      ([.biometryAny, .or, .devicePasscode], true), ([.biometryCurrentSet, .devicePasscode], true),
      (SecAccessControlCreateFlags(rawValue: 4), false),
    ] as [(SecAccessControlCreateFlags, Bool)])
  func `flags that contradict each other make no access control`(flags: SecAccessControlCreateFlags, isMade: Bool) {
    var error: Unmanaged<CFError>?
    let control = SecAccessControlCreateWithFlags(kCFAllocatorDefault, kSecAttrAccessibleWhenUnlocked, flags, &error)
    #expect((control != nil) == isMade)
    #expect(error.map { CFErrorGetCode($0.takeRetainedValue()) } == (isMade ? nil : Int(errSecParam)))
    #expect(SecAccessControlCreateWithFlags(nil, "xx" as NSString, [], nil) == nil)
  }

  @Test func `a result is said in Apple's words`() {
    #expect(
      SecCopyErrorMessageString(errSecItemNotFound, nil) as String? == "The specified item could not be found in the keychain.")
    #expect(SecCopyErrorMessageString(-1, nil) as String? == "OSStatus -1")
  }
}
