import DaemonConnections
import DaemonReaders
import DaemonService
import SignetVocabulary

extension Attempt {
  /// Which readers there are, or why that is not known.
  enum KnownReaders {
    case readers([ReaderDescription])
    case unknown
    /// The client asked for something else meanwhile.
    case request(RequestKind)
  }

  private enum Ended: Error {
    case request(RequestKind)
    case interrupted(ClientConnection.Interruption)
  }

  /// Opens no reader. `heartbeats`: whether the client is told meanwhile that signetd is alive.
  func inventory(heartbeats: Bool) throws(ClientConnection.Interruption) -> KnownReaders {
    do throws(Ended) {
      let listed = try prover.readers.inventory { reader, news throws(Ended) in try wait(for: reader, news, heartbeats) }
      guard case .readers(let readers) = listed else { return .unknown }
      return .readers(readers)
    } catch {
      switch error {
      case .request(let kind): return .request(kind)
      case .interrupted(let why): throw why
      }
    }
  }

  private func wait(for reader: Int32, _ news: Int32, _ heartbeats: Bool) throws(Ended) {
    var asked: RequestKind?
    do throws(ClientConnection.Interruption) {
      let ready = try client.wait(for: reader, news, until: .max, heartbeats: heartbeats)
      if case .request(let kind) = ready { asked = kind }
    } catch { throw .interrupted(error) }
    if let asked { throw .request(asked) }
  }
}
