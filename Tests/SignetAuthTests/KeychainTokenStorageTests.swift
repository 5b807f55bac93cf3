import Foundation
import Security
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct KeychainTokenStorageTests {
  /// What came and what it answers with: the dictionaries are looked at here, what becomes of them in `SecurityTests`.
  private final class Vault: Sendable {
    struct State {
      var statuses: [OSStatus] = []
      var calls: [String] = []
      var value: Data?
      var generic: Data?
      var accessControl: SecAccessControl?
      var service: String?
      var fingers = Data([1])
    }

    let state = Mutex(State())
    var calls: [String] { state.withLock { $0.calls } }

    private func enter(_ name: String, _ dictionary: CFDictionary) -> OSStatus {
      let fields = dictionary as? [String: Any] ?? [:]
      return state.withLock { state in
        state.calls.append(name)
        if let value = fields["\(kSecValueData)"] as? Data { state.value = value }
        // An update that is refused changes nothing.
        let isRefused = state.statuses.first.map { $0 != errSecSuccess } ?? false
        if !isRefused, let generic = fields["\(kSecAttrGeneric)"] as? Data { state.generic = generic }
        if let control = fields["\(kSecAttrAccessControl)"] as? SecAccessControl { state.accessControl = control }
        if let service = fields["\(kSecAttrService)"] as? String { state.service = service }
        return state.statuses.isEmpty ? errSecSuccess : state.statuses.removeFirst()
      }
    }

    var itemCalls: SecItemCalls {
      SecItemCalls(
        add: { self.enter("add", $0) },
        update: { query, changes in
          self.state.withLock { $0.service = (query as? [String: Any])?["\(kSecAttrService)"] as? String }
          return self.enter("update", changes)
        },
        delete: { self.enter("delete", $0) },
        copy: { query in
          let isForData = (query as? [String: Any])?["\(kSecReturnData)"] != nil
          let status = self.enter(isForData ? "copy" : "look", query)
          return self.state.withLock { state in
            guard status == errSecSuccess else { return (status, nil) }
            if isForData { return (status, state.value as NSData?) }
            return (status, ["\(kSecAttrGeneric)": state.generic ?? Data()] as NSDictionary)
          }
        })
    }
  }

  private let vault = Vault()
  private let key = TokenKey(service: "https://a.example", account: "alice", kind: .refresh)

  private func storage() -> KeychainTokenStorage {
    KeychainTokenStorage(
      access: KeychainTokenStorage.standardAccess, reason: "sign in",
      fingers: { [vault] in vault.state.withLock { $0.fingers } },
      calls: vault.itemCalls)
  }

  private func answer(_ statuses: OSStatus...) { vault.state.withLock { $0.statuses = statuses } }

  @Test func `what lives long is sealed for the enrolled fingers`() throws {
    answer(errSecItemNotFound)
    try storage().store(token: "t", for: key)
    #expect(vault.calls == ["update", "add"])
    let expected = try #require(
      SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil))
    vault.state.withLock { state in
      #expect(state.accessControl == expected && state.value == Data("t".utf8))
      #expect(state.service == "refresh https://a.example" && state.generic == Data([1]))
    }
  }

  @Test(arguments: [
    (TokenKind.refresh, true), (.session, true), (.deviceKey, true), (.registration, false), (.revocation, false),
  ])
  func `what is worth nothing by itself needs no finger`(kind: TokenKind, isSealed: Bool) {
    #expect(KeychainTokenStorage.standardAccess(kind) == (isSealed ? .biometryCurrentSet : []))
  }

  @Test func `a token is changed in one step where there is one`() throws {
    try storage().store(token: "t", for: key)
    #expect(vault.calls == ["update"])
  }

  @Test func `one that no finger opens any more gives way, one of a locked vault stays`() throws {
    try storage().store(token: "t", for: key)
    answer(errSecAuthFailed)
    #expect(throws: TokenStorageError.locked) { try storage().store(token: "u", for: key) }
    #expect(!vault.calls.contains("delete"))
    vault.state.withLock {
      $0.generic = Data([1])
      $0.fingers = Data([2])
      $0.calls = []
    }
    answer(errSecAuthFailed)
    try storage().store(token: "u", for: key)
    #expect(vault.calls == ["update", "look", "delete", "add"])
  }

  @Test func `what was stored is released, and nothing is nil`() throws {
    try storage().store(token: "t", for: key)
    #expect(try storage().retrieve(for: key) == "t")
    answer(errSecItemNotFound)
    #expect(try storage().retrieve(for: key) == nil)
    answer(errSecItemNotFound)
    try storage().delete(for: key)
  }

  @Test(
    arguments: [
      (errSecUserCanceled, TokenStorageError.cancelled), (errSecInteractionNotAllowed, .notInteractive),
      (errSecNotAvailable, .unavailable), (errSecDiskFull, .failed(status: errSecDiskFull)), (errSecAuthFailed, .locked),
    ])
  func `each refusal says what to do`(status: OSStatus, error: TokenStorageError) throws {
    try storage().store(token: "t", for: key)
    answer(status)
    #expect(throws: error) { try storage().retrieve(for: key) }
  }

  @Test func `changed fingers are told from a locked vault`() throws {
    try storage().store(token: "t", for: key)
    vault.state.withLock { $0.fingers = Data([2]) }
    answer(errSecAuthFailed)
    #expect(throws: TokenStorageError.fingersChanged) { try storage().retrieve(for: key) }
    #expect(vault.calls.last == "look")
  }

  @Test func `bytes that are no text are damaged`() throws {
    vault.state.withLock { $0.value = Data([0xFF]) }
    #expect(throws: TokenStorageError.damaged) { try storage().retrieve(for: key) }
  }
}
