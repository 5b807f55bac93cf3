import Glibc
import SignetAuthentication
import SignetBytes
import SignetConfiguration
import SignetDigest
import SignetTokens
import SignetVocabulary
import SignetWire

@testable import DaemonAccounts
@testable import SignetDaemon

extension FuzzTarget {
  /// State files: a lockout, a template, a session, a history. The first byte says which; what follows is the file. Where
  /// the first byte is even, it is what stands before the digest, which no mutation would ever get right, or, for a
  /// template, which bits of a sealed one are flipped.
  ///
  /// What is believed is written back bit for bit, and is bound to its user. Whatever a lockout says, a charge is refused
  /// or on disk, and what cannot be believed locks. No template opens but as it was sealed.
  static let state = FuzzTarget(
    name: "state", longest: 1024, seeds: { stateSeeds },
    run: { bytes in
      guard bytes.count > 0 else { return }
      let isWhole = bytes[0] & 1 == 1
      let content = Array(copying: bytes.extracting(droppingFirst: 1))
      switch (bytes[0] >> 1) % 4 {
      case 0: readLockout(isWhole ? content : content + SHA256.hash(content.span))
      case 1: if isWhole { readTemplate(content) } else { alterTemplate(content) }
      case 2: readSession(isWhole ? content : content + SHA256.hash(content.span))
      default: readHistory(isWhole ? content : historyRow(content))
      }
    })
}

private let uid: UInt32 = 1000

private var stateSeeds: [[UInt8]] {
  let moment = Moment(boot: Moment.Boot(high: 1, low: 2), sinceBoot: 60_000, wall: 1_800_000_000)
  var record = LockoutRecord()
  record.strikes = 3
  let fresh = LockoutFile(sequence: 1, record: record)
  record.isLockRequested = true
  record.wrongPasscodes.owner = WrongPasscodes(6, latest: moment)
  record.wrongPasscodes.strangers = WrongPasscodes(21, latest: moment)
  record.wrongPasscodes.each = [.init(.unknown, WrongPasscodes(1)), .init(.user(1001), WrongPasscodes(20, latest: moment))]
  (record.lastPasscode, record.lastFingerprint) = (moment, Moment(boot: nil, sinceBoot: 0, wall: 0))
  var usable = LockoutRecord()
  usable.lastPasscode = moment
  let session = Session(
    identifier: SessionName(0x0123_abcd), digest: [UInt8](0..<32), uid: uid, user: "alice", service: "login", terminal: "tty1",
    method: .fingerprint, since: 1_800_000_000, key: 77)
  let files: [(UInt8, [UInt8])] = [
    (0, try! fresh.encoded(uid: uid)),
    (0, try! LockoutFile(sequence: LockoutFile.lastSequence, record: record).encoded(uid: uid)),
    (0, try! LockoutFile(sequence: .max, record: usable).encoded(uid: uid)),
    (2, try! session.encoded()),
  ]
  return files.flatMap { kind, file in [[kind << 1 | 1] + file, [kind << 1] + file.dropLast(SHA256.length)] }
    + historySeeds.map { [3 << 1 | 1] + $0 } + historySeeds.map { [3 << 1] + $0[6..<($0.count - 8)] }
    + [[1 << 1 | 1] + scratch.template, [1 << 1], [1 << 1, 9, 1], [1 << 1, 80, 1, 80, 1]]
}

private func readTemplate(_ file: [UInt8]) {
  guard let finger = try? EnrolledFinger(decoding: file, uid: uid) else { return }
  requireFile(try! finger.encoded(), file, "\(finger)")
  require((try? EnrolledFinger(decoding: file, uid: uid + 1)) == nil, "a template of another user is believed")
  let isOpened = (try? scratch.store.value.template(of: finger)) != nil
  require(isOpened == (file == scratch.template), "a template that was \(isOpened ? "not " : "")sealed: \(hex(file.span))")
}

