import SignetAuth
import Synchronization

/// An issuer in memory. It rotates: each refresh token is taken once, and taking one twice ends all of them.
public final class ScriptedIssuer: TokenIssuer {
  public enum Call: Equatable, Sendable {
    case issue
    case refresh(String)
    case revoke(String)
  }

  private struct Standing {
    var number = 0
    var current: String?
    var calls: [Call] = []
    var error: AuthError?
    var lifetime: Double?
    var user: User
  }

  private let standing: Mutex<Standing>
  private let gate: @Sendable (Call) async -> Void

  /// - Parameters:
  ///   - lifetime: of its access tokens, in seconds.
  ///   - gate: is waited for in each call.
  public init(
    user: User = User(id: "1", name: "alice"), lifetime: Double? = 300, gate: @escaping @Sendable (Call) async -> Void = { _ in }
  ) {
    standing = Mutex(Standing(lifetime: lifetime, user: user))
    self.gate = gate
  }

  public var calls: [Call] { standing.withLock { $0.calls } }
  /// The one refresh token that it takes.
  public var current: String? { standing.withLock { $0.current } }

  /// What every call fails with from now on.
  public func fail(_ error: AuthError?) { standing.withLock { $0.error = error } }

  public func issue(for credentials: AuthCredentials) async throws -> TokenGrant {
    try await enter(.issue)
    return next()
  }

  public func refresh(_ refreshToken: String) async throws -> TokenGrant {
    try await enter(.refresh(refreshToken))
    let isCurrent = standing.withLock { standing in
      if standing.current != refreshToken { standing.current = nil }
      return standing.current == refreshToken
    }
    guard isCurrent else { throw AuthError.loginRequired(.refusedByServer) }
    return next()
  }

  public func revoke(_ refreshToken: String) async throws {
    try await enter(.revoke(refreshToken))
    standing.withLock { if $0.current == refreshToken { $0.current = nil } }
  }

  private func enter(_ call: Call) async throws(AuthError) {
    standing.withLock { $0.calls.append(call) }
    await gate(call)
    if let error = standing.withLock({ $0.error }) { throw error }
  }

  private func next() -> TokenGrant {
    standing.withLock { standing in
      standing.number += 1
      standing.current = "refresh-\(standing.number)"
      return TokenGrant(
        accessToken: "access-\(standing.number)", refreshToken: standing.current, lifetime: standing.lifetime, user: standing.user
      )
    }
  }
}
