import SignetFiles
import SignetTokens
import SignetWire

/// Where events go: the journal, and the history of the user to whom they happened.
///
/// Recording never fails and never waits for a disk. On the path of a login it comes after the reply.
final class AuditTrail: Sendable {
  private let history: History

  init(history: History) { self.history = history }

  /// Records an event. `user` is to whom it happened, whoever asked: what a stranger tries is in the history of the one
  /// whom it was tried on.
  func record(_ event: AuditEvent, of user: User, by requester: Requester) { record([event], of: user, by: requester) }

  /// Records events that happened together, in their order.
  func record(_ events: [AuditEvent], of user: User, by requester: Requester) {
    // The history first: whoever sees the entry in the log finds the row.
    remember(events, of: user, by: requester)
    for event in events { Log.write(event.entry(of: user, by: requester)) }
  }

  private func remember(_ events: [AuditEvent], of user: User, by requester: Requester) {
    let (time, row) = (wallSeconds(), requester.row)
    let rows = events.filter(\.isKept).map { event in
      EventRow(time: time, kind: event.kind, code: event.code, count: event.count, detail: event.detail, requester: row)
    }
    if rows.isEmpty { return }
    do throws(SystemError) {
      try history.append(rows, of: user)
    } catch {
      Log.write(.error, "the history of \(user.name) is not kept: \(error.description)")
    }
  }

  func rows(of user: User) -> History.Rows { history.rows(of: user) }
}

extension AuditEvent {
  /// Whether it is something that the user would look for: not that a user without fingers was not asked for one.
  fileprivate var isKept: Bool { self != .ended(.biometryNotEnrolled) && self != .ended(.notInteractive) }
}

extension User {
  /// Whose session it is.
  init(of session: Session) {
    uid = session.uid
    name = session.user
  }
}
