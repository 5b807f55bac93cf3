import Glibc
import SignetAgentProtocol
import SignetTokenServices
import SignetMemory
import SignetSessionTokens
import SignetVocabulary

/// What the agent does for each request. One thing at a time happens to the list of bindings; tokens of different bindings are
/// asked for side by side.
actor Agent {
  typealias Send = @Sendable (AgentReply) -> Void

  private let sessions: SessionTokenClient
  private let socket: String
  private let state: String
  private let network: any NetworkClient
  private let records: BindingRecords
  /// Whether nothing was bound when it was started.
  nonisolated let beganWithout: Bool
  /// Those that are leaving are among them; see `BindingRecord.isLeaving`.
  private var bindings: [Binding]
  /// Whether the user was seen in a session: one who is in none any more has logged out, and is not about to log in.
  private var hadSession = false
  /// What is being bound at this moment, by issuer and account.
  private var underway: Set<[String]> = []
  /// How the vault stood when it was looked at last; `nil` where signetd did not say. What it released at another opening, or for other
  /// fingers, is not handed out.
  private var vault: VaultStanding?
  /// Ends when all that was released before is forgotten.
  private var forgetting: Task<Void, Never>?
  /// Wakes when something is due.
  private var timer: Task<Void, Never>?
  /// Nothing is begun any more.
  private var isEnding = false

  /// - Parameters:
  ///   - socket: signetd's.
  ///   - state: the folder of the records.
  init(socket: String, state: String, network: any NetworkClient) throws {
    let records = BindingRecords(path: state)
    sessions = SessionTokenClient(path: socket)
    let known = try records.read()
    beganWithout = known.isEmpty
    bindings = known.map { Binding($0, socket: socket, state: state, network: network) }
    self.records = records
    self.socket = socket
    self.state = state
    self.network = network
  }

  /// Answers one request; the last answer ends it. False where the asker is in no open session.
  func serve(_ request: AgentRequest, for asker: AgentClient) async -> Bool {
    guard isOfOpenSession(request.session) else {
      asker.send(.failed(AgentFailure(.noSession, AgentText.noSession)))
      return false
    }
    // The vault may have been closed, and opened again, since signetd's last word: what is in memory would be another session's.
    await look()
    guard !isEnding else { return true }
    await answer(request, asker)
    schedule()
    return true
  }

  private func answer(_ request: AgentRequest, _ asker: AgentClient) async {
    let send: Send = { asker.send($0) }
    do {
      switch request.kind {
      case .bind: try await bind(request, asker)
      case .login: try await login(try binding(of: request), send)
      case .unbind: try await unbind(try binding(of: request), send)
      case .bindings: for binding in bound { send(.binding(binding.description)) }
      case .token: return send(.token(try await binding(of: request).token(request.tokenKind)))
      case .roleKeys: return send(.roleKeys(try await roleKeys(request)))
      }
      send(.done)
    } catch {
      send(.failed(AgentFailure(error, at: request.issuer)))
    }
  }

  /// Whether the asker has the token of an open session of the user's. Who is logged out, or came by another way, has none.
  private func isOfOpenSession(_ digits: String) -> Bool {
    guard let token = SecretBytes(hexadecimal: digits, count: FieldLimit.token), let row = try? sessions.introspect(token) else {
      return false
    }
    guard row.uid == geteuid() else { return false }
    hadSession = true
    return true
  }

  private var registration: DeviceRegistration {
    DeviceRegistration(storage: BindingStorage(socket: socket, state: state), network: network)
  }

  private var bound: [Binding] { bindings.filter { !$0.record.isLeaving } }

  private func binding(of request: AgentRequest) throws(AgentFailure) -> Binding {
    let known = bound.filter { $0.record.issuer == request.issuer }
    if known.isEmpty { throw AgentFailure(.notBound, AgentText.notBound(request.issuer)) }
    if request.account.isEmpty, known.count > 1 {
      throw AgentFailure(.severalAccounts, AgentText.severalAccounts(known.map(\.record.account)))
    }
    guard let binding = known.first(where: { request.account.isEmpty || $0.record.account == request.account }) else {
      throw AgentFailure(.notBound, AgentText.notBound(request.issuer))
    }
    return binding
  }

  private func roleKeys(_ request: AgentRequest) async throws -> RoleKeys {
    guard let role = request.role else { throw AgentFailure(.refused, AgentText.noRole) }
    let token = try await binding(of: request).token(.id)
    return try await CloudTokenService(network: network).keys(of: role, for: token.text)
  }

  // MARK: - binding

  private func bind(_ request: AgentRequest, _ asker: AgentClient) async throws {
    let name = [request.issuer, request.account]
    guard underway.insert(name).inserted else {
      throw AgentFailure(.alreadyBound, AgentText.alreadyBound(request.issuer))
    }
    defer { underway.remove(name) }
    let before = bound.first { [$0.record.issuer, $0.record.account] == name }
    if let before {
      guard try await before.isLost({ asker.send($0) }) else {
        throw AgentFailure(.alreadyBound, AgentText.alreadyBound(request.issuer))
      }
      // One at a time is remembered of an account.
      _ = await registration.end(before.record)
    }
    var record = BindingRecord(
      issuer: request.issuer, account: request.account, clientID: request.clientID ?? "",
      scopes: request.scopes.isEmpty ? ["openid"] : request.scopes, user: "", bound: SystemTime().now.rounded(),
      redirectPort: request.redirectPort ?? 0)
    var deviceKey: BindingKey?
    if request.clientID == nil { deviceKey = try await registration.begin(&record, request.signIn) }
    let binding: Binding
    do {
      binding = try await Binding(record, deviceKey: deviceKey, socket: socket, state: state, network: network)
        .signIn(request.signIn, asker)
    } catch {
      _ = await registration.end(record)
      throw error
    }
    let others = bindings.filter { $0 !== before }
    do { try write(others.map(\.record) + [binding.record]) } catch {
      try? await binding.signOut()
      throw error
    }
    bindings.removeAll { $0 === before }
    bindings.append(binding)
  }

  private func unbind(_ binding: Binding, _ send: @escaping Send) async throws {
    let record = binding.record
    var isTold = true
    do {
      try await binding.whileAsking(send) { try await binding.signOut() }
    } catch AuthError.notRevoked { isTold = false }
    let isQueued = isTold ? false : await binding.revokePending() > 0
    // A provider that has to be told yet would not know who tells it.
    let isEnded = isQueued ? true : await registration.end(record)
    bindings.removeAll { $0 === binding }
    if isQueued { bindings.append(binding.leaving()) }
    try write(bindings.map(\.record))
    if !isTold { send(.say(isQueued ? AgentText.queued(record.issuer) : AgentText.untold(record.issuer))) }
    if !isEnded { send(.say(AgentText.registrationLeft(record.issuer))) }
  }

  private func write(_ all: [BindingRecord]) throws(AgentFailure) {
    do throws(SystemError) { try records.write(all) } catch { throw AgentFailure(.refused, "\(error)") }
  }

  // MARK: - signing in

  private func login(_ binding: Binding, _ send: @escaping Send) async throws {
    for _ in 1...5 {
      do { return try await binding.whileAsking(send) { try await binding.resume() } } catch AuthError.storage(.notInteractive) {
        // The answer to a look of the agent's own that was under way, and may ask nobody.
      } catch AuthError.loginRequired(.vaultLocked) { break } catch AuthError.storage(.cancelled) { break }
    }
    // What leads to `signet login` elsewhere would lead in a circle here.
    throw AgentFailure(.loginRequired, AgentText.notReleased(binding.record.issuer))
  }

  // MARK: - the vault's opening

  /// Looks how the vault stands, and forgets what is in memory where that is not what it was released for.
  ///
  /// - Returns: whether the opening that the agent had tokens of is over.
  @discardableResult
  func look() async -> Bool {
    let (before, now) = (vault, standing)
    let isOver = before.map { before in !(now?.releasesAsMuch(as: before) ?? false) } ?? false
    vault = now
    if before == nil || isOver {
      // Whoever asks now waits for this: of two looks one may begin it.
      let (earlier, bindings) = (forgetting, bindings)
      forgetting = Task {
        await earlier?.value
        for binding in bindings { await binding.lock() }
      }
    }
    await forgetting?.value
    return isOver
  }

  /// signetd's word; it is asked each time, because what it told unasked may be old.
  private var standing: VaultStanding? { try? sessions.vaultStanding() }

  /// Whether the last session of the user's has ended. Where signetd does not say, it has not.
  func isOver() -> Bool {
    let isOpen = (try? sessions.openSessions().contains { $0.uid == geteuid() }) ?? true
    defer { hadSession = hadSession || isOpen }
    return hadSession && !isOpen
  }

  /// Begins nothing any more, waits for what providers have been asked for, and forgets what is in memory.
  func end() async {
    isEnding = true
    timer?.cancel()
    for binding in bindings { await binding.settle() }
    for binding in bindings { await binding.lock() }
  }

  // MARK: - what is due

  /// Takes what a finger that logged in has released, has each token renewed in time, and tells providers what they could not be
  /// told before.
  func tend() async {
    guard isAtWork else { return }
    let now = SystemTime().now
    for binding in bound { await binding.tend(at: now) }
    for binding in bindings where binding.record.isLeaving {
      guard await binding.hasLeft(at: now) else { continue }
      _ = await registration.end(binding.record)
      bindings.removeAll { $0 === binding }
      // It is tried again with the next change.
      try? write(bindings.map(\.record))
    }
    schedule()
  }

  /// With a closed vault there is nothing to do.
  private var isAtWork: Bool { !isEnding && vault.map { $0.opening != 0 } ?? false }

  /// Has `tend` called when the first of all is due: nothing looks again and again.
  private func schedule() {
    timer?.cancel()
    guard isAtWork, let due = bindings.compactMap(\.due).min() else { return }
    // The clock may be set meanwhile, so that no wait is longer than this.
    let pause = min(max(1, due - SystemTime().now), 3600)
    timer = Task {
      guard (try? await Task.sleep(for: .seconds(pause))) != nil else { return }
      // What follows is not cancelled by the next timer.
      Task { await self.tend() }
    }
  }
}
