import CCrypto
import CLibc

/// The device, for as long as one connection to the host lasts.
final class Authenticator {
  /// What is done once the owner has proved that they are there.
  private enum Task {
    case make(MakeCredential)
    case use(GetAssertion, Salts?)
    case token(SharedSecret, ClientPIN.Rights, Site?)
    /// Which device the user touches is what was asked.
    case answer(Status)
  }

  private struct Question {
    let task: Task
    let owner: Owner
    /// When the host is told next that it takes longer.
    var keepalive: Int64
    let deadline: Int64
  }

  /// More passkeys for the same assertion.
  private struct More {
    var rest: ArraySlice<StoredCredential>
    let request: GetAssertion
    let salts: Salts?
    let owner: Owner
    let until: Int64
  }

  private let host: Int32
  private let socket: String
  /// How long a finger is waited for, in seconds, and then the passcode as long again.
  private let fingerTimeout: UInt16
  private let passkeys: Passkeys
  private var channels = HIDChannels()
  private var agreement: AgreementKey?
  private var token: Token?
  private var question: Question?
  private var more: More?
  private var listing: Listing
  private var isOpen = true

  /// How long more passkeys of an assertion are told of, in milliseconds.
  private static let moreTimeout: Int64 = 30_000

  init(host: Int32, _ arguments: Arguments) {
    (self.host, socket, fingerTimeout) = (host, arguments.socket, arguments.fingerTimeout)
    passkeys = Passkeys(socket: socket)
    listing = Listing(passkeys)
    agreement = AgreementKey()
  }

  /// Stays until the host is gone; then nobody is asked any more, and nothing is left of what was proved.
  func serve() {
    while isOpen {
      if let question { follow(question) }
      forgetExpired()
      wait()
      act(channels.timeout(at: Clock.milliseconds()))
    }
    question?.owner.giveUp()
  }

  // MARK: Waiting

