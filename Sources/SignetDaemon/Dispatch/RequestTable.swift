import DaemonConnections
import SignetVocabulary
import SignetWire

extension PermittedRequests {
  static let all = PermittedRequests(table)

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
}
