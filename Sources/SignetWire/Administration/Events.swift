import SignetBytes
import SignetMemory
import SignetVocabulary

extension EventRequester {
  @_lifetime(fields: copy fields)
  init(parsing fields: inout ByteReader) throws(FormatError) {
    self.init(
      pid: try fields.uint32(), uid: try fields.uint32(), loginUser: try fields.uint32(), session: try fields.uint32(),
      program: try fields.text(limit: FieldLimit.program), service: try fields.text(limit: FieldLimit.name),
      terminal: try fields.text(limit: FieldLimit.name))
  }

  func write(into packet: inout SecretBytes) throws(FormatError) {
    for number in [pid, uid, loginUser, session] { try packet.put(UInt64(number), size: 4) }
    try packet.put(text: program, limit: FieldLimit.program)
    try packet.put(text: service, limit: FieldLimit.name)
    try packet.put(text: terminal, limit: FieldLimit.name)
  }
}

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

  @_lifetime(fields: copy fields)
  public init(parsing fields: inout ByteReader) throws(FormatError) {
    time = try fields.uint64()
    event = try Event(parsing: &fields)
    requester = try EventRequester(parsing: &fields)
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.put(time, size: 8)
    try event.write(into: &packet)
    try requester.write(into: &packet)
  }
}

extension Event {
  @_lifetime(fields: copy fields)
  fileprivate init(parsing fields: inout ByteReader) throws(FormatError) {
    guard let kind = Kind(rawValue: try fields.byte()) else { throw .badValue }
    let form = EventForm(
      kind: kind, code: try fields.byte(), count: try fields.uint32(), detail: try fields.text(limit: FieldLimit.name))
    guard let event = Event(form) else { throw .badValue }
    self = event
  }

  fileprivate func write(into packet: inout SecretBytes) throws(FormatError) {
    let form = form
    try packet.put(form.kind.rawValue)
    try packet.put(form.code)
    try packet.put(UInt64(form.count), size: 4)
    try packet.put(text: form.detail, limit: FieldLimit.name)
  }
}
