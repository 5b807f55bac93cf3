import SignetVocabulary
import SignetWire

/// One question to signet-reader, which readers there are, and its answer. A value without I/O.
struct ReaderListing {
  /// How long an answer serves who asks next, in milliseconds: somebody who asks without end costs one question a second.
  private static let age: Int64 = 1_000
  /// The most readers in an answer.
  static let most = 64

  private enum State {
    case none
    case asked(UInt32, found: [ReaderDescription])
    case answered([ReaderDescription], at: Int64)
  }

  private var state = State.none

  /// The question has this number.
  mutating func ask(_ operation: UInt32) { state = .asked(operation, found: []) }

  /// The question has no answer, because signet-reader is gone or silent.
  mutating func fail() { state = .none }

  /// Something has changed since the last answer.
  mutating func outdate() { if case .answered = state { state = .none } }

  var isAsked: Bool { if case .asked = state { true } else { false } }

  mutating func note(_ event: ReaderEvent, at now: Int64) {
    guard case .asked(let operation, var found) = state, event.operation == operation else { return }
    switch event {
    case .reader(_, let reader):
      if found.count < ReaderListing.most { found.append(reader) }
      state = .asked(operation, found: found)
    case .listed: state = .answered(found, at: now)
    default: break
    }
  }

  /// The answer, where there is one that is fresh.
  func answer(at now: Int64) -> [ReaderDescription]? {
    guard case .answered(let readers, let time) = state, now - time < ReaderListing.age else { return nil }
    return readers
  }
}
