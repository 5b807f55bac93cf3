/// Keeps rights of this program's beyond its end, each under a name, with a secret that the right releases.
///
/// A right that is saved is an item of the vault, which asks for what the right's requirement says. Any thread may use it.
public final class LARightStore: NSObject, Sendable {
  public static let shared = LARightStore()

  private override init() { super.init() }

  /// The right that was saved under this name; throws `errSecItemNotFound` where there is none.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await onOwnThread { try LAPersistedRight(identifier) }
  }

  /// Saves a right, with a secret that it releases once the owner has allowed it.
  ///
  /// - Throws: `errSecDuplicateItem` where there is one of this name.
  @discardableResult
  public func saveRight(_ right: LARight, identifier: String, secret: Data = Data()) async throws -> LAPersistedRight {
    guard let control = right.requirement.accessControl else { throw LAError(.notInteractive) }
    return try await onOwnThread {
      let item: [CFString: Any] = unsafe [kSecAttrAccessControl: control, kSecValueData: Data([RightItem.form]) + secret]
      try RightItem.check(SecItemAdd(RightItem.query(identifier).merging(item) { $1 } as CFDictionary, nil))
      // One of a right of this name that is gone otherwise.
      try RightKey.remove(identifier)
      return try LAPersistedRight(identifier)
    }
  }

  public func removeRight(_ right: LAPersistedRight) async throws { try await removeRight(forIdentifier: right.identifier) }

  public func removeRight(forIdentifier identifier: String) async throws {
    try await onOwnThread {
      try RightItem.check(SecItemDelete(RightItem.query(identifier) as CFDictionary))
      try RightKey.remove(identifier)
    }
  }

  /// Removes all of this program's; none is no error.
  public func removeAllRights() async throws {
    try await onOwnThread {
      let status = SecItemDelete(RightItem.query() as CFDictionary)
      if status != errSecItemNotFound { try RightItem.check(status) }
      try RightKey.remove()
    }
  }
}

/// A right that is kept in the vault, until it is removed.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  let identifier: String

  /// What the right releases.
  public var secret: LASecret { LASecret(self) }

  /// A key that the right releases, and nobody else has.
  public var key: LAPrivateKey { LAPrivateKey(self) }

  fileprivate init(_ identifier: String) throws {
    self.identifier = identifier
    var found: CFTypeRef?
    let query = unsafe RightItem.query(identifier).merging([kSecReturnAttributes: true]) { $1 }
    try RightItem.check(unsafe SecItemCopyMatching(query as CFDictionary, &found))
    let attributes = found as? NSDictionary
    guard let control = unsafe attributes?[kSecAttrAccessControl] as? SecAccessControl else { throw LAError(.invalidContext) }
    super.init(requirement: LAAuthenticationRequirement(control.flags))
  }

  /// signetd judges: what it releases the item for is what allows the right.
  override func prove(_ reason: String, in context: LAContext, _ reply: @escaping @Sendable ((any Error)?) -> Void) {
    if reason.isEmpty { fatalError("Non-empty localizedReason must be provided.") }
    OwnThread.run(
      { [identifier] in
        context.localizedReason = reason
        do {
          _ = try RightItem.value(identifier, context)
          reply(nil)
        } catch { reply(error) }
      }, orElse: { reply(LAError(.systemCancel)) })
  }
}

/// What a right releases.
public final class LASecret: NSObject, Sendable {
  private let right: LAPersistedRight

  fileprivate init(_ right: LAPersistedRight) { self.right = right }

  /// The secret. Asks for nothing: it throws `LAError.notInteractive` where the right is not authorized, or no more, as five minutes after
  /// it was. Then it can be authorized again.
  public func loadData() async throws -> Data {
    guard right.state == .authorized else { throw LAError(.notInteractive) }
    let (identifier, context) = (right.identifier, right.context)
    do { return try await onOwnThread { try RightItem.value(identifier, context, mayAsk: false) } } catch {
      right.takeBack()
      throw error
    }
  }
}

/// How a right is kept.
enum RightItem {
  /// Stands before the secret, so that a right without one has a value, too.
  static let form: UInt8 = 1

  /// One of this program's rights, or all of them: names are a user's, and two programs may think of the same.
  static func query(_ identifier: String? = nil) -> [CFString: Any] {
    let all: [CFString: Any] = unsafe [kSecClass: kSecClassGenericPassword, kSecAttrService: "LARight \(AccessGroup.own)"]
    return identifier.map { unsafe all.merging([kSecAttrAccount: $0]) { $1 } } ?? all
  }

  static func value(_ identifier: String, _ context: LAContext, mayAsk: Bool = true) throws -> Data {
    var found: CFTypeRef?
    let more: [CFString: Any] = unsafe [
      kSecReturnData: true, kSecUseAuthenticationContext: context,
      kSecUseAuthenticationUI: mayAsk ? kSecUseAuthenticationUIAllow : kSecUseAuthenticationUIFail,
    ]
    try check(unsafe SecItemCopyMatching(query(identifier).merging(more) { $1 } as CFDictionary, &found))
    guard let data = found as? Data, data.first == form else { throw LAError(.invalidContext) }
    return data.dropFirst()
  }

  /// An evaluation's end has the error that it has elsewhere; anything else the keychain's.
  static func check(_ status: OSStatus) throws {
    switch status {
    case errSecSuccess: return
    case errSecUserCanceled: throw LAError(.userCancel)
    case errSecAuthFailed: throw LAError(.authenticationFailed)
    case errSecInteractionNotAllowed: throw LAError(.notInteractive)
    default: throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
    }
  }
}

/// The keychain's calls wait for the owner; no thread for tasks does.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    OwnThread.run(
      { continuation.resume(with: Result(catching: body)) }, orElse: { continuation.resume(throwing: LAError(.systemCancel)) })
  }
}
