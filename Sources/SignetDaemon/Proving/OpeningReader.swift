import DaemonAccounts
import DaemonConnections
import DaemonReaders
import DaemonService
import SignetAuthentication
import SignetVocabulary

/// Opens the first of the user's readers that is there. Templates belong to one reader, so each is tried with its own.
struct OpeningReader {
  private let store: SharedStore
  private var untried: [[EnrolledFinger]]
  /// Those whose templates the reader has.
  private var current: [EnrolledFinger] = []
  private var operation: UInt32 = 0
  private var isOpen = false

  init(fingers: [EnrolledFinger], of store: SharedStore) {
    self.store = store
    let byReader = Dictionary(grouping: fingers, by: \.reader)
    untried = byReader.keys.sorted().reversed().map { byReader[$0]! }
  }

  /// Whether the reader is swiped.
  var isSwipe: Bool { current.first?.isSwipe ?? false }

  /// The finger of the template that matched; `nil` where the reader was given no such template.
  func finger(_ index: Int) -> Finger? { current.indices.contains(index) ? current[index].finger : nil }

  /// Starts opening the next reader, without waiting; false where there is none left to try.
  mutating func begin(with reader: ReaderSession) -> Bool {
    while let next = untried.popLast() {
      guard let opening = try? reader.beginOpening(next[0].reader, fingers: next, of: store.value), !opening.fingers.isEmpty
      else { continue }
      operation = opening.operation
      current = opening.fingers
      return true
    }
    return false
  }

  /// Waits until a reader is open and nobody else's finger lies on it, to `deadline` at most; the reason where it cannot be armed.
  mutating func finish(with reader: ReaderSession, until deadline: Int64, _ fields: Log.Fields) -> Evaluation.Stop? {
    while !isOpen {
      switch reader.awaitOpened(operation, until: deadline) {
      case .done: isOpen = true
      case .failed(let failure, let explanation):
        Log.write(
          .warning, "cannot use reader \(current[0].reader): \(explanation)", fields + [("failure", "\(failure ?? .other)")])
        guard begin(with: reader) else { return Evaluation.Stop(failure) }
      case .request(let kind): return Evaluation.Stop(kind)
      case .interrupted(let why): return Evaluation.Stop(why)
      case .recalled: return .readerTaken
      }
    }
    switch reader.awaitLift(until: deadline) {
    case nil: return nil
    case .deadline: return .timedOut
    case .request(let kind): return Evaluation.Stop(kind)
    case .interrupted(let why): return Evaluation.Stop(why)
    case .recalled: return .readerTaken
    case .event, .trouble: return .readerUnavailable
    }
  }
}

extension Evaluation.Stop {
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
