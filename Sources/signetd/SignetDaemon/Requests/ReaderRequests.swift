import DaemonConnections
import DaemonProving
import DaemonReaders
import DaemonService
import SignetVocabulary
import SignetWire

/// What is asked of the readers: which there are, and, by signet-sleep.service, to let go of them before a sleep.
struct ReaderRequests {
  let readers: ReaderStation
  let lid: LidPolicy
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  func list() throws(Interruption) {
    client.phase = .working
    let listed = try readers.list { reader, news throws(Interruption) in
      _ = try client.wait(for: reader, news, until: .max)
      return true
    }
    switch listed {
    case .asleep: client.refuse(.asleep)
    case .unavailable: client.refuse(.readerUnavailable)
    case .readers(let readers):
      for reader in lid.marked(readers) { try client.sendPatiently(.reader(reader)) }
      try client.sendPatiently(.done)
    }
  }

  /// `done` is sent when no reader is in use any more: the machine sleeps then.
  func suspend() throws(Interruption) {
    let begin = monotonicMilliseconds()
    readers.suspend()
    Log.write(.notice, "readers closed for a sleep", [("milliseconds", "\(monotonicMilliseconds() - begin)")])
    try client.send(AdministrationReply.done)
  }

  func resume() throws(Interruption) {
    readers.resume()
    Log.write(.notice, "awake: readers may be used again")
    try client.send(AdministrationReply.done)
  }
}
