// DaemonService is signetd's ground floor: what any service needs. Log and journal, clocks, threads, child processes, users and
// peers as the system knows them, and what systemd is told.
import Glibc
import SignetAuthentication
import Synchronization

/// Structured log lines, to the journal where standard error is connected to it, else to standard error. A field is a
/// name, a number or a reason; secrets have no place here and no type that could be passed.
package enum Log {
  package typealias Level = JournalEntry.Level
  package typealias Fields = JournalEntry.Fields

  /// What happened, and its fields by name. Safe from any thread.
  package static func write(
    _ level: Level, _ message: String, _ fields: Fields = [], for origin: RequestOrigin.Source? = ThreadOrigin.present
  ) {
    write(JournalEntry(level: level, message: message, fields: fields), kind: message, for: origin)
  }

  /// `origin` is who has caused it without having proved anything, and has a share of the log for that; `nil` for what is always
  /// written.
  package static func write(_ entry: JournalEntry, kind: String = "", for origin: RequestOrigin.Source? = nil) {
    guard let origin else { return put(entry) }
    let (isWritten, sums) = shares.withLock { $0.admit(kind, by: origin, at: bootMilliseconds()) }
    for sum in sums { put(JournalEntry(sum)) }
    if isWritten { put(entry) }
  }

  /// Writes what is not written yet of those who were beyond their share, before signetd ends.
  package static func close() {
    for sum in shares.withLock({ $0.end() }) { put(JournalEntry(sum)) }
  }

  private static func put(_ entry: JournalEntry) {
    if let journal = journal.withLock({ $0 }), journal.send(entry) { return }
    lines.write(entry)
  }

  /// Takes the journal at this socket, whatever standard error is (`--journal`).
  package static func useJournal(at path: String) { journal.withLock { $0 = Journal(path: path) } }

  private static let shares = Mutex(LogShares())
  private static let lines = LineLog(STDERR_FILENO)
  private static let journal = Mutex<Journal?>(isStandardError ? Journal(path: Journal.systemPath) : nil)

  /// systemd sets JOURNAL_STREAM to device and inode of the stream it connected (systemd.exec(5)).
  private static var isStandardError: Bool {
    guard let value = unsafe getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard unsafe fstat(2, &status) == 0 else { return false }
    return unsafe String(cString: value) == "\(status.st_dev):\(status.st_ino)"
  }
}

extension JournalEntry {
  fileprivate init(_ sum: LogShares.Sum) {
    self.init(
      level: .notice, message: "more log entries of this kind, not written",
      fields: [
        ("entry", sum.kind.isEmpty ? "others" : sum.kind), ("count", "\(sum.count)"),
        ("from", sum.origin?.description ?? "other users"),
      ])
  }
}
