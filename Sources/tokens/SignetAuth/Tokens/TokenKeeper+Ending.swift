extension TokenKeeper {
  /// Forgets what is in memory. The next refresh asks the storage, which asks for the finger.
  func lock() async {
    await storage.run { _ in
      let wasHeld = self.state.withLock { state in
        defer { state.forget() }
        state.locks += 1
        return state.held != nil
      }
      if wasHeld { self.broadcast.set(.loginRequired(.vaultLocked)) }
    }
  }

  /// Changes the tokens that go with requests, where the server sent others along with an answer.
  func replace(_ old: String, by new: TokenGrant) async {
    await storage.run { storage in
      let (held, signIn, generation) = self.state.withLock { ($0.held, $0.signIn, $0.generation) }
      guard let held, held.accessToken == old, let signIn else { return }
      _ = self.adopt(
        new, storage, following: (signIn, signIn.refreshToken),
        mayAdopt: { $0.generation == generation && $0.held?.accessToken == old })
    }
  }

  /// The server does not take what is held: it is erased.
  func refuse(_ rejected: String) async {
    let generation = state.withLock { $0.held?.accessToken == rejected ? $0.generation : nil }
    if let generation { await lose(.refusedByServer, generation, erasing: true) }
  }

  /// Signs out here: what is in memory and in the storage is gone.
  ///
  /// - Returns: the refresh token that the server should be told of; `isLost` where there was one that the storage did not release.
  func forget() async -> (token: String?, isLost: Bool, error: TokenStorageError?) {
    state.withLock { state in
      state.generation += 1
      state.logins += 1
    }
    return await storage.run { storage in
      let (held, signIn) = self.state.withLock { state in
        defer { state.forget() }
        return (state.held, state.signIn)
      }
      var token = signIn?.refreshToken
      var isLost = false
      if held == nil, signIn == nil {
        do throws(TokenStorageError) { token = try storage.released(for: self.key).map(StoredSignIn.init)?.refreshToken } catch {
          isLost = true
        }
      }
      defer { self.broadcast.set(.signedOut) }
      do throws(TokenStorageError) { try storage.erase(for: self.key) } catch { return (token, isLost, error) }
      return (token, isLost, nil)
    }
  }
}
