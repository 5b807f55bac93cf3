/// Signs in by the provider's page in a browser (RFC 6749, 4.1; RFC 7636; RFC 8252).
struct AuthorizationCodeFlow: Sendable {
  let client: OAuth2Client
  let endpoint: TokenEndpoint
  let browser: any BrowserOpener
  let callback: AwaitedCallback
  /// How long the owner may take.
  let signInTimeout: Duration
  let clock: any Clock<Duration>

  /// - Returns: the tokens, and the nonce that the ID token must have.
  func run() async throws(AuthError) -> (TokenResponse, nonce: String) {
    let metadata = try await endpoint.provider.metadata()
    let listener = try LoopbackListener(port: client.redirectPort, host: endpoint.provider.host)
    let result: Result<(TokenResponse, nonce: String), AuthError>
    do throws(AuthError) { result = .success(try await run(listener, metadata)) } catch { result = .failure(error) }
    await listener.close()
    return try result.get()
  }

  private func run(
    _ listener: LoopbackListener, _ metadata: ProviderMetadata
  ) async throws(AuthError) -> (TokenResponse, nonce: String) {
    let host = endpoint.provider.host
    let request = AuthorizationRequest(metadata: metadata, client: client, redirect: listener.redirect)
    let page = try listener.begin(leadingTo: request.url().description) { fields in
      // What answers another request, or comes from elsewhere, does not end this one. Some refuse without a state (against RFC 6749,
      // 4.1.2.1): it is this browser that brings it, and it can end the waiting and nothing else.
      guard let state = fields["state"] else { return fields["error"] != nil }
      return AuthorizationRequest.isSame(state, request.state)
    }
    callback.begin(
      AwaitedCallback.Awaited(state: request.state, issuer: metadata.issuer) { fields in listener.take(fields) })
    defer { callback.end() }
    let answer = try await AuthError.typed { try await self.answer(listener, page, host) }
    let code = try request.code(in: answer)
    let tokens = try await endpoint.tokens(
      [
        ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", listener.redirect),
        ("code_verifier", request.pkce.verifier),
      ], metadata)
    return (tokens, request.nonce)
  }

  private func answer(_ listener: LoopbackListener, _ page: String, _ host: String) async throws -> [String: String] {
    try await withThrowingTaskGroup(of: [String: String]?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await listener.answer() }
      group.addTask {
        do { try await self.browser.open(page) } catch is CancellationError {} catch {
          throw AuthError.oauth2(host: host, .noBrowser)
        }
        return nil
      }
      group.addTask {
        try await self.clock.sleep(for: self.signInTimeout)
        throw AuthError.oauth2(host: host, .timedOut)
      }
      // That the browser was opened is no answer yet.
      while let next = try await group.next() { if let answer = next { return answer } }
      throw AuthError.cancelled
    }
  }
}
