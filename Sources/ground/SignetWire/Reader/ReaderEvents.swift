import SignetBytes
import SignetMemory
import SignetVocabulary

/// What signet-reader tells signetd. Hostile input all the same: the process behind it talks to USB devices.
public enum ReaderEvent: Equatable, Sendable {
  case reader(operation: UInt32, ReaderDescription)
  case listed(operation: UInt32)
  case opened(operation: UInt32)
  /// The reader now needs a finger, and says so itself; where a driver never says it, its call is running. What goes wrong
  /// while the reader is made ready comes before it, and no finger had a part in that.
  case armed(operation: UInt32)
  /// The finger matched the template with this index.
  case match(operation: UInt32, index: UInt16)
  case miss(operation: UInt32)
  case poorScan(operation: UInt32, ScanRetry)
  case enrollStage(operation: UInt32, completed: UInt8)
  case enrolled(operation: UInt32, ClearTemplate)
  /// How many prints the chip lost.
  case pruned(operation: UInt32, count: UInt16)
  /// The operation is over and the reader may be given another.
  case idle(operation: UInt32)
  case failed(operation: UInt32, ReaderFailure, explanation: String)
  /// A finger was seen on the reader: at most once a touch, before the verdict of that touch, and before `armed` where the
  /// finger lay there already. Not every driver can tell; `match`, `miss` and `poorScan` prove a finger as well.
  case finger(operation: UInt32)
  /// The finger of the last `finger` was seen to be lifted: before the verdict or after it, but never after `idle`, because
  /// libfprint forgets the finger with the end of its call. So without it nobody knows whether the finger still lies there.
  case fingerOff(operation: UInt32)
  /// What is in a print.
  case examined(operation: UInt32, ForeignPrint)

  public enum Kind: UInt8, CaseIterable, Sendable {
    case reader = 1, listed, opened, armed, match, miss, poorScan, enrollStage, enrolled, pruned, idle, failed, finger
    case fingerOff, examined
  }

  /// The operation it belongs to.
  public var operation: UInt32 {
    switch self {
    case .reader(let operation, _), .listed(let operation), .opened(let operation), .armed(let operation),
      .match(let operation, _), .miss(let operation), .poorScan(let operation, _), .enrollStage(let operation, _),
      .enrolled(let operation, _), .pruned(let operation, _), .idle(let operation), .failed(let operation, _, _),
      .finger(let operation), .fingerOff(let operation), .examined(let operation, _):
      operation
    }
  }
}

extension ReaderEvent: PacketForm {
  public init(parsing packet: Span<UInt8>) throws(FormatError) { self = try .read(packet) }
  public func write(into packet: inout SecretBytes) throws(FormatError) { try put(into: &packet) }

  public var kind: Kind {
    switch self {
    case .reader: .reader
    case .listed: .listed
    case .opened: .opened
    case .armed: .armed
    case .match: .match
    case .miss: .miss
    case .poorScan: .poorScan
    case .enrollStage: .enrollStage
    case .enrolled: .enrolled
    case .pruned: .pruned
    case .idle: .idle
    case .failed: .failed
    case .finger: .finger
    case .fingerOff: .fingerOff
    case .examined: .examined
    }
  }

  package static let all: [ReaderEvent] =
    [listed, opened, armed, miss, idle, finger, fingerOff].map { $0(0) }
    + [
      .reader(operation: 0, .blank), .match(operation: 0, index: 0), .poorScan(operation: 0, .general),
      .enrollStage(operation: 0, completed: 0), .enrolled(operation: 0, .blank), .pruned(operation: 0, count: 0),
      .failed(operation: 0, .other, explanation: ""), .examined(operation: 0, .blank),
    ]

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    let operation = try fields.passed(operation)
    switch self {
    case .reader(_, let reader):
      var passed = try fields.passed(reader)
      passed.isBuiltIn = try fields.passed(reader.isBuiltIn)
      self = .reader(operation: operation, passed)
    case .listed: self = .listed(operation: operation)
    case .opened: self = .opened(operation: operation)
    case .armed: self = .armed(operation: operation)
    case .match(_, let index): self = .match(operation: operation, index: try fields.passed(index))
    case .miss: self = .miss(operation: operation)
    case .poorScan(_, let retry): self = .poorScan(operation: operation, try fields.passed(retry))
    case .enrollStage(_, let completed): self = .enrollStage(operation: operation, completed: try fields.passed(completed))
    case .enrolled(_, let template): self = .enrolled(operation: operation, try fields.passed(template))
    case .pruned(_, let count): self = .pruned(operation: operation, count: try fields.passed(count))
    case .idle: self = .idle(operation: operation)
    case .failed(_, let failure, let explanation):
      self = .failed(
        operation: operation, try fields.passed(failure),
        explanation: try fields.passed(explanation, limit: FieldLimit.explanation))
    case .finger: self = .finger(operation: operation)
    case .fingerOff: self = .fingerOff(operation: operation)
    case .examined(_, let print): self = .examined(operation: operation, try fields.passed(print))
    }
  }
}
