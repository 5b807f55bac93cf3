import Synchronization

/// The sign-in that waits for the provider's answer, for an application that receives the answer by itself.
final class AwaitedCallback: Sendable {
  /// A request, and what takes its answer.
  struct Awaited: Sendable {
    let state: String
    let issuer: String
    let take: @Sendable ([String: String]) -> Void
  }

  private struct Current {
    var awaited: Awaited?
    /// Who brought an answer, and waits for what comes of it.
    var waiting: [CheckedContinuation<AuthResult, any Error>] = []
  }

  private let current = Mutex(Current())

  func begin(_ awaited: Awaited) { current.withLock { $0.awaited = awaited } }
  func end() { current.withLock { $0.awaited = nil } }

  /// Runs a sign-in; who brings its answer is told of its end.
  func following(_ signIn: () async throws -> AuthResult) async throws -> AuthResult {
    let result: Result<AuthResult, any Error>
    do { result = .success(try await signIn()) } catch { result = .failure(error) }
    let waiting = current.withLock { current in
      defer { current.waiting = [] }
      return current.waiting
    }
    for continuation in waiting { continuation.resume(with: result) }
    return try result.get()
  }

  /// Hands the answer's fields, made for the request that waits, to it.
  ///
  /// - Throws: `OAuth2Error.stateMismatch` where none waits, or for another answer.
  func answer(_ fields: (Awaited) -> [String: String]) async throws -> AuthResult {
    try await withCheckedThrowingContinuation { continuation in
      let awaited = current.withLock { current -> (Awaited, [String: String])? in
        guard let awaited = current.awaited else { return nil }
        let fields = fields(awaited)
        guard let state = fields["state"], AuthorizationRequest.isSame(state, awaited.state) else { return nil }
        current.waiting.append(continuation)
        return (awaited, fields)
      }
      guard let (awaited, fields) = awaited else { return continuation.resume(throwing: OAuth2Error.stateMismatch) }
      awaited.take(fields)
    }
  }
}

extension OAuth2AuthService {
  /// Takes the provider's answer for the login that waits for it, where the application received it and not the service's own listener.
  ///
  /// - Parameter url: where the provider led the browser, with all of its query.
  /// - Returns: what the login came to.
  /// - Throws: `AuthError`; `oauth2` with `stateMismatch` where no login waits, or for another answer.
  @discardableResult public func handleOAuth2Callback(url: String) async throws -> AuthResult {
    let query = url.split(separator: "?", maxSplits: 1).dropFirst().first?.prefix { $0 != "#" }
    let fields = query.flatMap { FormEncoding.decode($0) } ?? [:]
    return try await answer { _ in fields }
  }

  /// The same with the code alone.
  @available(
    *, deprecated,
    message: "a code alone does not say which request it answers, nor which provider gave it: use handleOAuth2Callback(url:)"
  )
  @discardableResult public func handleOAuth2Callback(code: String) async throws -> AuthResult {
    try await answer { ["code": code, "state": $0.state, "iss": $0.issuer] }
  }

  private func answer(_ fields: (AwaitedCallback.Awaited) -> [String: String]) async throws -> AuthResult {
    do { return try await callback.answer(fields) } catch let error as OAuth2Error { throw AuthError.oauth2(host: host, error) }
  }
}
