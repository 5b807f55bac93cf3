import SignetVocabulary
import SignetWire
import SignetWords

/// The rows that signetd sends, as JSON has them. signet-json(5) names the keys; they are only ever added to.
struct FingerRecord: Encodable {
  var finger: String
  var reader: String
  var enrolled: String

  init(_ row: FingerRow) {
    finger = row.finger.name
    reader = row.reader
    enrolled = TimeText.utc(row.enrolled)
  }
}

struct ImportRecord: Encodable {
  /// Left out where a folder is at fault.
  var finger: String?
  var reader: String
  /// An `ImportOutcome`'s name.
  var outcome: String
  /// The same in words, with what to do about it.
  var explanation: String

  init(_ row: ImportRow) {
    finger = row.finger?.name
    reader = row.reader
    outcome = String("\(row.outcome)".prefix { $0 != "(" })
    explanation = ImportText.of(row.outcome, row.finger, reader: row.reader)
  }
}

struct ReaderRecord: Encodable {
  var identifier: String
  var name: String
  var driver: String
  var scan: String
  var canIdentify: Bool
  var hasStorage: Bool
  var tellsFinger: Bool
  var enrollStages: UInt8
  /// A `ReaderObstacle`'s name.
  var obstacle: String

  init(_ row: ReaderDescription) {
    identifier = row.identifier
    name = row.name
    driver = row.driver
    scan = row.isSwipe ? "swipe" : "press"
    canIdentify = row.canIdentify
    hasStorage = row.hasStorage
    tellsFinger = row.tellsFinger
    enrollStages = row.enrollStages
    obstacle = "\(row.obstacle)"
  }
}

struct StatusRecord: Encodable {
  var user: String
  var uid: UInt32
  var strikes: UInt8
  var limit: UInt8
  var locked: Bool
  /// A `LockReason`'s name.
  var lock: String
  /// In a row; 255 for that many or more.
  var wrongPasscodes: UInt8
  /// In seconds, 0 for none.
  var passcodeDelay: UInt32
  /// The same of everywhere else: their sum, and the longest delay.
  var wrongPasscodesElsewhere: UInt8
  var passcodeDelayElsewhere: UInt32
  var explanation: String
  var fingers: [FingerRecord]
  var readers: [ReaderRecord]
  /// The programs that hold a reader, as far as the user may see.
  var holders: [String]
  var vault: VaultRecord
  /// Left out where there are none, or where signet-passkey is not installed.
  var passkeys: Int?
  /// A `KeyHome`'s name.
  var deviceKey: String
  /// The TPM's registers that the key is sealed for.
  var pcrs: [Int]
  /// A `TokenKeyHome`'s name.
  var tokenKey: String
  /// A `FingerAfterRestart`'s name.
  var fingerAfterRestart: String
  /// What signetd said of fingers and readers that it could not list.
  var problems: [String]

  init(
    _ status: UserStatus, fingers: Listing<FingerRow>, readers: Listing<ReaderDescription>, holders: [String],
    passkeys: Int? = nil
  ) {
    let row = status.strikes
    user = row.user
    uid = row.uid
    strikes = row.strikes
    limit = row.limit
    locked = row.lock != .none
    lock = row.lock.name
    (wrongPasscodes, passcodeDelay) = (row.wrongPasscodes, row.passcodeDelay)
    (wrongPasscodesElsewhere, passcodeDelayElsewhere) = (row.wrongElsewhere, row.delayElsewhere)
    explanation = row.fault.map(FaultText.of) ?? ""
    self.fingers = fingers.rows.map(FingerRecord.init)
    self.readers = readers.rows.map(ReaderRecord.init)
    self.holders = holders
    self.passkeys = passkeys
    vault = VaultRecord(status.vault)
    deviceKey = "\(row.keys)"
    pcrs = (0..<24).filter { row.pcrs >> $0 & 1 == 1 }
    tokenKey = "\(row.tokenKey)"
    fingerAfterRestart = "\(row.afterRestart)"
    problems = [fingers.failure, readers.failure].compactMap { $0?.message }
  }
}

struct SessionRecord: Encodable {
  var identifier: String
  var user: String
  var uid: UInt32
  var service: String
  var terminal: String
  /// RFC 8176: `fpt` or `pwd`.
  var method: String
  var opened: String
  /// When its token was last used, and when it ends without being used again.
  var used: String
  var expires: String

  init(_ row: SessionRow) {
    identifier = row.identifier
    user = row.user
    uid = row.uid
    service = row.service
    terminal = row.terminal
    method = row.method.name
    opened = TimeText.utc(row.opened)
    used = TimeText.utc(row.used)
    expires = TimeText.utc(row.expires)
  }
}

/// Whether a token is one of an open session, and whose (RFC 7662).
struct IntrospectionRecord: Encodable {
  var active: Bool
  var sub: String?
  var username: String?
  var sid: String?
  var service: String?
  var terminal: String?
  var amr: [String]?
  /// In seconds since 1970.
  var auth_time: UInt64?
  var exp: UInt64?

  init(_ row: SessionRow?) {
    active = row != nil
    guard let row else { return }
    sub = "\(row.uid)"
    username = row.user
    sid = row.identifier
    service = row.service
    terminal = row.terminal
    amr = [row.method.name]
    auth_time = row.opened
    exp = row.expires
  }
}

struct VerdictRecord: Encodable {
  var verified: Bool
  var verdict: String

  init(_ verdict: Verdict) {
    verified = verdict == .success
    self.verdict = verdict.name
  }
}

extension LockReason {
  var name: String {
    switch self {
    case .none: "none"
    case .strikes: "strikes"
    case .stateUnusable: "stateUnusable"
    case .restart: "restart"
    case .inactivity: "inactivity"
    case .passcodeAge: "passcodeAge"
    case .requested: "requested"
    case .fingersChanged: "fingersChanged"
    case .vaultClosed: "vaultClosed"
    }
  }
}

extension EvidenceMethod {
  var name: String {
    switch self {
    case .none: "none"
    case .fingerprint: "fpt"
    case .passcode: "pwd"
    }
  }
}
