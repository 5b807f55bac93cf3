import SignetVocabulary
import SignetWire

/// One scan on several readers at a time, told as one: the first verdict is the scan's, whatever the others say after it, so that it
/// is one look for one strike. There is no I/O in here.
struct SharedScan {
  private struct Reader {
    var isRunning = true
    var isArmed = false
    /// Whether a finger was seen on it at any time, and whether it may lie there now.
    var sawFinger = false
    var hasFinger = false
    var failure: (ReaderFailure, String)?

    /// Whether its failure may hide a verdict, as signetd judges that of a single reader.
    var isDoubtful: Bool { sawFinger || isArmed && failure?.0 != .tooHot }
  }

  let operation: UInt32
  private var readers: [Reader]
  private var isArmed = false
  /// Whether the scan has its verdict, or has failed everywhere.
  private(set) var isDecided = false

  init(_ operation: UInt32, readers count: Int) {
    self.operation = operation
    readers = Array(repeating: Reader(), count: count)
  }

  /// Those whose scan has not ended; the scan is over when none is left.
  var running: [Int] { readers.indices.filter { readers[$0].isRunning } }

  /// Takes what one reader says of this scan. Returns what is said of it as a whole.
  mutating func hear(_ event: ReaderEvent, from reader: Int) -> [ReaderEvent] {
    guard readers.indices.contains(reader), readers[reader].isRunning else { return [] }
    switch event {
    case .armed: return arm(reader)
    case .finger: return seeFinger(on: reader)
    case .fingerOff: return seeFingerLifted(from: reader)
    case .match, .miss, .poorScan: return decide(event, by: reader)
    case .failed(_, let failure, let explanation):
      readers[reader].failure = (failure, explanation)
      return concludeFailures()
    case .idle: return end(reader)
    case .reader, .listed, .opened, .enrollStage, .enrolled, .pruned, .examined: return []
    }
  }

  private mutating func arm(_ reader: Int) -> [ReaderEvent] {
    readers[reader].isArmed = true
    if isArmed || isDecided { return [] }
    isArmed = true
    return [.armed(operation: operation)]
  }

  private mutating func seeFinger(on reader: Int) -> [ReaderEvent] {
    let wasThere = readers.contains(where: \.hasFinger)
    readers[reader].sawFinger = true
    readers[reader].hasFinger = true
    return wasThere ? [] : [.finger(operation: operation)]
  }

  /// Said when the last finger is gone: on the others one may still lie.
  private mutating func seeFingerLifted(from reader: Int) -> [ReaderEvent] {
    guard readers[reader].hasFinger else { return [] }
    readers[reader].hasFinger = false
    return readers.contains(where: \.hasFinger) ? [] : [.fingerOff(operation: operation)]
  }

  private mutating func decide(_ verdict: ReaderEvent, by reader: Int) -> [ReaderEvent] {
    if isDecided {
      // It counts for nothing, but there was a finger, and nobody knows whether it is gone.
      return readers[reader].sawFinger ? [] : seeFinger(on: reader)
    }
    readers[reader].sawFinger = true
    isDecided = true
    return [verdict]
  }

  /// The scan has failed where it has on every reader. What may hide a verdict is told before what cannot, and that it was cancelled
  /// before what had kept a reader from it; of that, the reader that tells of no finger speaks first.
  private mutating func concludeFailures() -> [ReaderEvent] {
    guard !isDecided, readers.allSatisfy({ $0.failure != nil }) else { return [] }
    isDecided = true
    let isUnseen = { (reader: Reader) in reader.failure?.0 == .cancelledUnseen }
    let isCancel = { (reader: Reader) in reader.failure?.0 == .cancelled || isUnseen(reader) }
    let told =
      readers.first { !isCancel($0) && $0.isDoubtful } ?? readers.first(where: isUnseen) ?? readers.first(where: isCancel)
      ?? readers.first { $0.failure?.0 == .tooHot } ?? readers.first
    guard let (failure, explanation) = told?.failure else { return [] }
    return [.failed(operation: operation, failure, explanation: explanation)]
  }

  private mutating func end(_ reader: Int) -> [ReaderEvent] {
    if readers[reader].failure == nil { readers[reader].failure = (.other, "the driver gave no verdict") }
    readers[reader].isRunning = false
    return concludeFailures() + (running.isEmpty ? [.idle(operation: operation)] : [])
  }
}
