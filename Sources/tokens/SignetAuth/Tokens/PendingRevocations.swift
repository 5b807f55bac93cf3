import SignetJWT

/// Refresh tokens that were signed out of while their server could not be reached.
struct PendingRevocations: Sendable {
  /// The most that are remembered; of more, the oldest expire by themselves.
  static let maximumCount = 16

  let key: TokenKey

  init(_ key: TokenKey) { self.key = TokenKey(service: key.service, account: key.account, kind: .revocation) }

  /// - Throws: `TokenStorageError` where it cannot be known which there are.
  func tokens(in storage: any TokenStorage) throws(TokenStorageError) -> [String] {
    guard let text = try storage.released(for: key), let tokens = try? JSONReader.value(Array(text.utf8), limit: 1 << 20).strings
    else { return [] }
    return tokens
  }

  /// - Throws: `TokenStorageError`.
  func set(_ tokens: [String], in storage: any TokenStorage) throws(TokenStorageError) {
    guard !tokens.isEmpty else { return try storage.erase(for: key) }
    let last = tokens.suffix(PendingRevocations.maximumCount)
    try storage.keep(String(decoding: JSONValue.array(last.map { .string($0) }).encoded, as: UTF8.self), for: key)
  }
}

extension TokenKeeper {
  /// Signs out here, then at the server. Where that cannot be reached the token is remembered for `revokePending`.
  ///
  /// - Throws: `AuthError.notRevoked`, or `storage` where what is stored could not be erased.
  func signOut(host: String) async throws(AuthError) {
    let (token, isLost, failure) = await forget()
    if let token {
      do { try await issuer.revoke(token) } catch let error as AuthError where error.isForGood {
        // It cannot be told later, either: the token lives until it expires.
        throw .notRevoked(host: host)
      } catch {
        await storage.run { [key] storage in
          let pending = PendingRevocations(key)
          try? pending.set(((try? pending.tokens(in: storage)) ?? []) + [token], in: storage)
        }
        throw .notRevoked(host: host)
      }
    }
    if let failure { throw .storage(failure) }
    // What the storage did not release nobody can name to the server.
    if isLost { throw .notRevoked(host: host) }
  }

  /// Tells the server of what it could not be told before.
  ///
  /// - Returns: how many are left; 1 where that cannot be known.
  func revokePending() async -> Int {
    let pending = PendingRevocations(key)
    guard let tokens = await storage.run({ try? pending.tokens(in: $0) }) else { return 1 }
    var left: [String] = []
    for token in tokens {
      do { try await issuer.revoke(token) } catch let error as AuthError where error.isForGood {
        // Asked again, it would refuse again.
      } catch { left.append(token) }
    }
    await storage.run { [left] storage in
      let later = ((try? pending.tokens(in: storage)) ?? []).filter { !tokens.contains($0) }
      try? pending.set(left + later, in: storage)
    }
    return left.count
  }
}
