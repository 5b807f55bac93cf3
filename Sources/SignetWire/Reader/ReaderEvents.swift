import SignetBytes
import SignetMemory
import SignetVocabulary

/// What signet-reader tells signetd. Hostile input all the same: the process behind it talks to USB devices.
public enum ReaderEvent: Equatable, Sendable {
  case reader(operation: UInt32, ReaderDescription)
  case listed(operation: UInt32)
  case opened(operation: UInt32)
  /// The reader now waits for a finger.
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

  public enum Kind: UInt8, CaseIterable, Sendable {
    case reader = 1, listed, opened, armed, match, miss, poorScan, enrollStage, enrolled, pruned, idle, failed
  }

  /// The operation it belongs to.
  public var operation: UInt32 {
    switch self {
    case .reader(let operation, _), .listed(let operation), .opened(let operation), .armed(let operation),
      .match(let operation, _), .miss(let operation), .poorScan(let operation, _), .enrollStage(let operation, _),
      .enrolled(let operation, _), .pruned(let operation, _), .idle(let operation), .failed(let operation, _, _):
      operation
    }
  }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    let operation = try fields.uint32()
    switch kind {
    case .reader: self = .reader(operation: operation, try ReaderDescription(parsing: &fields))
    case .listed: self = .listed(operation: operation)
    case .opened: self = .opened(operation: operation)
    case .armed: self = .armed(operation: operation)
    case .match: self = .match(operation: operation, index: try fields.uint16())
    case .miss: self = .miss(operation: operation)
    case .poorScan:
      guard let retry = ScanRetry(rawValue: try fields.byte()) else { throw .badValue }
      self = .poorScan(operation: operation, retry)
    case .enrollStage: self = .enrollStage(operation: operation, completed: try fields.byte())
    case .enrolled: self = .enrolled(operation: operation, try fields.template())
    case .pruned: self = .pruned(operation: operation, count: try fields.uint16())
    case .idle: self = .idle(operation: operation)
    case .failed:
      guard let failure = ReaderFailure(rawValue: try fields.byte()) else { throw .badValue }
      self = .failed(operation: operation, failure, explanation: try fields.text(limit: FieldLimit.explanation))
    }
    try fields.end()
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    switch self {
    case .reader(let operation, let description):
      try packet.begin(Kind.reader, operation)
      try description.write(into: &packet)
    case .listed(let operation): try packet.begin(Kind.listed, operation)
    case .opened(let operation): try packet.begin(Kind.opened, operation)
    case .armed(let operation): try packet.begin(Kind.armed, operation)
    case .match(let operation, let index):
      try packet.begin(Kind.match, operation)
      try packet.put(UInt64(index), size: 2)
    case .miss(let operation): try packet.begin(Kind.miss, operation)
    case .poorScan(let operation, let retry):
      try packet.begin(Kind.poorScan, operation)
      try packet.put(retry.rawValue)
    case .enrollStage(let operation, let completed):
      try packet.begin(Kind.enrollStage, operation)
      try packet.put(completed)
    case .enrolled(let operation, let template):
      try packet.begin(Kind.enrolled, operation)
      try packet.put(template: template)
    case .pruned(let operation, let count):
      try packet.begin(Kind.pruned, operation)
      try packet.put(UInt64(count), size: 2)
    case .idle(let operation): try packet.begin(Kind.idle, operation)
    case .failed(let operation, let failure, let explanation):
      try packet.begin(Kind.failed, operation)
      try packet.put(failure.rawValue)
      try packet.put(text: explanation, limit: FieldLimit.explanation)
    }
  }
}
