import Dispatch

/// A service's storage, and the order in which it changes: one thing after the other, on a thread that may wait for a finger.
final class SerialStorage: Sendable {
  private let storage: any TokenStorage
  private let queue = DispatchQueue(label: "signet.SignetAuth")

  init(_ storage: any TokenStorage) { self.storage = storage }

  /// Runs `body` after everything that was asked for before.
  func run<Value: Sendable>(_ body: @escaping @Sendable (any TokenStorage) -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: body(self.storage)) }
    }
  }
}

extension TokenStorage {
  /// As `store`, with the module's error.
  func keep(_ token: String, for key: TokenKey) throws(TokenStorageError) {
    do { try store(token: token, for: key) } catch { throw TokenStorageError(of: error) }
  }

  /// As `storeGiven`, with the module's error.
  func keepGiven(_ token: String, for key: TokenKey) throws(TokenStorageError) {
    do { try storeGiven(token: token, for: key) } catch { throw TokenStorageError(of: error) }
  }

  /// As `retrieve`, with the module's error.
  func released(for key: TokenKey) throws(TokenStorageError) -> String? {
    do { return try retrieve(for: key) } catch { throw TokenStorageError(of: error) }
  }

  /// As `delete`, with the module's error.
  func erase(for key: TokenKey) throws(TokenStorageError) {
    do { try delete(for: key) } catch { throw TokenStorageError(of: error) }
  }
}

extension TokenStorageError {
  fileprivate init(of error: any Error) { self = error as? TokenStorageError ?? .unavailable }
}
