import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetVocabulary
import SignetWire

/// Opens each of the user's readers that is there, side by side. Templates belong to one reader, so each is given its own.
struct OpeningReaders {
  private let store: SharedStore
  private let readers: [(reader: String, fingers: [EnrolledFinger])]
  /// Those that are open, or may be yet.
  private var openings: [ReaderSession.Opening] = []
  /// Those whose templates were sent, in that order.
  private var fingers: [EnrolledFinger] = []
  /// What signet-reader says of the readers, where that is asked.
  private var descriptions: [String: ReaderDescription] = [:]
  private var isAnyOpen = false

  init(fingers: [EnrolledFinger], of store: SharedStore) {
    self.store = store
    let byReader = Dictionary(grouping: fingers, by: \.reader)
    readers = byReader.keys.sorted().prefix(ReaderCommand.openLimit).map { ($0, byReader[$0]!) }
  }

  /// Whether the readers are swiped, all of them.
  var isSwipe: Bool { openings.allSatisfy { $0.fingers.allSatisfy(\.isSwipe) } }

  /// For the prompt, where more than one reader is used: what those are called that take this finger, or any.
  func shownNames(for finger: Finger?) -> String {
    guard openings.count > 1 else { return "" }
    let named = openings.filter { opening in finger == nil || opening.fingers.contains { $0.finger == finger } }
    let share = (FieldLimit.name + 3) / max(1, named.count) - 3
    return named.map { (descriptions[$0.reader]?.name ?? $0.reader).shortened(to: share) }.joined(separator: " / ")
  }

  /// The fingers that have to be asked for by name, because their reader compares with one at a time.
  var comparedAlone: [EnrolledFinger] { openings.flatMap(\.fingers).filter { isAlone($0.reader) } }

  /// Has the next scans of such readers compared with this finger.
  func choose(_ finger: Finger, with reader: ReaderSession) throws(ReaderTrouble) {
    for (index, other) in fingers.enumerated() where other.finger == finger && isAlone(other.reader) {
      _ = try reader.begin { .choose(operation: $0, index: UInt16(clamping: index)) }
    }
  }

  private func isAlone(_ reader: String) -> Bool { descriptions[reader]?.canIdentify == false }

  /// The finger of the template that matched; `nil` where the readers were given no such template.
  func finger(_ index: Int) -> Finger? { fingers.indices.contains(index) ? fingers[index].finger : nil }

  /// Starts opening the readers, without waiting; false where there is none to be opened.
  mutating func begin(with reader: ReaderSession) -> Bool {
    guard !readers.isEmpty, let begun = try? reader.beginOpening(readers, of: store.value) else { return false }
    openings = begun.filter { !$0.fingers.isEmpty }
    fingers = openings.flatMap(\.fingers)
    return !openings.isEmpty
  }

  /// Waits until a reader is open and nobody else's finger lies on it, to `deadline` at most; the reason where none can be armed. The
  /// others are armed as soon as they are open, too.
  mutating func finish(with reader: ReaderSession, until deadline: Int64, _ fields: Log.Fields) -> Evaluation.Stop? {
    if !isAnyOpen, let stop = awaitOpen(with: reader, until: deadline, fields) { return stop }
    isAnyOpen = true
    return reader.awaitLift(until: deadline).map(Evaluation.Stop.init)
  }

  private mutating func awaitOpen(
    with reader: ReaderSession, until deadline: Int64, _ fields: Log.Fields
  ) -> Evaluation.Stop? {
    let limit = min(deadline, bootMilliseconds() + ReaderSession.openLimit)
    var failures: [ReaderFailure] = []
    while true {
      switch reader.next(of: nil, until: limit) {
      case .event(.opened(let operation)): if openings.contains(where: { $0.operation == operation }) { return nil }
      case .event(.reader(_, let description)):
        if readers.contains(where: { $0.reader == description.identifier }) { descriptions[description.identifier] = description }
      case .event(.failed(let operation, let failure, let explanation)):
        guard let place = openings.firstIndex(where: { $0.operation == operation }) else { continue }
        let gone = openings.remove(at: place)
        // Of several, one is often somewhere else.
        let level = failure == .notFound && readers.count > 1 ? Log.Level.info : .warning
        Log.write(level, "cannot use reader \(gone.reader): \(explanation)", fields + [("failure", "\(failure)")])
        failures.append(failure)
        if openings.isEmpty { return Evaluation.Stop(failures.first { $0 != .notFound } ?? failure) }
      case .event: continue
      case .deadline where bootMilliseconds() < deadline:
        Log.write(.warning, "cannot use the readers: they did not open in time", fields)
        reader.giveUp()
        return .readerUnavailable
      case let arrival: return Evaluation.Stop(arrival)
      }
    }
  }
}

extension Evaluation.Stop {
  /// What came instead of a reader that could be armed.
  fileprivate init(_ arrival: ReaderSession.Arrival) {
    self =
      switch arrival {
      case .deadline: .timedOut
      case .request(let kind): Evaluation.Stop(kind)
      case .interrupted(let why): Evaluation.Stop(why)
      case .recalled: .readerTaken
      case .event, .trouble: .readerUnavailable
      }
  }

  /// Why a reader is not used; `nil` where it did not answer.
  init(_ failure: ReaderFailure?) {
    self =
      switch failure {
      case .tooHot: .readerTooHot
      case .heldByOther: .readerHeld
      case .notFound, .removed: .readerGone
      default: .readerUnavailable
      }
  }

  /// What the client asked for instead of a scan.
  init(_ request: RequestKind) {
    self =
      switch request {
      case .fallback: .userFallback
      case .passcode: .passcodeTyped
      default: .userCancel
      }
  }

  /// Why the client was not waited for any more.
  init(_ interruption: ClientConnection.Interruption) { self = interruption == .stopping ? .systemCancel : .appCancel }
}
