import Dispatch
import SignetContexts
import SignetCoreFoundation

/// Contexts for calls of the keychain that bring none: each call has one of its own, and what is proved in it serves no other
/// call. Their connections are kept for the next calls.
package enum PrivateContexts {
  private static let lock = ForkableLock()
  private nonisolated(unsafe) static var idle: [ApplicationContext] = []
  private nonisolated(unsafe) static var places = Places(limit: limit)
  /// Of how many threads calls are made at once. More than there are processors would only hold places in signetd, which has some for
  /// each user, and lets a user connect so often: who got none would be told that there is no keychain.
  private static let limit = 2

  /// A call's turn, until it is over or waits for the owner: others go on meanwhile.
  package final class Turn {
    private var isOver = false

    fileprivate init() {
      let mine = lock.withLock { unsafe places.enter() }
      mine?.wait()
    }

    package func end() {
      guard !isOver else { return }
      isOver = true
      lock.withLock { unsafe places.leave() }
    }
  }

  /// Lends one to `body` when its turn has come.
  package static func use<Value>(_ body: (ApplicationContext, Turn) -> (Value, wasAsked: Bool)) -> Value {
    let turn = Turn()
    defer { turn.end() }
    let context = lock.withLock { unsafe idle.popLast() } ?? ApplicationContext()
    let (value, wasAsked) = body(context, turn)
    if wasAsked {
      do throws(ContextError) { try context.request { (connection) throws(ContextError) in try connection.forget() } } catch {
        return value
      }
    }
    lock.withLock { if unsafe idle.count < limit { unsafe idle.append(context) } }
    return value
  }
}

/// So many at once, the others in the order in which they came.
private struct Places {
  let limit: Int
  private var taken = 0
  private var waiting: [DispatchSemaphore] = []
  private var owner = getpid()

  init(limit: Int) { self.limit = limit }

  /// `nil` where there is a place; otherwise what to wait for.
  mutating func enter() -> DispatchSemaphore? {
    leaveParent()
    guard taken == limit else {
      taken += 1
      return nil
    }
    waiting.append(DispatchSemaphore(value: 0))
    return waiting.last
  }

  mutating func leave() {
    guard owner == getpid() else { return }
    if waiting.isEmpty { taken -= 1 } else { waiting.removeFirst().signal() }
  }

  /// Who had a place in the parent, or waited, is not in the child. A semaphore that is waited for must not be freed.
  private mutating func leaveParent() {
    guard owner != getpid() else { return }
    for semaphore in waiting { _ = unsafe Unmanaged.passRetained(semaphore) }
    (owner, taken, waiting) = (getpid(), 0, [])
  }
}
