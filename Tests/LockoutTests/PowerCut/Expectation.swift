import SignetAuthentication
import SignetFiles
import SignetTestKit
import SignetVocabulary

@testable import DaemonAccounts
@testable import SignetDaemon

/// What signetd finds in its state directory when it starts anew.
struct Found: Equatable {
  /// Of the lockout, `nil` where there is no file.
  struct Lockout: Equatable {
    var strikes: Int
    var wrongPasscodes: Int
    var isLockRequested: Bool
  }

  var lockout: Lockout?
  var fingers: [Finger] = []
  /// What cannot be believed.
  var damage: [String] = []

  /// Read by signetd's own code, so that this need not know the form of the files. A power cut destroys the second copy, which is
  /// in memory, so `runtimeDirectory` is an empty one.
  init(in stateDirectory: String, runtimeDirectory: String, uid: UInt32) throws {
    let store = try AccountStore(path: stateDirectory, runtimePath: runtimeDirectory)
    switch store.lockout(of: uid) {
    case .found(let file):
      lockout = Lockout(
        strikes: file.record.strikes, wrongPasscodes: file.record.wrongPasscodes.sum,
        isLockRequested: file.record.isLockRequested)
    case .missing: break
    case .unusable(let fault, _): damage.append(fault.description)
    }
    let stored = store.openable(try store.fingers(of: uid, named: nil))
    fingers = stored.usable.map(\.finger)
    damage += stored.unusable.map(\.description)
  }
}

extension PasscodeCountsRecord {
  /// From all sources.
  fileprivate var sum: Int { [owner, seat, remote, strangers].reduce(0) { $0 + $1.count } }
}

/// What may be found after a power cut.
struct Expectation: Sendable {
  var strikes = 0...0
  var wrongPasscodes = 0...0
  /// `nil` while it may be either.
  var isLockRequested: Bool? = false
  /// Before the first finger there is no file, and none is missed.
  var mayBeMissing = true
  /// The sets of fingers that may be there.
  var fingers: [[Finger]] = [[]]

  func allows(_ found: Found) -> Bool {
    guard found.damage.isEmpty, fingers.contains(found.fingers) else { return false }
    guard let lockout = found.lockout else { return mayBeMissing && found.fingers.isEmpty }
    return strikes.contains(lockout.strikes) && wrongPasscodes.contains(lockout.wrongPasscodes)
      && isLockRequested ?? lockout.isLockRequested == lockout.isLockRequested
  }
}
