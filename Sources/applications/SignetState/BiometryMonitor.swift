import Foundation
import LocalAuthentication
import Security
import SignetContexts

/// Is told of each change.
public protocol BiometryMonitorDelegate: AnyObject, Sendable {
  /// How the fingers stand from now on: at first when the delegate was set, then after each change. Called on a queue of Signet's
  /// own, one call after the other.
  func biometryMonitor(_ monitor: BiometryMonitor, didUpdateState state: BiometryState)
}

/// Watches how the owner's fingers stand, while anybody wants to know.
///
/// Each monitor is one connection to signetd, of which a user may have a few: make one and keep it. It may be used from any
/// thread.
public final class BiometryMonitor: Sendable {
  private let watcher: Watcher

  public init() { watcher = Watcher() }

  deinit { watcher.end() }

  /// How the fingers stand; `nil` until signetd has said so for the first time.
  public var state: BiometryState? { watcher.state }

  /// The present state, as soon as it is known, and each later one. A reader that is slow misses those in between.
  public var states: AsyncStream<BiometryState> { watcher.stream() }

  /// Not kept alive by the monitor.
  public var delegate: (any BiometryMonitorDelegate)? {
    get { watcher.delegate }
    set { watcher.setDelegate(newValue, of: self) }
  }
}

/// The thread that listens to signetd, and whom it tells.
private final class Watcher: @unchecked Sendable {
  private let lock = NSLock()
  private var status = BiometryStatus()
  private var last: BiometryState?
  private var listeners: [Int: @Sendable (BiometryState) -> Void] = [:]
  private var nextListener = 0
  private weak var listeningDelegate: (any BiometryMonitorDelegate)?
  private var delegateListener: Int?
  private var interrupter: Interrupter?
  private var confirmation: Confirmations.Listener?
  private var hasEnded = false
  /// Changes are told in their order.
  private let queue = DispatchQueue(label: "signet.SignetState")

  init() {
    confirmation = Confirmations.listen { [weak self] isConfirmed in
      if isConfirmed { self?.confirm() } else { self?.change { $0.revoke() } }
    }
    Thread.detachNewThread { [weak self] in Watcher.watch { [weak self] in self } }
  }

  var state: BiometryState? {
    change { $0.elapsed(to: .now) }
    return lock.withLock { last }
  }

  var delegate: (any BiometryMonitorDelegate)? { lock.withLock { listeningDelegate } }

  func setDelegate(_ delegate: (any BiometryMonitorDelegate)?, of monitor: BiometryMonitor) {
    lock.withLock {
      if let old = delegateListener { listeners[old] = nil }
      delegateListener = nil
      listeningDelegate = delegate
      guard delegate != nil else { return }
      delegateListener = add { [weak delegate, weak monitor] state in
        if let monitor { delegate?.biometryMonitor(monitor, didUpdateState: state) }
      }
    }
  }

  func stream() -> AsyncStream<BiometryState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = lock.withLock { hasEnded ? nil : add { continuation.yield($0) } }
      guard let number else { return continuation.finish() }
      lock.withLock { finishers[number] = { continuation.finish() } }
      continuation.onTermination = { [weak self] _ in
        self?.lock.withLock {
          self?.listeners[number] = nil
          self?.finishers[number] = nil
        }
      }
    }
  }

  private var finishers: [Int: @Sendable () -> Void] = [:]

  /// With the lock held. The listener hears of the present state first.
  private func add(_ listener: @escaping @Sendable (BiometryState) -> Void) -> Int {
    nextListener += 1
    listeners[nextListener] = listener
    if let last { queue.async { listener(last) } }
    return nextListener
  }

  func end() {
    let finishers = lock.withLock {
      hasEnded = true
      interrupter?.cancel(.app)
      defer { self.finishers = [:] }
      return Array(self.finishers.values)
    }
    for finish in finishers { queue.async { finish() } }
  }

  private func confirm() {
    change { $0.confirm(at: .now) }
    let look: @Sendable () -> Void = { [weak self] in self?.change { $0.elapsed(to: .now) } }
    // One of them stands still in a sleep, the other moves where somebody sets the clock.
    queue.asyncAfter(deadline: .now() + .seconds(Int(BiometryStatus.lifetime.components.seconds)), execute: look)
    queue.asyncAfter(wallDeadline: .now() + .seconds(Int(BiometryStatus.lifetime.components.seconds)), execute: look)
  }

  private func change(_ body: (inout BiometryStatus) -> Void) {
    lock.withLock {
      body(&status)
      guard let state = status.state, state != last else { return }
      last = state
      for listener in listeners.values { queue.async { listener(state) } }
    }
  }

  /// Goes on until the monitor is given up. The thread does not keep it alive.
  private static func watch(_ watcher: () -> Watcher?) {
    do throws(ContextError) {
      var watch = try StateWatch(path: ProgramEnvironment.socket)
      guard watcher()?.begin(watch.interrupter) == true else { return }
      defer { watcher()?.stopped() }
      while true {
        let report = try watch.next()
        guard let watcher = watcher() else { return }
        watcher.change { $0.heard(report) }
      }
    } catch {
      // Refused, or out of memory: no finger can be asked for from here.
      watcher()?.change { $0.heard(.unreachable) }
    }
  }

  /// False where nobody wants to know any more.
  private func begin(_ interrupter: Interrupter) -> Bool {
    lock.withLock {
      if !hasEnded { self.interrupter = interrupter }
      return !hasEnded
    }
  }

  /// Nobody may use what ends with the watch.
  private func stopped() { lock.withLock { interrupter = nil } }
}
