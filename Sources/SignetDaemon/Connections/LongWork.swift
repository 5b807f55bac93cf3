import DaemonService
import Synchronization

extension ClientConnection {
  /// Does something long in a thread of its own while the client gets heartbeats. `nil` where the client cancelled; what was
  /// begun is done all the same.
  package func wait<Value: Sendable>(for work: @escaping () -> Value) throws(Interruption) -> Value? {
    let result = WorkResult<Value>()
    guard startThread({ result.put(work()) }) else { return work() }
    while true {
      if let value = result.value { return value }
      if case .request(.cancel) = try wait(until: bootMilliseconds() + 10) { return nil }
    }
  }
}

private final class WorkResult<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)
  var value: Value? { state.withLock { $0 } }
  func put(_ value: Value) { state.withLock { $0 = value } }
}
