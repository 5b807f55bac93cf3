/// A parameter of an event, with its meaning: what names it has in the journal and in JSON follows from that, and which
/// field of a row holds it.
public enum EventParameter: Equatable, Sendable {
  case method(EvidenceMethod)
  case finger(Finger?)
  case session(SessionName)
  case passkey(PasskeyName)
  case strikes(Int)
  case count(Int)
  case minutes(Int)
  case items(Int)
  case gap(Event.Gap)
  case lock(LockReason)
  case request(RequestKind)
  case failure(ReaderFailure?)
  case verdict(Verdict)
  case cause(VaultCause)
  case isCancelled(Bool)
  case isReplaced(Bool)
  case kind(Event.Kind)
}

/// An event as a row has it, on the wire and on disk: numbers and a name.
public struct EventForm: Equatable, Sendable {
  public var kind: Event.Kind
  /// The number of a method, a reason, a verdict and so on, or 1 for what is the case; 0 for none.
  public var code: UInt8
  /// How many; 0 where nothing is counted.
  public var count: UInt32
  /// The name of a finger, a session or a passkey; empty for none.
  public var detail: String

  public init(kind: Event.Kind, code: UInt8, count: UInt32, detail: String) {
    self.kind = kind
    self.code = code
    self.count = count
    self.detail = detail
  }

  init(_ kind: Event.Kind, _ parameters: [EventParameter]) {
    self.init(kind: kind, code: 0, count: 0, detail: "")
    for parameter in parameters { add(parameter) }
  }

  private mutating func add(_ parameter: EventParameter) {
    switch parameter {
    case .method(let method): code = method.rawValue
    case .lock(let reason): code = reason.rawValue
    case .request(let request): code = request.rawValue
    case .failure(let failure): code = failure?.rawValue ?? 0
    case .verdict(let verdict): code = verdict.rawValue
    case .cause(let cause): code = cause.rawValue
    case .kind(let kind): code = kind.rawValue
    case .gap(let unit): code = unit.rawValue
    case .isCancelled(let flag), .isReplaced(let flag): code = flag ? 1 : 0
    case .strikes(let number), .count(let number), .minutes(let number), .items(let number): count = UInt32(clamping: number)
    case .finger(let finger): detail = finger?.name ?? ""
    case .session(let session): detail = session.text
    case .passkey(let passkey): detail = passkey.text
    }
  }

  /// A field is of no value that its event could have.
  struct Fault: Error {}

  var flag: Bool { code == 1 }
  var number: Int { Int(count) }

  func value<Value: RawRepresentable<UInt8>>() throws(Fault) -> Value {
    guard let value = Value(rawValue: code) else { throw Fault() }
    return value
  }

  func optionalValue<Value: RawRepresentable<UInt8>>() throws(Fault) -> Value? { code == 0 ? nil : try value() }

  func finger() throws(Fault) -> Finger {
    guard let finger = Finger(name: detail) else { throw Fault() }
    return finger
  }

  func optionalFinger() throws(Fault) -> Finger? { detail.isEmpty ? nil : try finger() }

  func passkey() throws(Fault) -> PasskeyName {
    guard let passkey = PasskeyName(detail) else { throw Fault() }
    return passkey
  }

  func session() throws(Fault) -> SessionName {
    guard let session = SessionName(detail) else { throw Fault() }
    return session
  }
}
