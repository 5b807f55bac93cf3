import SignetAuth
import Synchronization

/// An issuer in memory. It rotates: each refresh token is taken once, and taking one twice ends all of them.
public final class ScriptedIssuer: TokenIssuer {
  public enum Call: Equatable, Sendable {
    case issue
    case refresh(String)
    case revoke(String)
  }

  private struct State {
    var number = 0
    var current: String?
    var calls: [Call] = []
    var error: AuthError?
    /// What is scripted to be taken and not to be taken; `nil` for the rules.
    var refused: Set<String>?
    var lifetime: Double?
    var user: User
  }

  private let state: Mutex<State>
  private let gate: @Sendable (Call) async -> Void

  /// - Parameters:
  ///   - lifetime: of its access tokens, in seconds.
  ///   - gate: is waited for in each call.
  public init(
    user: User = User(id: "1", name: "alice"), lifetime: Double? = 300, gate: @escaping @Sendable (Call) async -> Void = { _ in }
  ) {
    state = Mutex(State(lifetime: lifetime, user: user))
    self.gate = gate
  }

  public var calls: [Call] { state.withLock { $0.calls } }
  /// The one refresh token that it takes.
  public var current: String? { state.withLock { $0.current } }

  /// What every call fails with from now on.
  public func fail(_ error: AuthError?) { state.withLock { $0.error = error } }

  /// Which refresh tokens it refuses from now on, in the place of its own rules: it takes all others. What is refused is only that.
  public func refuse(_ tokens: Set<String>) { state.withLock { $0.refused = tokens } }

  public func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    try await enter(.issue)
    return next()
  }

  public func refresh(_ refreshToken: String) async throws -> TokenGrant {
    try await enter(.refresh(refreshToken))
    let isCurrent = state.withLock { state in
      if let refused = state.refused { return !refused.contains(refreshToken) }
      if state.current != refreshToken { state.current = nil }
      return state.current == refreshToken
    }
    guard isCurrent else { throw AuthError.loginRequired(.refusedByServer) }
    return next()
  }

  public func revoke(_ refreshToken: String) async throws {
    try await enter(.revoke(refreshToken))
    state.withLock { if $0.current == refreshToken { $0.current = nil } }
  }

  private func enter(_ call: Call) async throws(AuthError) {
    state.withLock { $0.calls.append(call) }
    await gate(call)
    if let error = state.withLock({ $0.error }) { throw error }
  }

  private func next() -> TokenGrant {
    state.withLock { state in
      state.number += 1
      state.current = "refresh-\(state.number)"
      return TokenGrant(
        accessToken: "access-\(state.number)", refreshToken: state.current, lifetime: state.lifetime, user: state.user
      )
    }
  }
}