  private func wait() {
    var watched = [pollfd(fd: host, events: Int16(POLLIN), revents: 0)]
    for descriptor in question?.owner.watched ?? [] { watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)) }
    let count = poll(&watched, nfds_t(watched.count), pause)
    guard count >= 0 || clinux_errno() == EINTR else {
      isOpen = false
      return
    }
    if watched[0].revents != 0 { receive() }
  }

  /// Until something is due; -1 where nothing is.
  private var pause: Int32 {
    let now = Clock.milliseconds()
    var due: Int64 = .max
    if let deadline = channels.deadline { due = min(due, deadline) }
    if let question {
      due = min(due, question.keepalive, question.deadline)
      let pause = question.owner.pause
      if pause >= 0 { due = min(due, now + Int64(pause)) }
    }
    if let token { due = min(due, token.until) }
    if let more { due = min(due, more.until) }
    return due == .max ? -1 : Int32(clamping: max(0, due - now))
  }

  /// What was proved goes with it.
  private func forgetExpired() {
    if let token, token.isExpired { self.token = nil }
    if let more, Clock.milliseconds() >= more.until { self.more = nil }
  }

  /// No program has the device open any more: what was proved to the last one proves nothing to the next.
  private func forgetAll() {
    act(channels.closed())
    (token, more, listing) = (nil, nil, Listing(passkeys))
  }

  private func receive() {
    var report = [UInt8](repeating: 0, count: HIDChannels.reportLength)
    let count = report.withUnsafeMutableBytes { recv(host, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_TRUNC)) }
    if count < 0, clinux_errno() == EINTR || clinux_errno() == EAGAIN { return }
    // What signet-hid says of the device, and no report.
    if count == 1 { return forgetAll() }
    guard count == HIDChannels.reportLength else {
      isOpen = false
      return
    }
    act(channels.received(report, at: Clock.milliseconds()))
  }

  private func act(_ actions: [HIDChannels.Action]) {
    for action in actions {
      switch action {
      case .send(let report):
        let sent = report.withUnsafeBytes { send(host, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if sent != report.count { isOpen = false }
      case .perform(let message): perform(message)
      case .cancel:
        guard endQuestion() else { continue }
        answer(.keepaliveCancel)
      case .abandon: _ = endQuestion()
      }
    }
  }

  // MARK: The question

  private func ask(_ reason: String, then task: Task) throws(Status) {
    let now = Clock.milliseconds()
    do throws(ContextError) {
      question = Question(
        task: task, owner: try Owner(reason, socket: socket, fingerTimeout: fingerTimeout), keepalive: now,
        deadline: now + 2 * Int64(fingerTimeout) * 1_000)
    } catch { throw Status(error) }
  }

  /// False where there is none.
  private func endQuestion() -> Bool {
    guard let question else { return false }
    self.question = nil
    question.owner.giveUp()
    return true
  }

  private func follow(_ question: Question) {
    let now = Clock.milliseconds()
    do throws(ContextError) {
      if let verdict = try question.owner.step() {
        self.question = nil
        guard verdict == .success else { return answer(Status(verdict)) }
        return finish(question.task, question.owner)
      }
    } catch {
      self.question = nil
      return answer(Status(error))
    }
    if now >= question.deadline, endQuestion() { return answer(.userActionTimeout) }
    if now >= question.keepalive {
      self.question?.keepalive = now + HIDChannels.keepalive
      act(channels.keepalive(waits: true))
    }
  }

  private func finish(_ task: Task, _ owner: Owner) {
    do throws(Status) {
      switch task {
      case .make(let request): try make(request, by: owner)
      case .use(let request, let salts): try use(request, salts, by: owner)
      case .token(let secret, let rights, let site):
        let token = try Token(version: secret.version, rights, site, owner)
        answer(.numbered([(2, .bytes(try secret.sealed(token.bytes)))]))
        self.token = token
      case .answer(let status): answer(status)
      }
    } catch { answer(error) }
  }

  // MARK: Commands

  private func answer(_ status: Status) { act(channels.answer([status.rawValue])) }
  private func answer(_ value: CBOR) { act(channels.answer([Status.success.rawValue] + value.encoded)) }

  private func perform(_ message: [UInt8]) {
    let command = message[0]
    if command != 0x08 { more = nil }
    if command != 0x0A, command != 0x41 { listing = Listing(passkeys) }
    forgetExpired()
    do throws(Status) {
      let request: CBOR = message.count > 1 ? try CBOR(Array(message.dropFirst())).asMap() : .map([])
      switch command {
      case 0x01: try begin(try MakeCredential(request))
      case 0x02: try begin(try GetAssertion(request))
      case 0x04: answer(Answer.info)
      case 0x06: try begin(try ClientPIN(request))
      // Whoever has the device must not empty the vault.
      case 0x07: throw .notAllowed
      case 0x08: try useNext()
      case 0x0A, 0x41: try manage(request)
      case 0x0B: try ask(Reasons.choose, then: .answer(.success))
      default: throw .invalidCommand
      }
    } catch { answer(error) }
  }

  /// Who had the token made; nobody is asked again.
  private func proved(
    _ authorization: Authorization, over message: [UInt8], _ right: ClientPIN.Rights, _ site: Site?
  ) throws(Status) -> Owner {
    guard let token, token.allows(right, site, authorization, over: message) else { throw .pinAuthInvalid }
    return token.owner
  }

  private func begin(_ request: MakeCredential) throws(Status) {
    guard let authorization = request.authorization else {
      return try ask(Reasons.make(request.site, request.account), then: .make(request))
    }
    if authorization.proof.isEmpty { return try ask(Reasons.choose, then: .answer(.pinInvalid)) }
    let owner = try proved(authorization, over: request.clientDataHash, .make, request.site)
    // One touch makes one passkey.
    token = nil
    try make(request, by: owner)
  }

  private func begin(_ request: GetAssertion) throws(Status) {
    if !request.needsPresence { return try tell(request) }
    var salts: Salts?
    if let sealed = request.salts { salts = try Salts(sealed, agreement) }
    guard let authorization = request.authorization else {
      return try ask(Reasons.use(request.site, try? onlyAccount(request)), then: .use(request, salts))
    }
    if authorization.proof.isEmpty { return try ask(Reasons.choose, then: .answer(.pinInvalid)) }
    let owner = try proved(authorization, over: request.clientDataHash, .use, request.site)
    token = nil
    try use(request, salts, by: owner)
  }

  private func onlyAccount(_ request: GetAssertion) throws(Status) -> Account? {
    let found = try passkeys.all(of: request.site, named: request.allowed)
    return request.allowed != nil || found.count == 1 ? found.first?.account : nil
  }

  private func begin(_ request: ClientPIN) throws(Status) {
    switch request {
    case .keyAgreement:
      guard let agreement else { throw .other }
      answer(.numbered([(1, PublicKey.agreeing(agreement.point))]))
    case .token(let version, let point, let rights, let site):
      guard let secret = agreement?.shared(version: version, with: point) else { throw .invalidParameter }
      token = nil
      let reason = site.map { rights.contains(.make) ? Reasons.make($0) : Reasons.use($0) } ?? Reasons.manage
      try ask(reason, then: .token(secret, rights, site))
    case .retries: answer(.numbered([(5, .int(try Strikes.left(at: socket)))]))
    }
  }

  // MARK: Passkeys

  private func make(_ request: MakeCredential, by owner: Owner) throws(Status) {
    let own = try passkeys.all(by: owner).filter { $0.site == request.site }
    guard !own.contains(where: { request.excluded.contains($0.name) }) else { throw .credentialExcluded }
    let made = try passkeys.make(request, by: owner)
    let data = AuthenticatorData(
      site: hash(made.site.id), [.present, .verified], credential: (made.name, made.point),
      extensions: Answer.extensions(of: request))
    let signature: [UInt8]
    do throws(Status) {
      signature = try passkeys.sign(data, request.clientDataHash, with: made, by: owner)
      try passkeys.finish(made)
    } catch {
      try? passkeys.delete(made)
      throw error
    }
    answer(Answer.made(data, signature: signature))
    guard isOpen else { return try passkeys.delete(made) }
    // A site has one for each account that is found without its name. The old one goes last: until the answer was sent it is the only one that
    // the site knows.
    if made.isDiscoverable {
      for old in own where old.isDiscoverable && old.account.id == made.account.id { try? passkeys.delete(old) }
    }
  }

  private func use(_ request: GetAssertion, _ salts: Salts?, by owner: Owner) throws(Status) {
    let found = try passkeys.all(of: request.site, named: request.allowed, by: owner)
    guard let first = found.first else { throw .noCredentials }
    // Of those that the platform names it wants one, and does not say which.
    let rest = request.allowed == nil ? found.dropFirst() : []
    try use(first, request, salts, by: owner, count: rest.isEmpty ? nil : found.count)
    if !rest.isEmpty {
      more = More(
        rest: rest, request: request, salts: salts, owner: owner, until: Clock.milliseconds() + Authenticator.moreTimeout)
    }
  }

  private func use(
    _ credential: StoredCredential, _ request: GetAssertion, _ salts: Salts?, by owner: Owner, count: Int? = nil
  ) throws(Status) {
    let secrets = try salts?.secrets(of: credential, by: owner)
    let data = AuthenticatorData(
      site: hash(request.site.id), [.present, .verified], extensions: secrets.map { Answer.extensions(secrets: $0) })
    let signature = try passkeys.sign(data, request.clientDataHash, with: credential, by: owner)
    answer(Answer.assertion(credential, data, signature: signature, isVerified: true, count: count))
  }

  private func useNext() throws(Status) {
    guard var more, let next = more.rest.popFirst() else {
      self.more = nil
      throw .notAllowed
    }
    self.more = more.rest.isEmpty ? nil : more
    try use(next, more.request, more.salts, by: more.owner)
  }

  /// Whether there is such a passkey, without the owner: nothing is signed, and what stands for a signature is none.
  private func tell(_ request: GetAssertion) throws(Status) {
    var isVerified = false
    if let authorization = request.authorization {
      _ = try proved(authorization, over: request.clientDataHash, .use, request.site)
      isVerified = true
    }
    let found = try passkeys.all(of: request.site, named: request.allowed)
    guard let first = found.first(where: { $0.isShown(isVerified: isVerified, isNamed: request.allowed != nil) }) else {
      throw .noCredentials
    }
    let data = AuthenticatorData(site: hash(request.site.id), [])
    answer(Answer.assertion(first, data, signature: Answer.noSignature, isVerified: isVerified))
  }

  // MARK: Management

  private func manage(_ request: CBOR) throws(Status) {
    let (asked, authorization, message) = try Management.parsed(request)
    if let authorization {
      guard token?.site == nil else { throw .pinAuthInvalid }
      _ = try proved(authorization, over: message, .manage, nil)
      token?.renew()
    }
    if let value = try listing.answer(asked) { answer(value) } else { answer(.success) }
  }
}
