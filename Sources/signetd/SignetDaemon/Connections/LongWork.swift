import DaemonService
import Synchronization

extension ClientConnection {
  /// Does something long in a thread of its own, which gets `input`, while the client gets heartbeats. `nil` where the client
  /// cancelled; what was begun is done all the same.
  package func wait<Input: ~Copyable & Sendable, Value: Sendable>(
    with input: consuming Input, for work: @escaping @Sendable (consuming Input) -> Value
  ) throws(Interruption) -> Value? {
    let handover = ThreadWork<Input, Value>(input)
    guard startThread({ handover.run(work) }) else {
      handover.run(work)
      return handover.value
    }
    while true {
      handover.isDone.silence()
      if let value = handover.value { return value }
      if case .request(.cancel) = try wait(for: handover.isDone.descriptor, until: .max) { return nil }
    }
  }
}

/// What goes into a thread, and what comes out of it.
private final class ThreadWork<Input: ~Copyable & Sendable, Value: Sendable>: Sendable {
  private let input: Mutex<Input?>
  private let output = Mutex<Value?>(nil)
  /// Rings when there is a value.
  let isDone = Bell()

  init(_ input: consuming Input) { self.input = Mutex(input) }

  var value: Value? { output.withLock { $0 } }

  func run(_ work: (consuming Input) -> Value) {
    guard let input = input.withLock({ $0.take() }) else { return }
    let value = work(input)
    output.withLock { $0 = value }
    isDone.ring()
  }
}
