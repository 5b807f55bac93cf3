import DaemonReaders
import DaemonService
import SignetWire

/// `suspend` and `resume`, from signet-sleep.service.
extension Administration {
  /// `done` is sent when no reader is in use any more: the machine sleeps then.
  func suspend() throws(Interruption) {
    let begin = monotonicMilliseconds()
    daemon.readers.suspend()
    Log.write(.notice, "readers closed for a sleep", [("milliseconds", "\(monotonicMilliseconds() - begin)")])
    try client.send(AdministrationReply.done)
  }

  func resume() throws(Interruption) {
    daemon.readers.resume()
    Log.write(.notice, "awake: readers may be used again")
    try client.send(AdministrationReply.done)
  }
}
