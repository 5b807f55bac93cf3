import LocalAuthentication
import Security

/// Keeps tokens in the owner's vault, through the module `Security`. What lives long is released for a finger of those that were
/// enrolled when it was stored, and for nothing else.
public struct KeychainTokenStorage: TokenStorage {
  private let access: @Sendable (TokenKind) -> SecAccessControlCreateFlags
  private let reason: String
  private let fingers: @Sendable () -> Data?
  private let calls: SecItemCalls

  /// - Parameters:
  ///   - access: what the owner proves to have a token of this kind released.
  ///   - reason: what the owner is told when they are asked.
  public init(
    access: @escaping @Sendable (TokenKind) -> SecAccessControlCreateFlags = KeychainTokenStorage.standardAccess,
    reason: String = "sign in"
  ) {
    self.init(access: access, reason: reason, fingers: KeychainTokenStorage.enrolledFingers, calls: SecItemCalls())
  }

  init(
    access: @escaping @Sendable (TokenKind) -> SecAccessControlCreateFlags, reason: String,
    fingers: @escaping @Sendable () -> Data?, calls: SecItemCalls
  ) {
    self.access = access
    self.reason = reason
    self.fingers = fingers
    self.calls = calls
  }

  /// `biometryCurrentSet` for what lives long; nothing for what is worth nothing by itself.
  @Sendable public static func standardAccess(_ kind: TokenKind) -> SecAccessControlCreateFlags {
    switch kind {
    case .refresh, .session, .deviceKey: .biometryCurrentSet
    // A revocation must be possible without its owner, and a registration is no secret by itself.
    case .registration, .revocation: []
    }
  }

  /// What stands for the set of enrolled fingers.
  @Sendable private static func enrolledFingers() -> Data? {
    let context = LAContext()
    _ = unsafe context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
    return context.evaluatedPolicyDomainState
  }

  // Apple's keys are global variables of a class that Swift cannot tell to be immutable. Nothing changes them: that is the
  // `unsafe` below.

  private func name(_ key: TokenKey) -> [CFString: Any] {
    unsafe [
      kSecClass: kSecClassGenericPassword, kSecAttrService: "\(key.kind.rawValue) \(key.service)", kSecAttrAccount: key.account,
    ]
  }

  public func store(token: String, for key: TokenKey) throws {
    let attributes = try attributes(token, key)
    var status = calls.update(name(key) as CFDictionary, attributes as CFDictionary)
    // One that nobody can open any more is no reason to keep it.
    if status == errSecAuthFailed, haveFingersChanged(key) {
      status = calls.delete(name(key) as CFDictionary) == errSecSuccess ? errSecItemNotFound : status
    }
    if status == errSecItemNotFound { status = calls.add(name(key).merging(attributes) { $1 } as CFDictionary) }
    try check(status, key)
  }

  private func attributes(_ token: String, _ key: TokenKey) throws(TokenStorageError) -> [CFString: Any] {
    let flags = access(key.kind)
    guard
      let control = unsafe SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, flags, nil)
    else { throw .failed(status: errSecParam) }
    var attributes: [CFString: Any] = unsafe [kSecValueData: Data(token.utf8), kSecAttrAccessControl: control]
    // So that it can be said later why it does not open.
    if flags.contains(.biometryCurrentSet), let fingers = fingers() { unsafe attributes[kSecAttrGeneric] = fingers }
    return attributes
  }

  public func retrieve(for key: TokenKey) throws -> String? {
    let query = unsafe name(key).merging([kSecReturnData: true, kSecUseOperationPrompt: reason]) { $1 }
    let (status, value) = calls.copy(query as CFDictionary)
    guard status != errSecItemNotFound else { return nil }
    try check(status, key)
    guard let data = value as? Data, let token = String(validating: data, as: UTF8.self) else { throw TokenStorageError.damaged }
    return token
  }

  public func delete(for key: TokenKey) throws {
    let status = calls.delete(name(key) as CFDictionary)
    guard status != errSecItemNotFound else { return }
    try check(status, key)
  }

  private func check(_ status: OSStatus, _ key: TokenKey) throws(TokenStorageError) {
    switch status {
    case errSecSuccess: return
    case errSecAuthFailed: throw haveFingersChanged(key) ? .fingersChanged : .locked
    case errSecUserCanceled: throw .cancelled
    case errSecInteractionNotAllowed: throw .notInteractive
    case errSecNotAvailable: throw .unavailable
    default: throw .failed(status: status)
    }
  }

  /// Of an item that does not open the vault says only that. What it was stored for can be read without opening it.
  private func haveFingersChanged(_ key: TokenKey) -> Bool {
    let query = unsafe name(key).merging([kSecReturnAttributes: true]) { $1 }
    let (status, found) = calls.copy(query as CFDictionary)
    guard status == errSecSuccess, let attributes = found as? [String: Any], let now = fingers(),
      let then = unsafe attributes["\(kSecAttrGeneric)"] as? Data
    else { return false }
    return then != now
  }
}

/// The calls of `Security`, which need signetd.
struct SecItemCalls: Sendable {
  var add: @Sendable (CFDictionary) -> OSStatus = { SecItemAdd($0, nil) }
  var update: @Sendable (CFDictionary, CFDictionary) -> OSStatus = { SecItemReplace($0, $1) }
  var delete: @Sendable (CFDictionary) -> OSStatus = { SecItemDelete($0) }
  var copy: @Sendable (CFDictionary) -> (OSStatus, CFTypeRef?) = { query in
    var found: CFTypeRef?
    let status = unsafe SecItemCopyMatching(query, &found)
    return (status, found)
  }
}
