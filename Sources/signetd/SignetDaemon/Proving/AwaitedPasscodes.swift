import DaemonService
import Synchronization

/// Passcodes that polkit's dialog is to prove, for programs on the bus: nobody on the bus is given a passcode to pass on. While one is
/// awaited, a user's login for polkit takes the passcode and no finger, and what it proves counts here once.
package final class AwaitedPasscodes: Sendable {
  /// The PAM service of polkit's dialog.
  package static let service = "polkit-1"

  /// Somebody who waits: rings when the passcode was proved.
  package final class Wait: Sendable {
    let bell = Bell()
    private let proof = Atomic<Bool>(false)

    package var descriptor: Int32 { bell.descriptor }
    package var isProved: Bool { proof.load(ordering: .acquiring) }

    fileprivate func prove() {
      proof.store(true, ordering: .releasing)
      bell.ring()
    }
  }

  private let waits = Mutex<[UInt32: Wait]>([:])

  package init() {}

  /// `nil` where one of this user's is awaited already: a passcode is not to be for two things.
  package func begin(_ uid: UInt32) -> Wait? {
    waits.withLock { waits in
      guard waits[uid] == nil else { return nil }
      let wait = Wait()
      waits[uid] = wait
      return wait
    }
  }

  package func end(_ wait: Wait, of uid: UInt32) {
    waits.withLock { if $0[uid] === wait { $0[uid] = nil } }
  }

  /// Whether a login of this PAM service is what somebody waits for.
  package func isAwaited(_ uid: UInt32, by service: String) -> Bool {
    service == AwaitedPasscodes.service && waits.withLock { $0[uid] != nil }
  }

  /// A passcode was proved, to polkit.
  package func prove(_ uid: UInt32) { waits.withLock { $0[uid] }?.prove() }
}
