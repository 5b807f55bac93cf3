import SignetBytes
import SignetMemory
import SignetVocabulary

/// What signetd may ask of signet-reader, one packet each on their socketpair. `operation` numbers grow with each open,
/// enroll or identify; events repeat them, so that a verdict can be told from an older one's.
///
/// A scan goes: `open`, `template` for each enrolled finger (these two may be sent before the strike is durable),
/// `identify` (after it), an event, then `close`. After a `poorScan` the templates are still loaded: `identify` again.
public enum ReaderCommand: Equatable, Sendable {
  /// Answer with `reader` events, then `listed`; at once, whatever runs.
  case list(operation: UInt32)
  /// Open this reader: `opened` or `failed`. A reader that is open is closed first, and its templates are forgotten; one
  /// that is still closing is waited for.
  case open(operation: UInt32, reader: String)
  /// Open a further reader beside those that are open, `openLimit` in all: `opened` or `failed`. `identify` then is one scan on all of them,
  /// told as one: the first verdict is its verdict, and it fails where it has failed on each.
  case openBeside(operation: UInt32, reader: String)
  /// Add a template to those of the reader that this operation opened, or else of the first; its index counts from 0 in the order
  /// sent, over all readers. No answer: one that cannot be read keeps its index and matches nothing.
  case template(operation: UInt32, ClearTemplate)
  /// Arm the reader once: `armed` when it needs a finger (left out where a finger that lay there already is decided at once),
  /// `finger` and `fingerOff` as the driver sees them, one of `match`, `miss`, `poorScan`, `failed`; `idle` when the reader is
  /// done. One template is verified (1:1), several are
  /// identified (1:N); where the driver cannot identify, one is verified: the one of `choose`, or else the first.
  case identify(operation: UInt32)
  /// Enroll a finger: `armed` once, `finger`, `fingerOff`, `enrollStage` and `poorScan` as they come, then `enrolled` or
  /// `failed`; then `idle`. With templates loaded, and a driver that can identify, the finger is looked for among them first,
  /// by one scan more: if it is there, `match`, then `failed(.duplicate)`; if not, `enrollStage` with none completed.
  case enroll(operation: UInt32)
  /// End this operation, running or waiting: its `failed(.cancelled)` unless it was over, then `idle`. A verdict that was
  /// there first is told all the same.
  case cancel(operation: UInt32)
  /// Remove this template from a match-on-chip reader's storage: `idle`, or `failed`.
  case deletePrint(operation: UInt32, ClearTemplate)
  /// Remove every print from the chip that is not among the loaded templates: `pruned`, or `failed`. Nothing is removed
  /// where a loaded template cannot be read.
  case prune(operation: UInt32)
  /// Remove every print from the chip: `idle`, or `failed`.
  case clearStorage(operation: UInt32)
  /// Close the reader and forget the templates: `idle`.
  case close(operation: UInt32)
  /// Look into a print that another program enrolled: `examined`, or `failed` where libfprint can make nothing of it. No reader is
  /// opened for it.
  case examine(operation: UInt32, ClearTemplate)
  /// The template with this index is the one that its reader's next scans are compared with, where its driver cannot identify. No answer.
  case choose(operation: UInt32, index: UInt16)

  /// So many readers are open side by side at most. A docked laptop has two.
  public static var openLimit: Int { 4 }

  /// The operation it is for.
  public var operation: UInt32 {
    switch self {
    case .list(let operation), .open(let operation, _), .openBeside(let operation, _), .template(let operation, _),
      .identify(let operation), .enroll(let operation), .cancel(let operation), .deletePrint(let operation, _),
      .prune(let operation),
      .clearStorage(let operation), .close(let operation), .examine(let operation, _), .choose(let operation, _):
      operation
    }
  }

  public enum Kind: UInt8, CaseIterable, Sendable {
    case list = 1, open, template, identify, enroll, cancel, deletePrint, prune, clearStorage, close, examine, openBeside, choose
  }
}

extension ReaderCommand: PacketForm {
  public init(parsing packet: Span<UInt8>) throws(FormatError) { self = try .read(packet) }
  public func write(into packet: inout SecretBytes) throws(FormatError) { try put(into: &packet) }

  public var kind: Kind {
    switch self {
    case .list: .list
    case .open: .open
    case .openBeside: .openBeside
    case .template: .template
    case .identify: .identify
    case .enroll: .enroll
    case .cancel: .cancel
    case .deletePrint: .deletePrint
    case .prune: .prune
    case .clearStorage: .clearStorage
    case .close: .close
    case .examine: .examine
    case .choose: .choose
    }
  }

  package static let all: [ReaderCommand] =
    [list, identify, enroll, cancel, prune, clearStorage, close].map { $0(0) }
    + [open, openBeside].map { $0(0, "") } + [template, deletePrint, examine].map { $0(0, .blank) }
    + [.choose(operation: 0, index: 0)]

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    let operation = try fields.passed(operation)
    switch self {
    case .list: self = .list(operation: operation)
    case .open(_, let reader): self = .open(operation: operation, reader: try fields.passed(reader, limit: FieldLimit.name))
    case .openBeside(_, let reader):
      self = .openBeside(operation: operation, reader: try fields.passed(reader, limit: FieldLimit.name))
    case .template(_, let template): self = .template(operation: operation, try fields.passed(template))
    case .identify: self = .identify(operation: operation)
    case .enroll: self = .enroll(operation: operation)
    case .cancel: self = .cancel(operation: operation)
    case .deletePrint(_, let template): self = .deletePrint(operation: operation, try fields.passed(template))
    case .prune: self = .prune(operation: operation)
    case .clearStorage: self = .clearStorage(operation: operation)
    case .close: self = .close(operation: operation)
    case .examine(_, let template): self = .examine(operation: operation, try fields.passed(template))
    case .choose(_, let index): self = .choose(operation: operation, index: try fields.passed(index))
    }
  }
}
