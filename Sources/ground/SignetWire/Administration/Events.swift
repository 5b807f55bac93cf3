#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// One event of a user's history.
public struct EventRow: Equatable, Sendable {
  /// Seconds since 1970, by the clock of then.
  public var time: UInt64
  public var event: Event
  public var requester: EventRequester

  public init(time: UInt64, event: Event, requester: EventRequester) {
    self.time = time
    self.event = event
    self.requester = requester
  }
}

extension EventRow: FieldForm {
  package static let blank = EventRow(time: 0, event: .reset, requester: EventRequester())

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = EventRow(time: try fields.passed(time), event: try fields.passed(event), requester: try fields.passed(requester))
  }
}

extension Event: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    let form = form
    let passed = EventForm(
      kind: try fields.passed(form.kind), code: try fields.passed(form.code), count: try fields.passed(form.count),
      detail: try fields.passed(form.detail, limit: FieldLimit.name))
    guard let event = Event(passed) else { throw .badValue }
    self = event
  }
}

extension EventRequester: FieldForm {
  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    self = EventRequester(
      pid: try fields.passed(pid), uid: try fields.passed(uid), loginUser: try fields.passed(loginUser),
      session: try fields.passed(session), program: try fields.passed(program, limit: FieldLimit.program),
      service: try fields.passed(service, limit: FieldLimit.name), terminal: try fields.passed(terminal, limit: FieldLimit.name))
  }
}
