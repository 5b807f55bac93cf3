import SignetAuth
import Synchronization

/// Keeps tokens in memory, and fails where it is told to.
public final class MemoryTokenStorage: TokenStorage {
  /// A call, as it came.
  public enum Call: Equatable, Sendable {
    case store(TokenKey, String)
    case retrieve(TokenKey)
    case delete(TokenKey)
  }

  private struct Contents {
    var tokens: [TokenKey: String] = [:]
    var calls: [Call] = []
    var storing: TokenStorageError?
    var retrieving: TokenStorageError?
    var deleting: TokenStorageError?
  }

  private let contents = Mutex(Contents())

  public init() {}

  public var tokens: [TokenKey: String] { contents.withLock { $0.tokens } }
  public var calls: [Call] { contents.withLock { $0.calls } }

  /// What the calls fail with from now on; `nil` for those that succeed.
  public func fail(
    storing: TokenStorageError? = nil, retrieving: TokenStorageError? = nil, deleting: TokenStorageError? = nil
  ) {
    contents.withLock {
      $0.storing = storing
      $0.retrieving = retrieving
      $0.deleting = deleting
    }
  }

  public func store(token: String, for key: TokenKey) throws {
    try contents.withLock { contents in
      contents.calls.append(.store(key, token))
      if let error = contents.storing { throw error }
      contents.tokens[key] = token
    }
  }

  public func retrieve(for key: TokenKey) throws -> String? {
    try contents.withLock { contents in
      contents.calls.append(.retrieve(key))
      if let error = contents.retrieving { throw error }
      return contents.tokens[key]
    }
  }

  public func delete(for key: TokenKey) throws {
    try contents.withLock { contents in
      contents.calls.append(.delete(key))
      if let error = contents.deleting { throw error }
      contents.tokens[key] = nil
    }
  }
}
