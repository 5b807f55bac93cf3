import Dispatch

/// A session with a token for as long as this value lives: what it does, and the programs that it starts, have the token's key.
public final class KeyedSession: @unchecked Sendable {
  private var job: (() -> Void)?
  private let isWanted = DispatchSemaphore(value: 0)
  private let isDone = DispatchSemaphore(value: 0)
  private var failure: (any Error)?
  /// The serial number of the token's key.
  public private(set) var key: Int32 = 0

  public init(token: String) throws {
    DispatchQueue.global().async { [self] in serve(token) }
    isDone.wait()
    if let failure { throw failure }
  }

  private func serve(_ token: String) {
    do {
      try SessionKeyring.with(token: token) { [self] key in
        self.key = key
        isDone.signal()
        while true {
          isWanted.wait()
          guard let job else { return }
          job()
          self.job = nil
          isDone.signal()
        }
      }
    } catch { failure = error }
    isDone.signal()
  }

  /// Does some work in the session.
  public func run<Value>(_ work: @escaping () throws -> Value) throws -> Value {
    var outcome: Result<Value, any Error>?
    job = { outcome = Result { try work() } }
    isWanted.signal()
    isDone.wait()
    guard let outcome else { throw TestKitError("the session did nothing") }
    return try outcome.get()
  }

  /// The kernel takes the session's keys away.
  public func end() {
    isWanted.signal()
    isDone.wait()
  }
}
