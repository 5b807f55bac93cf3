#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

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
  case imported(ImportRow)
  /// The value is wanted now: `ValueRequest`s.
  case askValue
  /// The request is fulfilled.
  case done
  case refused(Refusal)
}

extension AdministrationReply: PacketForm {
  public init(parsing packet: Span<UInt8>) throws(FormatError) { self = try .read(packet) }
  public func write(into packet: inout SecretBytes) throws(FormatError) { try put(into: &packet) }

  public var kind: ReplyKind {
    switch self {
    case .heartbeat: .heartbeat
    case .show: .show
    case .askPasscode: .askPasscode
    case .enrollStage: .enrollStage
    case .finger, .status, .reader, .session, .event, .item, .vault, .vaultProblem, .imported: .row
    case .askValue: .askValue
    case .done: .done
    case .refused: .refused
    }
  }

  package static let all: [AdministrationReply] =
    [
      .heartbeat, .show(.touchReader, value: 0, detail: ""), .askPasscode(.userFallback),
      .enrollStage(completed: 0, of: 0, retry: nil), .askValue, .done, .refused(.cancelled),
    ] + rows

  private static let rows: [AdministrationReply] = [
    .finger(.blank), .status(.blank), .reader(.blank), .session(.blank), .event(.blank), .item(.blank), .vault(.blank),
    .vaultProblem(.noKey), .imported(.blank),
  ]

  /// What a row has behind its header: of what it is.
  /// 9 and 10 are a context's.
  package enum Row: UInt8 {
    case finger = 1, status, reader, session, event, item, vault, vaultProblem
    case imported = 11
  }

  private var row: Row? {
    switch self {
    case .finger: .finger
    case .status: .status
    case .reader: .reader
    case .session: .session
    case .event: .event
    case .item: .item
    case .vault: .vault
    case .vaultProblem: .vaultProblem
    case .imported: .imported
    case .heartbeat, .show, .askPasscode, .enrollStage, .askValue, .done, .refused: nil
    }
  }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    if let row {
      let passed = try fields.passed(row)
      guard let blank = passed == row ? self : Self.rows.first(where: { $0.row == passed }) else { throw .badValue }
      self = blank
    }
    switch self {
    case .heartbeat, .askValue, .done: break
    case .show(let prompt, let value, let detail):
      self = .show(
        try fields.passed(prompt), value: try fields.passed(value), detail: try fields.passed(detail, limit: FieldLimit.name))
    case .askPasscode(let reason): self = .askPasscode(try fields.passed(reason))
    case .enrollStage(let completed, let all, let retry):
      let (completed, all) = (try fields.passed(completed), try fields.passed(all))
      let isRetry = try fields.passed(retry != nil)
      self = .enrollStage(completed: completed, of: all, retry: isRetry ? try fields.passed(retry ?? .general) : nil)
    case .finger(let row): self = .finger(try fields.passed(row))
    case .status(let row): self = .status(try fields.passed(row))
    case .reader(let row): self = .reader(try fields.passed(row))
    case .session(let row): self = .session(try fields.passed(row))
    case .event(let row): self = .event(try fields.passed(row))
    case .item(let row): self = .item(try fields.passed(row))
    case .vault(let row): self = .vault(try fields.passed(row))
    case .vaultProblem(let error): self = .vaultProblem(try fields.passed(error))
    case .imported(let row): self = .imported(try fields.passed(row))
    case .refused(let refusal): self = .refused(try fields.passed(refusal))
    }
  }
}