/// Flips bits of a sealed template: each pair of bytes says where, and which.
private func alterTemplate(_ changes: [UInt8]) {
  var file = scratch.template
  for index in stride(from: 0, to: changes.count - 1, by: 2) { file[Int(changes[index]) % file.count] ^= changes[index + 1] }
  readTemplate(file)
}

private func readSession(_ file: [UInt8]) {
  guard let session = try? Session(decoding: file, identifier: SessionName(0x0123_abcd)) else { return }
  let written = try! session.encoded()
  // An older form is written anew, and then says the same.
  if file[4] == written[4] { requireFile(written, file, "\(session)") }
  let again = try? Session(decoding: written, identifier: session.identifier)
  require((try? again?.encoded()) == written, "\(session) is not what was written of it")
}

private func readLockout(_ file: [UInt8]) {
  let lockout = try? LockoutFile(decoding: file, uid: uid)
  if let lockout {
    let written = try! lockout.encoded(uid: uid)
    // An older form is written anew, and then says the same.
    if file[4] == written[4] { requireFile(written, file, "\(lockout)") }
    require((try? LockoutFile(decoding: written, uid: uid)) == lockout, "\(lockout) is not what was written of it")
    require((try? LockoutFile(decoding: file, uid: uid + 1)) == nil, "strikes of another user are believed")
  }
  decide(lockout, writtenAs: file)
}

private func requireFile(_ written: [UInt8], _ read: [UInt8], _ what: String) {
  require(written == read, "\(what) was read from \(hex(read.span)) and written as \(hex(written.span))")
}

// MARK: - what an account makes of it

/// A state directory with one user.
private struct Scratch {
  let store: SharedStore
  let strikes: String
  let latest: String
  /// The file of a finger whose template opens.
  let template: [UInt8]

  init() {
    let folder = makeScratchFolder()
    strikes = "\(folder)/users/\(uid)/strikes"
    latest = "\(folder)/run/strikes/\(uid)"
    store = SharedStore(try! AccountStore(path: folder, runtimePath: folder + "/run"))
    try! store.value.write(LockoutFile(sequence: 1, record: LockoutRecord()), of: uid)
    var finger = EnrolledFinger(
      uid: uid, owner: "alice", finger: .rightIndexFinger, reader: "virtual_image:0", isSwipe: true, enrolled: 1_800_000_000)
    try! store.value.seal(ClearTemplate(copying: ([0x46, 0x50, 0x33] as [UInt8]).span), in: &finger)
    template = try! finger.encoded()
  }
}

private let scratch = Scratch()

private func decide(_ lockout: LockoutFile?, writtenAs file: [UInt8]) {
  writeFile(scratch.strikes, file)
  unlink(scratch.latest)
  let now = Moment(boot: Moment.Boot(high: 1, low: 2), sinceBoot: 120_000, wall: 1_800_000_060)
  let account = Account(uid: uid, store: scratch.store, limits: LockoutLimits(), rules: PasscodeRules(), clock: { now })
  let status = account.status
  guard let lockout else {
    require(status.lock == .stateUnusable, "a file that is not believed gives \(status)")
    return
  }
  require(status.strikes == lockout.record.strikes, "\(lockout) gives \(status)")
  if lockout.record.strikes >= LockoutLimits().strikes { require(status.lock == .strikes, "\(lockout) gives \(status)") }
  do throws(Account.ChargeRefusal) {
    let charged = try account.charge()
    require(status.lock == .none, "a locked account is charged: \(status)")
    let written = try? LockoutFile(decoding: readFile(scratch.strikes), uid: uid)
    // After the last number that is believed comes one that is not, which locks.
    let isCharged =
      lockout.sequence == LockoutFile.lastSequence ? written == nil : written?.record.strikes == lockout.record.strikes + 1
    require(isCharged, "\(lockout) is charged as \(String(describing: written))")
    charged.keep()
  } catch {
    require(status.lock != .none, "an account without a lock is not charged: \(error)")
  }
}
