import Foundation

/// Tells those who want to know, in this process, when the owner was confirmed in a context, and when that context was given up.
package enum Confirmations {
  /// Listens until it ends.
  package final class Listener: Sendable {
    fileprivate let told: @Sendable (Bool) -> Void
    fileprivate init(_ told: @escaping @Sendable (Bool) -> Void) { self.told = told }
  }

  private struct Weak { weak var listener: Listener? }
  private static let lock = ForkableLock()
  private nonisolated(unsafe) static var listeners: [Weak] = []

  /// - Parameter told: called with `true` after each success, with `false` where the context of the last one was invalidated.
  package static func listen(_ told: @escaping @Sendable (Bool) -> Void) -> Listener {
    let listener = Listener(told)
    lock.withLock {
      unsafe listeners.removeAll { $0.listener == nil }
      unsafe listeners.append(Weak(listener: listener))
    }
    return listener
  }

  package static func tell(_ isConfirmed: Bool) {
    let all = lock.withLock { unsafe listeners.compactMap(\.listener) }
    for listener in all { listener.told(isConfirmed) }
  }
}
