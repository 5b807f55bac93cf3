import SignetVocabulary
import SignetWire

/// What may be asked in which phase of a connection, and how often. Anything that is not in a row ends the connection
/// (as in OpenSSH's monitor.c). Whose account is asked about is checked by each request's handler with `Peer.mayActAs`.
///
/// The rows are those of `RequestTable`, which has the handlers, too.
package struct PermittedRequests: Sendable {
  package enum Phase: Sendable {
    /// Nothing was asked yet.
    case start
    /// The first request is somebody's on the bus.
    case onBehalf
    /// A reader is armed for this connection.
    case scanning
    /// The same, and the passcode that was asked for before may come as well.
    case scanningBeside
    /// The passcode was asked for.
    case passcode
    /// Polkit was asked for its consent, and for the passcode.
    case asksPolkit
    /// The passcode is being checked, or a finger enrolled.
    case working
    /// The value of an item was asked for.
    case receiving
    /// The passcode before the present one was asked for.
    case oldPasscode
    /// A context is open, and nothing is being done for it.
    case context
    /// The client is told of changes.
    case watching
  }

  /// Who asks, as far as the table tells them apart.
  package enum Caller: Sendable {
    case root
    case user
    /// signet-logind, where the administrator has switched it on.
    case sessionLocker
    /// signet-fprint, for whoever it names.
    case busService
  }

  package struct Row: Sendable {
    package let phase: Phase
    package let request: RequestKind
    /// How often on one connection, or in a context for one of its requests.
    package let limit: Int
    package let callers: [Caller]

    package init(phase: Phase, request: RequestKind, limit: Int, callers: [Caller] = [.root, .user]) {
      (self.phase, self.request, self.limit, self.callers) = (phase, request, limit, callers)
    }
  }

  private let rows: [Row]

  /// Nothing is permitted that is not in a row.
  package init(_ rows: [Row]) { self.rows = rows }

  package enum Ruling: Equatable {
    case permitted
    case notNow
    /// Only others may ask for this.
    case denied
  }

  private var counts: [RequestKind: Int] = [:]

  /// The next request of a context has all its answers before it.
  mutating func beginAnew() { counts.removeAll() }

  /// Judges a request and counts it.
  package mutating func judge(_ request: RequestKind, in phase: Phase, by caller: Caller) -> Ruling {
    guard let row = rows.first(where: { $0.phase == phase && $0.request == request }),
      counts[request, default: 0] < row.limit
    else { return .notNow }
    counts[request, default: 0] += 1
    return row.callers.contains(caller) ? .permitted : .denied
  }
}
