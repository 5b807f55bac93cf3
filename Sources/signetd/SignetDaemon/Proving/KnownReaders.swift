import DaemonConnections
import DaemonReaders
import DaemonService
import SignetVocabulary

extension Attempt {
  /// Which readers there are, or `nil` where that is not known. Opens none. `heartbeats`: whether the client is told meanwhile that signetd
  /// is alive.
  func inventory(heartbeats: Bool) throws(ClientConnection.Interruption) -> Waited<[ReaderDescription]?> {
    var asked: RequestKind?
    let listed = try prover.readers.inventory { reader, news throws(ClientConnection.Interruption) in
      let ready = try client.wait(for: reader, news, until: .max, heartbeats: heartbeats)
      if case .request(let kind) = ready { asked = kind }
      return asked == nil
    }
    if let asked { return .request(asked) }
    guard case .readers(let readers) = listed else { return .answer(nil) }
    return .answer(readers)
  }
}
