// DaemonAudit records what happened: for the journal, and for each user's history on disk. Nothing is decided by it.
import DaemonService
import Glibc
import SignetAuthentication
import SignetFiles
import SignetVocabulary
import SignetWire
import Synchronization

/// Where events go: the journal, and the history of the user to whom they happened.
///
/// Recording never fails and never waits for a disk. Where auditd runs, it waits until the kernel has taken what auditd is told, as
/// sudo does.
package final class AuditTrail: Sendable {
  private struct Occurrence {
    var events: [Event]
    var user: User
    var requester: Requester
    /// For whom the thread works that records it. Another one may write it.
    var origin: RequestOrigin.Source?
    var time: UInt64
  }

  private let history: History
  /// In the order in which things happened. This lock is not held while a disk or a log is waited for.
  private let waiting = Mutex<[Occurrence]>([])
  /// Held from taking what waits until it is written, so that the order stays.
  private let writing = Mutex(())
  /// Is there while auditd runs.
  private let auditd: String

  package init(history: History, auditd: String = AuditTrail.auditd) { (self.history, self.auditd) = (history, auditd) }

  package static let auditd = "/run/auditd.pid"

  /// Records an event. `user` is the one to whom it happened, not the one who asked: what a stranger tries on a user stands in
  /// that user's history.
  package func record(_ event: Event, of user: User, by requester: Requester) { record([event], of: user, by: requester) }

  /// Records events that happened together, in their order.
  package func record(_ events: [Event], of user: User, by requester: Requester) {
    announce(events, of: user, by: requester)
    flush()
  }

  /// Queues events for `flush`, or for the next `record`, to write. It is for the moment between a verdict and the reply: no
  /// time is spent on writing, and yet these events come before whatever the client does after the reply.
  package func announce(_ events: [Event], of user: User, by requester: Requester) {
    let occurrence = Occurrence(
      events: events, user: user, requester: requester, origin: ThreadOrigin.present, time: wallSeconds())
    waiting.withLock { $0.append(occurrence) }
  }

  package func flush() {
    writing.withLock { _ in
      let taken = waiting.withLock { waiting in
        defer { waiting.removeAll() }
        return waiting
      }
      for occurrence in taken { write(occurrence) }
    }
  }

  /// Writes what the histories still have to say, before signetd ends.
  package func close() {
    flush()
    history.close()
  }

  private func write(_ occurrence: Occurrence) {
    // The log last: whoever sees the entry in it finds the row, and auditd's record.
    remember(occurrence)
    for event in occurrence.events where event.isLogged {
      tellAuditd(of: event, occurrence)
      let entry = event.entry(of: occurrence.user, by: occurrence.requester)
      Log.write(entry, kind: EventEntry(event.kind).message, for: event.isCheap ? occurrence.origin : nil)
    }
  }

  private func tellAuditd(of event: Event, _ occurrence: Occurrence) {
    guard let record = AuditRecord(event), unsafe access(auditd, F_OK) == 0 else { return }
    guard record.write(about: occurrence.user, on: occurrence.requester.terminal) else {
      return Log.write(.warning, "auditd runs, and takes no record of signetd")
    }
  }

  private func remember(_ occurrence: Occurrence) {
    let user = occurrence.user
    let row = occurrence.requester.row
    let rows = occurrence.events.filter(\.isKept).map { EventRow(time: occurrence.time, event: $0, requester: row) }
    if rows.isEmpty { return }
    do throws(SystemError) {
      try history.append(rows, of: user)
    } catch {
      Log.write(.error, "the history of \(user.name) is not kept: \(error.description)")
    }
  }

  package func rows(of user: User) -> History.Rows { history.rows(of: user) }
}

extension Event {
  /// Whether it is something that an administrator would look for: not each login of everybody who has no finger.
  fileprivate var isLogged: Bool { self != .ended(.biometryNotEnrolled) }

  /// Whether it is something that the user would look for: not that a user without fingers was not asked for one.
  fileprivate var isKept: Bool { self != .ended(.biometryNotEnrolled) && self != .ended(.notInteractive) }
}
