import Synchronization

/// Ends an observation: when it is cancelled, or nobody holds it any more.
public final class AuthObservation: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// No call begins after this one returned, but for one that another thread is about to make. Calling it twice does nothing.
  public func cancel() { end() }
}

/// A value that tells of each change once, in their order, and calls nobody under its lock.
final class AuthBroadcast: Sendable {
  private typealias Observer = @Sendable (AuthState) -> Void

  /// What is still to be told, and to whom: observers of these numbers.
  private struct News {
    let state: AuthState
    let observers: ClosedRange<Int>
  }

  private struct Standing {
    var state = AuthState.signedOut
    var observers: [Int: Observer] = [:]
    var next = 0
    var untold: [News] = []
    /// Some thread is telling, and tells what comes meanwhile, too.
    var isTelling = false
  }

  private let standing = Mutex(Standing())

  var state: AuthState { standing.withLock { $0.state } }

  func observe(_ body: @escaping @Sendable (AuthState) -> Void) -> AuthObservation {
    let number = standing.withLock { standing in
      standing.next += 1
      standing.observers[standing.next] = body
      standing.untold.append(News(state: standing.state, observers: standing.next...standing.next))
      return standing.next
    }
    tell()
    return AuthObservation { [weak self] in self?.standing.withLock { $0.observers[number] = nil } }
  }

  /// Changes the state; nobody is told where it is the same.
  func set(_ state: AuthState) {
    standing.withLock { standing in
      guard standing.state != state else { return }
      standing.state = state
      standing.untold.append(News(state: state, observers: 0...standing.next))
    }
    tell()
  }

  private func tell() {
    guard standing.withLock({ !$0.isTelling && begin(&$0) }) else { return }
    while let (state, observers) = standing.withLock({ next(&$0) }) {
      for observer in observers { observer(state) }
    }
  }

  private func begin(_ standing: inout Standing) -> Bool {
    standing.isTelling = true
    return true
  }

  private func next(_ standing: inout Standing) -> (AuthState, [Observer])? {
    guard !standing.untold.isEmpty else {
      standing.isTelling = false
      return nil
    }
    let news = standing.untold.removeFirst()
    let observers = standing.observers.filter { news.observers.contains($0.key) }.sorted { $0.key < $1.key }
    return (news.state, observers.map(\.value))
  }
}
