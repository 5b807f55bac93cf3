import SignetVocabulary
import SignetWire

/// An event as JSON has it; keys that say nothing of an event are left out.
struct EventRecord: Encodable {
  var time: String
  /// `EventKind`'s name.
  var event: String
  var finger: String?
  /// RFC 8176: `fpt` or `pwd`.
  var method: String?
  var lock: String?
  var verdict: String?
  var request: String?
  var failure: String?
  var strikes: UInt32?
  var count: UInt32?
  var session: String?
  var requester: RequesterRecord?

  init(_ row: EventRow) {
    time = Moment.utc(row.time)
    event = "\(row.kind)"
    requester = row.requester.pid == 0 ? nil : RequesterRecord(row.requester)
    switch row.kind {
    case .authenticated:
      method = EvidenceMethod(rawValue: row.code)?.name
      finger = row.detail.isEmpty ? nil : row.detail
    case .missed, .poorScansExhausted, .strikeGivenBack, .strikeKept, .unlocked: strikes = row.count
    case .locked: lock = LockReason(rawValue: row.code)?.name
    case .wrongPasscode, .passcodeDelayed, .gap: count = row.count
    case .enrolled, .deleted: finger = row.detail
    case .vaultReset: count = row.count
    case .itemReleased: method = EvidenceMethod(rawValue: row.code)?.name
    case .released, .sessionOpened, .sessionClosed, .sessionRevoked:
      method = EvidenceMethod(rawValue: row.code).flatMap { $0 == .none ? nil : $0.name }
      session = row.detail
    case .refused: request = RequestKind(rawValue: row.code).map { "\($0)" }
    case .readerUnavailable: failure = ReaderFailure(rawValue: row.code).map { "\($0)" }
    case .ended: verdict = Verdict(rawValue: row.code).name
    case .passcodeVerified, .lockRequested, .reset, .passcodeUnavailable, .stateUnusable, .configurationUnusable,
      .vaultRewrapped, .vaultUnopened, .itemStored, .itemDeleted, .vaultRecovered, .loginSecretReleased, .loginSecretStored:
      break
    }
  }
}

struct RequesterRecord: Encodable {
  var pid: UInt32
  var uid: UInt32
  var loginUid: UInt32?
  var auditSession: UInt32?
  var program: String
  var service: String
  var terminal: String

  init(_ requester: EventRequester) {
    pid = requester.pid
    uid = requester.uid
    loginUid = requester.loginUser == EventRequester.none ? nil : requester.loginUser
    auditSession = requester.session == EventRequester.none ? nil : requester.session
    program = requester.program
    service = requester.service
    terminal = requester.terminal
  }
}
