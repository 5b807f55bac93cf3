import DaemonAccounts
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

  /// Waits until a reader is open, to `deadline` at most; the reason where none will be. Nothing to do where one is.
  mutating func finish(with reader: ReaderSession, until deadline: Int64, _ fields: Log.Fields) -> Evaluation.Stop? {
    while !isOpen {
      switch reader.awaitOpened(operation, until: deadline) {
      case .done: isOpen = true
      case .failed(let failure, let explanation):
        Log.write(
          .warning, "cannot use reader \(current[0].reader): \(explanation)", fields + [("failure", "\(failure ?? .other)")])
        guard begin(with: reader) else { return failure == .tooHot ? .readerTooHot : .readerUnavailable }
      case .request(let kind): return kind == .fallback ? .userFallback : .userCancel
      case .interrupted(let why): return why == .stopping ? .systemCancel : .appCancel
      }
    }
    return nil
  }
}
