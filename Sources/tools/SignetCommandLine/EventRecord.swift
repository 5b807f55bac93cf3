import SignetVocabulary
import SignetWire

/// An event as JSON has it; keys that say nothing of an event are left out.
struct EventRecord: Encodable {
  var time: String
  /// `Event.Kind`'s name.
  var event: String
  var finger: String?
  /// RFC 8176: `fpt` or `pwd`.
  var method: String?
  var lock: String?
  var verdict: String?
  var request: String?
  var failure: String?
  /// The kind of event that is counted.
  var `repeated`: String?
  var strikes: Int?
  var count: Int?
  var session: String?
  /// The beginning of its credential's name.
  var passkey: String?
  var requester: RequesterRecord?

  init(_ row: EventRow) {
    time = TimeText.utc(row.time)
    event = "\(row.event.kind)"
    requester = row.requester.pid == 0 ? nil : RequesterRecord(row.requester)
    for parameter in row.event.parameters { add(parameter) }
  }

  private mutating func add(_ parameter: EventParameter) {
    switch parameter {
    case .method(let value): method = value.name
    case .finger(let value): finger = value?.name
    case .session(let value): session = value.text
    case .passkey(let value): passkey = value.text
    case .strikes(let value): strikes = value
    case .count(let value), .minutes(let value), .items(let value): count = value
    case .lock(let value): lock = value.name
    case .request(let value): request = "\(value)"
    case .kind(let value): `repeated` = "\(value)"
    case .failure(let value): failure = value.map { "\($0)" }
    case .verdict(let value): verdict = value.name
    case .cause, .isCancelled, .isReplaced, .gap: break
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
