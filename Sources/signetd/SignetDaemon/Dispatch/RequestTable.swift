import DaemonConnections
import DaemonService
import SignetBytes
import SignetVocabulary
import SignetWire

/// What may be asked of signetd, by whom, how often, and who answers it. Anything that is not in the table ends the connection.
struct RequestTable {
  private typealias Interruption = ClientConnection.Interruption
  private typealias Answer = @Sendable (Services, ClientConnection, RequestKind) throws(Interruption) -> Void

  /// A request with which a connection may start.
  private struct Row: Sendable {
    let request: RequestKind
    let answer: Answer
    let callers: [PermittedRequests.Caller]
    /// Whether somebody on the bus may ask for it: none of these releases anything, and what changes something needs the passcode.
    let isForBus: Bool

    init(
      _ request: RequestKind, _ answer: @escaping Answer, _ callers: [PermittedRequests.Caller] = [.root, .user],
      isForBus: Bool = false
    ) {
      (self.request, self.answer, self.callers, self.isForBus) = (request, answer, callers, isForBus)
    }
  }

  private static let rows = [
    Row(.authenticate, login),
    Row(.passcodeChanged, passcodeChange),
    Row(.openSession, openSession),
    Row(.closeSession, closeSession),
    Row(.sessions, administration),
    Row(.revokeSession, administration),
    Row(.sessionToken) { services, client, _ throws(Interruption) in try services.sessionRequests(of: client).handOut() },
    Row(.enroll, administration, isForBus: true),
    Row(.delete, administration, isForBus: true),
    Row(.list, administration, isForBus: true),
    Row(.status, administration),
    Row(.history, administration),
    Row(.importFprintd, administration),
    Row(.readers, administration, [.root, .user, .busService]),
    Row(.verify, administration, isForBus: true),
    Row(.lock, administration, [.root, .user, .sessionLocker]),
    Row(.reset, administration, [.root]),
    Row(.suspend, administration, [.root]),
    Row(.resume, administration, [.root]),
    Row(.vaultAdd, vault),
    Row(.vaultUpdate, vault),
    Row(.vaultRead, vault),
    Row(.vaultDelete, vault),
    Row(.vaultRevoke, vault),
    Row(.vaultList, vault),
    Row(.vaultRecover, vault),
    Row(.vaultReset, vault),
    Row(.keyMake, vault),
    Row(.keySign, vault),
    Row(.introspect) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).introspect() },
    Row(.revokeOthers) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).revokeOthers() },
    Row(.issueToken) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).issue() },
    Row(.refreshToken) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).refresh() },
    Row(.endRefresh) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).endRefresh() },
    Row(.keySet) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).keySet() },
    Row(.sealingKey) { services, client, _ throws(Interruption) in try services.tokenRequests(of: client).sealingKey() },
    Row(.context, context),
    Row(.watch, watch),
    Row(.watchVault) { services, client, _ throws(Interruption) in
      try OpeningWatch.serve(client, services.prover, services.changes)
    },
  ]

  /// What may be said while a request is answered.
  private static let during = [
    PermittedRequests.Row(phase: .scanning, request: .fallback, limit: 1),
    PermittedRequests.Row(phase: .scanning, request: .cancel, limit: 1, callers: [.root, .user, .busService]),

    // The passcode is asked for, too.
    PermittedRequests.Row(phase: .scanningBeside, request: .passcode, limit: 3),
    PermittedRequests.Row(phase: .scanningBeside, request: .cancel, limit: 1),

    // An application is asked again after a wrong one, each time anew.
    PermittedRequests.Row(phase: .passcode, request: .passcode, limit: 3),
    // A user may press Enter in the moment in which the passcode is asked for anyway.
    PermittedRequests.Row(phase: .passcode, request: .fallback, limit: 1),
    PermittedRequests.Row(phase: .passcode, request: .cancel, limit: 1),
    PermittedRequests.Row(phase: .passcode, request: .follow, limit: 1),

    // Polkit consents.
    PermittedRequests.Row(phase: .asksPolkit, request: .fallback, limit: 1, callers: [.busService]),
    PermittedRequests.Row(phase: .asksPolkit, request: .cancel, limit: 1, callers: [.busService]),

    PermittedRequests.Row(phase: .working, request: .cancel, limit: 1, callers: [.root, .user, .busService]),

    // As many as the longest value has parts.
    PermittedRequests.Row(
      phase: .receiving, request: .value, limit: (ItemLimit.value + PacketLimit.valuePart - 1) / PacketLimit.valuePart),
    PermittedRequests.Row(phase: .receiving, request: .cancel, limit: 1),

    // The second on this connection, after the present one.
    PermittedRequests.Row(phase: .oldPasscode, request: .passcode, limit: 2),
    PermittedRequests.Row(phase: .oldPasscode, request: .cancel, limit: 1),

    PermittedRequests.Row(phase: .watching, request: .cancel, limit: 1),
  ]

  /// What a context may be asked, any number of times, each when the one before is answered.
  private static let inContext: [RequestKind] = [
    .evaluate, .canEvaluate, .forget, .vaultAdd, .vaultUpdate, .vaultRead, .vaultDelete, .vaultRevoke, .vaultList,
    .keyMake, .keySign,
    // Those that come too late for what they were meant for.
    .fallback, .cancel,
  ]

  /// For a new connection.
  static let permitted = PermittedRequests(
    rows.map { PermittedRequests.Row(phase: .start, request: $0.request, limit: 1, callers: $0.callers) } + during
      + [PermittedRequests.Row(phase: .start, request: .onBehalf, limit: 1, callers: [.root, .busService])]
      + rows.filter(\.isForBus).map {
        PermittedRequests.Row(phase: .onBehalf, request: $0.request, limit: 1, callers: [.busService])
      }
      + inContext.map { PermittedRequests.Row(phase: .context, request: $0, limit: .max) })

  /// What gives control back to a user whose other places are taken. None of it waits for anybody's finger or passcode.
  private static let control: Set<RequestKind> = [
    .lock, .reset, .suspend, .resume, .status, .sessions, .revokeSession, .closeSession,
    .revokeOthers, .endRefresh,
  ]

  /// Serves one connection to its end. What the client did that is not allowed, where that ended it.
  @discardableResult
  static func serve(_ client: ClientConnection, with services: Services) -> String? {
    do throws(Interruption) {
      var kind = try client.firstRequest(within: 2_000)
      if kind == .onBehalf {
        kind = try client.standIn()
        ThreadOrigin.present = client.origin.source
      }
      guard !client.slot.isForControl || control.contains(kind) else {
        client.turnAway()
        return nil
      }
      try rows.first { $0.request == kind }?.answer(services, client, kind)
    } catch {
      switch error {
      case .misuse(let what): return what
      case .denied(let kind): AccountAccess(audit: services.prover.audit, client: client).recordDenied(kind)
      case .displaced: client.turnAway()
      case .closed, .stopping: break
      }
    }
    return nil
  }

  // MARK: - who answers

  private static let login: Answer = { services, client, _ throws(Interruption) in
    try Login.serve(client, services.prover, services.sessions)
  }

  private static let passcodeChange: Answer = { services, client, _ throws(Interruption) in
    try PasscodeChange(prover: services.prover, client: client).serve()
  }

  private static let openSession: Answer = { services, client, _ throws(Interruption) in
    try services.sessionRequests(of: client).open()
  }

  private static let closeSession: Answer = { services, client, _ throws(Interruption) in
    try services.sessionRequests(of: client).close()
  }

  private static let administration: Answer = { services, client, kind throws(Interruption) in
    let request = try client.read { fields throws(FormatError) in try AdministrationRequest(kind: kind, parsing: fields) }
    try Administration(services: services, client: client).serve(request)
  }

  private static let context: Answer = { services, client, _ throws(Interruption) in
    try ContextRequests.serve(client, services.prover)
  }

  private static let watch: Answer = { services, client, _ throws(Interruption) in
    try BiometryWatch.serve(client, services.prover, services.changes)
  }

  private static let vault: Answer = { services, client, kind throws(Interruption) in
    let request = try client.read { fields throws(FormatError) in try VaultRequest(kind: kind, parsing: fields) }
    try VaultRequests(prover: services.prover, client: client).serve(request)
  }
}
