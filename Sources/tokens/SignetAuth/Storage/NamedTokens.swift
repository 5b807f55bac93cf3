extension TokenKey {
  /// A token that has a name and nothing else. How long it lives is not known, so it is kept as what lives long.
  public init(_ name: String) { self.init(service: "", account: name, kind: .refresh) }

  /// The name, for a storage that has names alone.
  fileprivate var name: String { service.isEmpty ? account : "\(kind.rawValue) \(service) \(account)" }
}

extension TokenStorage {
  public func store(token: String, for name: String) throws { try store(token: token, for: TokenKey(name)) }
  public func retrieve(for name: String) throws -> String? { try retrieve(for: TokenKey(name)) }
  public func delete(for name: String) throws { try delete(for: TokenKey(name)) }
}

// For a storage that implements `store` and `retrieve` by names, and nothing more.
extension TokenStorage {
  @available(*, deprecated, message: "a name does not say what has to be protected how: implement it for a TokenKey")
  public func store(token: String, for key: TokenKey) throws { try store(token: token, for: name(key)) }

  @available(*, deprecated, message: "a name does not say what has to be protected how: implement it for a TokenKey")
  public func retrieve(for key: TokenKey) throws -> String? {
    let token = try retrieve(for: name(key))
    return token?.isEmpty == true ? nil : token
  }

  /// Writes over the token.
  @available(*, deprecated, message: "the name stays behind, with an empty token: implement it for a TokenKey")
  public func delete(for key: TokenKey) throws {
    if try retrieve(for: key.name) != nil { try store(token: "", for: key.name) }
  }

  /// - Throws: `TokenStorageError.unavailable` for a name alone: then neither kind is implemented, and each would call the other.
  private func name(_ key: TokenKey) throws(TokenStorageError) -> String {
    guard !key.service.isEmpty else { throw .unavailable }
    return key.name
  }
}

extension TokenStorageError {
  /// For a storage that has no more to say.
  public static var storeFailed: TokenStorageError { .unavailable }

  /// For `catch TokenStorageError.storeFailed`.
  public static func ~= (pattern: TokenStorageError, error: any Error) -> Bool { error as? TokenStorageError == pattern }
}
