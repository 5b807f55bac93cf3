import DaemonAccounts
import Glibc
import SignetAuthentication
import SignetTestKit

/// A line that the model prints in a run by chance.
struct ModelStep {
  enum Event: String, CaseIterable {
    case charge, refuse, keep, giveBack, match, passcode, crash, request, lose, replace
  }

  let event: Event
  let number: Int
  /// How many strikes the user has after it. The model goes on counting beyond what locks.
  let strikes: Int

  init?(_ line: Substring) {
    let words = line.split(separator: " ")
    guard words.count == 4, words[0] == "step", let event = Event(rawValue: String(words[1])), let number = Int(words[2]),
      let strikes = Int(words[3])
    else { return nil }
    (self.event, self.number, self.strikes) = (event, number, min(strikes, LockoutLimits().strikes))
  }
}

/// The real account and its store, which do what the model did.
final class Replay {
  private static let uid: UInt32 = 1000
  private static let now = Moment(boot: Moment.Boot(high: 1, low: 1), sinceBoot: 60_000, wall: 1_800_000_000)

  private let folder: TemporaryFolder
  /// `nil` between two of them: the state has one user.
  private var signetd: Signetd?
  private var strike: ChargedStrike?
  private var oldest: [UInt8] = []
  private var losses = 0

  private struct Signetd {
    let store: SharedStore
    let account: Account
  }

  init() throws {
    folder = try TemporaryFolder()
    try start()
    try verifyPasscode()
    oldest = try RawFile.read(file)
  }

  private func start() throws {
    let store = SharedStore(try AccountStore(path: folder.path + "/state", runtimePath: folder.path + "/run"))
    signetd = Signetd(
      store: store,
      account: Account(uid: Replay.uid, store: store, limits: LockoutLimits(), rules: PasscodeRules(), clock: { Replay.now }))
    // The model's signetd knows the disk as soon as it is there.
    _ = signetd?.account.status
  }

  private var file: String { folder.path + "/state/users/\(Replay.uid)/strikes" }

  private var account: Account {
    get throws {
      guard let signetd else { throw TestKitError("signetd does not run") }
      return signetd.account
    }
  }

  /// As signetd's memory has them. To ask for the status would be another step, which looks at the disk.
  var strikes: Int { get throws { LockoutLimits().strikes - (try account.missesLeft) } }

  func happen(_ step: ModelStep) throws {
    switch step.event {
    case .charge: strike = try account.charge()
    case .refuse:
      if (try? account.charge()) != nil { throw TestKitError("a finger is looked at, and not in the model") }
    case .keep: try take().keep()
    case .giveBack: try take().giveBack(poorScans: step.number).get()
    case .match:
      var isTold = false
      try take().match { isTold = true }.get()
      if !isTold { throw TestKitError("a match counts for nothing, and not in the model") }
    case .passcode: try verifyPasscode()
    case .crash: try restart()
    case .request: try account.requirePasscode().get()
    case .lose: try lose()
    case .replace: try replace(strikes: step.number)
    }
  }

  private func take() throws -> ChargedStrike {
    guard let strike = strike.take() else { throw TestKitError("no scan is under way, but in the model") }
    return strike
  }

  private func verifyPasscode() throws {
    let passcode = try account.chargePasscode(from: .owner, during: folder)
    guard passcode.verified({}) else { throw TestKitError("no passcode is taken") }
  }

  private func restart() throws {
    // One that is dropped writes nothing, as one that is killed.
    strike.take()?.keep()
    signetd = nil
    try start()
  }

  /// Gone, cut, or an older one: the file cannot be believed.
  private func lose() throws {
    losses += 1
    switch losses % 3 {
    case 0: unlink(file)
    case 1: truncate(file, 10)
    default: try RawFile.overwrite(file, oldest)
    }
  }

  /// Another count that passes for newer; signetd looks at it, and writes what it makes of it.
  private func replace(strikes: Int) throws {
    guard let store = signetd?.store, case .found(var other) = store.value.lockout(of: Replay.uid) else {
      throw TestKitError("no strikes are on the disk")
    }
    other.sequence += 1
    other.record.strikes = strikes
    try store.value.write(other, of: Replay.uid)
    try account.chargePasscode(from: .owner, during: folder).giveBack()
  }
}
