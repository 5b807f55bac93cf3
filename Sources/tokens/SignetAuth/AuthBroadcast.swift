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

  private struct Subscriptions {
    var state = AuthState.signedOut
    var observers: [Int: Observer] = [:]
    var next = 0
    var untold: [News] = []
    /// Some thread is telling, and tells what comes meanwhile, too.
    var isTelling = false
  }

  private let subscriptions = Mutex(Subscriptions())

  var state: AuthState { subscriptions.withLock { $0.state } }

  func observe(_ body: @escaping @Sendable (AuthState) -> Void) -> AuthObservation {
    let number = subscriptions.withLock { subscriptions in
      subscriptions.next += 1
      subscriptions.observers[subscriptions.next] = body
      subscriptions.untold.append(News(state: subscriptions.state, observers: subscriptions.next...subscriptions.next))
      return subscriptions.next
    }
    tell()
    return AuthObservation { [weak self] in self?.subscriptions.withLock { $0.observers[number] = nil } }
  }

  /// Changes the state; nobody is told where it is the same.
  func set(_ state: AuthState) {
    subscriptions.withLock { subscriptions in
      guard subscriptions.state != state else { return }
      subscriptions.state = state
      subscriptions.untold.append(News(state: state, observers: 0...subscriptions.next))
    }
    tell()
  }

  private func tell() {
    guard subscriptions.withLock({ !$0.isTelling && begin(&$0) }) else { return }
    while let (state, observers) = subscriptions.withLock({ next(&$0) }) {
      for observer in observers { observer(state) }
    }
  }

  private func begin(_ subscriptions: inout Subscriptions) -> Bool {
    subscriptions.isTelling = true
    return true
  }

  private func next(_ subscriptions: inout Subscriptions) -> (AuthState, [Observer])? {
    guard !subscriptions.untold.isEmpty else {
      subscriptions.isTelling = false
      return nil
    }
    let news = subscriptions.untold.removeFirst()
    let observers = subscriptions.observers.filter { news.observers.contains($0.key) }.sorted { $0.key < $1.key }
    return (news.state, observers.map(\.value))
  }
}
