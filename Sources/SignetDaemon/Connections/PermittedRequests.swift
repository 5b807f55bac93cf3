import SignetVocabulary
import SignetWire

/// What may be asked in which phase of a connection, and how often. Anything that is not in the table ends the connection
/// (as in OpenSSH's monitor.c). Whose account is asked about is checked by each request's handler with `Peer.mayActAs`.
struct PermittedRequests {
  enum Phase {
    /// Nothing was asked yet.
    case start
    /// A reader is armed for this connection.
    case scanning
    /// The passcode was asked for.
    case passcode
    /// The passcode is being checked, or a finger enrolled.
    case working
    /// The value of an item was asked for.
    case receiving
    /// The passcode before the present one was asked for.
    case oldPasscode
  }

  /// Who asks, as far as the table tells them apart.
  enum Caller {
    case root
    case user
    /// signet-logind, where the administrator has switched it on.
    case sessionLocker
  }

  private struct Row {
    var phase: Phase
    var request: RequestKind
    /// How often on one connection.
    var limit: Int
    var callers: [Caller] = [.root, .user]
  }

  private static let table: [Row] = [
    Row(phase: .start, request: .authenticate, limit: 1),
    Row(phase: .start, request: .openSession, limit: 1),
    Row(phase: .start, request: .closeSession, limit: 1),
    Row(phase: .start, request: .enroll, limit: 1),
    Row(phase: .start, request: .delete, limit: 1),
    Row(phase: .start, request: .list, limit: 1),
    Row(phase: .start, request: .status, limit: 1),
    Row(phase: .start, request: .readers, limit: 1),
    Row(phase: .start, request: .reset, limit: 1, callers: [.root]),
    Row(phase: .start, request: .sessions, limit: 1),
    Row(phase: .start, request: .revokeSession, limit: 1),
    Row(phase: .start, request: .history, limit: 1),
    Row(phase: .start, request: .lock, limit: 1, callers: [.root, .user, .sessionLocker]),
    Row(phase: .start, request: .passcodeChanged, limit: 1),
    Row(phase: .start, request: .vaultAdd, limit: 1),
    Row(phase: .start, request: .vaultUpdate, limit: 1),
    Row(phase: .start, request: .vaultRead, limit: 1),
    Row(phase: .start, request: .vaultDelete, limit: 1),
    Row(phase: .start, request: .vaultList, limit: 1),
    Row(phase: .start, request: .vaultRecover, limit: 1),
    Row(phase: .start, request: .vaultReset, limit: 1),
    Row(phase: .start, request: .suspend, limit: 1, callers: [.root]),
    Row(phase: .start, request: .resume, limit: 1, callers: [.root]),

    Row(phase: .scanning, request: .fallback, limit: 1),
    Row(phase: .scanning, request: .cancel, limit: 1),

    Row(phase: .passcode, request: .passcode, limit: 1),
    // A user may press Enter in the moment in which the passcode is asked for anyway.
    Row(phase: .passcode, request: .fallback, limit: 1),
    Row(phase: .passcode, request: .cancel, limit: 1),

    Row(phase: .working, request: .cancel, limit: 1),

    // As many as the longest value has parts.
    Row(phase: .receiving, request: .value, limit: (ItemLimit.value + PacketLimit.valuePart - 1) / PacketLimit.valuePart),
    Row(phase: .receiving, request: .cancel, limit: 1),

    // The second on this connection, after the present one.
    Row(phase: .oldPasscode, request: .passcode, limit: 2),
    Row(phase: .oldPasscode, request: .cancel, limit: 1),
  ]

  enum Ruling: Equatable {
    case permitted
    case notNow
    /// Only others may ask for this.
    case denied
  }

  private var counts: [RequestKind: Int] = [:]

  /// Judges a request and counts it.
  mutating func judge(_ request: RequestKind, in phase: Phase, by caller: Caller) -> Ruling {
    guard let row = PermittedRequests.table.first(where: { $0.phase == phase && $0.request == request }),
      counts[request, default: 0] < row.limit
    else { return .notNow }
    counts[request, default: 0] += 1
    return row.callers.contains(caller) ? .permitted : .denied
  }
}
