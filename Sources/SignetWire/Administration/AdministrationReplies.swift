import SignetBytes
import SignetMemory
import SignetVocabulary

/// A reply of signetd to the command line; during `enroll` and `delete` also `LoginReply`'s heartbeat, prompts and passcode
/// question, which this type carries too.
public enum AdministrationReply: Equatable, Sendable {
  case heartbeat
  case show(Prompt, value: UInt8, detail: String)
  case askPasscode(PasscodeReason)
  /// A stage of enrolling is complete, or (with a reason) has to be repeated.
  case enrollStage(completed: UInt8, of: UInt8, retry: ScanRetry?)
  case finger(FingerRow)
  case status(StatusRow)
  case reader(ReaderDescription)
  case session(SessionRow)
  case event(EventRow)
  case item(ItemRow)
  case vault(VaultRow)
  /// A file of the vault is at fault.
  case vaultProblem(VaultError)
  /// The value is wanted now: `ValueRequest`s.
  case askValue
  /// The request is fulfilled.
  case done
  case refused(Refusal)

  private enum Row: UInt8 { case finger = 1, status, reader, session, event, item, vault, vaultProblem }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = ReplyKind(rawValue: try fields.header()) else { throw .badValue }
    switch kind {
    case .heartbeat: self = .heartbeat
    case .show:
      guard let prompt = Prompt(rawValue: try fields.byte()) else { throw .badValue }
      let value = try fields.byte()
      self = .show(prompt, value: value, detail: try fields.text(limit: FieldLimit.name))
    case .askPasscode:
      guard let reason = PasscodeReason(rawValue: try fields.byte()) else { throw .badValue }
      self = .askPasscode(reason)
    case .enrollStage:
      let completed = try fields.byte()
      let all = try fields.byte()
      self = .enrollStage(completed: completed, of: all, retry: try fields.flag() ? try fields.scanRetry() : nil)
    case .row: self = try AdministrationReply(row: &fields)
    case .askValue: self = .askValue
    case .done: self = .done
    case .refused: self = .refused(try fields.numbered(Refusal.cancelled))
    case .verdict, .value: throw .badValue
    }
    try fields.end()
  }

  @_lifetime(fields: copy fields)
  private init(row fields: inout ByteReader) throws(FormatError) {
    guard let row = Row(rawValue: try fields.byte()) else { throw .badValue }
    switch row {
    case .finger: self = .finger(try FingerRow(parsing: &fields))
    case .status: self = .status(try StatusRow(parsing: &fields))
    case .reader: self = .reader(try ReaderDescription(parsing: &fields))
    case .session: self = .session(try SessionRow(parsing: &fields))
    case .event: self = .event(try EventRow(parsing: &fields))
    case .item: self = .item(try ItemRow(parsing: &fields))
    case .vault: self = .vault(try VaultRow(parsing: &fields))
    case .vaultProblem: self = .vaultProblem(try fields.numbered(VaultError.noKey))
    }
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    switch self {
    case .heartbeat: try packet.begin(ReplyKind.heartbeat.rawValue)
    case .show(let prompt, let value, let detail):
      try packet.begin(ReplyKind.show.rawValue)
      try packet.put(prompt.rawValue)
      try packet.put(value)
      try packet.put(text: detail, limit: FieldLimit.name)
    case .askPasscode(let reason):
      try packet.begin(ReplyKind.askPasscode.rawValue)
      try packet.put(reason.rawValue)
    case .enrollStage(let completed, let all, let retry):
      try packet.begin(ReplyKind.enrollStage.rawValue)
      try packet.put(completed)
      try packet.put(all)
      try packet.put(retry == nil ? 0 : 1)
      if let retry { try packet.put(retry.rawValue) }
    case .finger(let row):
      try packet.begin(row: Row.finger.rawValue)
      try row.write(into: &packet)
    case .status(let row):
      try packet.begin(row: Row.status.rawValue)
      try row.write(into: &packet)
    case .reader(let row):
      try packet.begin(row: Row.reader.rawValue)
      try row.write(into: &packet)
    case .session(let row):
      try packet.begin(row: Row.session.rawValue)
      try row.write(into: &packet)
    case .event(let row):
      try packet.begin(row: Row.event.rawValue)
      try row.write(into: &packet)
    case .item(let row):
      try packet.begin(row: Row.item.rawValue)
      try row.write(into: &packet)
    case .vault(let row):
      try packet.begin(row: Row.vault.rawValue)
      try row.write(into: &packet)
    case .vaultProblem(let error):
      try packet.begin(row: Row.vaultProblem.rawValue)
      try packet.put(numbered: error)
    case .askValue: try packet.begin(ReplyKind.askValue.rawValue)
    case .done: try packet.begin(ReplyKind.done.rawValue)
    case .refused(let refusal):
      try packet.begin(ReplyKind.refused.rawValue)
      try packet.put(numbered: refusal)
    }
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func scanRetry() throws(FormatError) -> ScanRetry {
    guard let retry = ScanRetry(rawValue: try byte()) else { throw .badValue }
    return retry
  }
}

extension SecretBytes {
  fileprivate mutating func begin(row: UInt8) throws(FormatError) {
    try begin(ReplyKind.row.rawValue)
    try put(row)
  }
}
