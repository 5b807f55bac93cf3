import Synchronization

/// Has many callers share one piece of work. Who gives up waiting does not stop it for the others.
final class SingleFlight<Value: Sendable>: Sendable {
  private let flight = Mutex<(number: Int, task: Task<Value, any Error>?)>((0, nil))

  /// Joins the work that is under way, or begins `work`.
  func run(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let task = flight.withLock { flight in
      if let task = flight.task { return task }
      flight.number += 1
      let number = flight.number
      let task = Task {
        // Who comes after the end begins anew.
        defer { self.end(number) }
        return try await work()
      }
      flight.task = task
      return task
    }
    return try await task.value
  }

  /// Waits for the end of the work that is under way.
  func settle() async { _ = await flight.withLock { $0.task }?.result }

  private func end(_ number: Int) { flight.withLock { if $0.number == number { $0.task = nil } } }
}
