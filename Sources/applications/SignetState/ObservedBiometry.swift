import Observation

/// How the owner's fingers stand, for views and others that observe: `state` changes on the main actor.
@MainActor @Observable public final class ObservedBiometry {
  /// `nil` until signetd has said so for the first time.
  public private(set) var state: BiometryState?

  @ObservationIgnored private let monitor: BiometryMonitor
  @ObservationIgnored private var following: Task<Void, Never>?

  /// - Parameter monitor: one that the program has already, or one of the object's own.
  public init(_ monitor: BiometryMonitor = BiometryMonitor()) {
    self.monitor = monitor
    let states = monitor.states
    following = Task { [weak self] in
      for await state in states {
        guard let self else { return }
        self.state = state
      }
    }
  }

  deinit { following?.cancel() }
}
