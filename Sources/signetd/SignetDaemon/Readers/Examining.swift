import DaemonService
import SignetVocabulary
import SignetWire

extension ReaderSession {
  /// What signet-reader made of a print that another program enrolled.
  package enum Examination: Equatable {
    case print(ForeignPrint)
    /// Nothing, in its words.
    case unusable(String)
  }

  /// How long signet-reader may take over one, in milliseconds: it may have to look for readers first.
  private static let examiningLimit: Int64 = 10_000

  /// Has signet-reader look into a print. What the client asks for meanwhile is passed over: this is short.
  package func examine(_ print: ClearTemplate) throws(Refusal) -> Examination {
    guard let operation = try? begin({ .examine(operation: $0, print) }) else { throw .readerEnded }
    let deadline = bootMilliseconds() + ReaderSession.examiningLimit
    while true {
      switch next(of: operation, until: deadline, yields: false) {
      case .event(.examined(_, let print)): return .print(print)
      case .event(.failed(_, _, let explanation)): return .unusable(explanation)
      case .event, .request: continue
      case .deadline:
        giveUp()
        throw .readerUnavailable
      case .trouble: throw .readerEnded
      case .interrupted, .recalled: throw .cancelled
      }
    }
  }
}
