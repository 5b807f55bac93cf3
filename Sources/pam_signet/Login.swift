import CLinux
import CPAM

/// An evaluation by signetd, as the module follows it: signetd drives, the module shows, asks and relays.
struct Login: ~Copyable {
  let transaction: Transaction
  let user: UserName
  let connection: Connection
  var packet: SecretBytes
  /// The session keyring before the session.
  let ring: Int32
  /// What the user typed, sent to signetd.
  var passcode: SecretBytes?
  var didFallBack = false
  var patience: Patience

  /// How much later than signetd the module gives a finger up, in milliseconds.
  static var grace: Int64 { 2_000 }

  /// Connects to signetd and asks it to authenticate the user.
  init(of user: consuming UserName, _ transaction: borrowing Transaction) throws(Failure) {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .noMemory }
    do throws(FormatError) {
      try AuthenticateRequest(
        policy: .deviceOwnerAuthentication, timeout: transaction.options.timeout, user: user.span,
        service: transaction.item(PAM_SERVICE, limit: FieldLimit.name),
        terminal: transaction.item(PAM_TTY, limit: FieldLimit.name), remoteHost: Span()
      ).write(into: &packet)
    } catch { throw .unusableName }
    self.connection = try transaction.options.connect(sending: packet)
    transaction.debug("asked signetd")
    self.ring = SessionKeyring.current()
    self.patience = Patience(Int64(transaction.options.timeout) &* 1000 &+ Login.grace)
    self.transaction = copy transaction
    self.user = user
    self.packet = packet
  }

  /// Follows signetd up to its verdict.
  mutating func run(_ attention: inout Attention) throws(Failure) -> ReturnCode {
    // Made while signetd works: between its verdict and the host's login nothing waits for memory.
    var place = ReleasedToken.makePlace()
    while true {
      switch try patience.nextEvent(connection, &attention, readsKeys: !didFallBack && passcode == nil) {
      case .packet:
        switch try receive(&attention, tokenInto: &place) {
        case .nothing: continue
        case .passcodeWanted: try answer(&attention)
        case .refused(let verdict): return refuse(verdict)
        case .succeeded(let method, let token, let secret): return try accept(method, token, secret)
        }
      case .enter: try fallBack()
      case .stopped:
        attention.stop()
        patience.renew()
      case .ended: throw .cancelled
      }
    }
  }
}

extension Login {
  private enum Word { case fallback, cancel }

  private mutating func send(_ word: Word) throws(Failure) {
    do throws(FormatError) {
      try packet.begin(word == .cancel ? RequestKind.cancel.rawValue : RequestKind.fallback.rawValue)
    } catch { throw .noMemory }
    try sendPacket()
  }

  private mutating func sendPacket() throws(Failure) {
    do throws(ClientError) { try connection.send(packet) } catch { throw .client(error) }
    patience.renew()
  }

  private mutating func fallBack() throws(Failure) {
    didFallBack = true
    transaction.debug("Enter: asked signetd for the passcode prompt")
    try send(.fallback)
  }

  /// Tells signetd that the user, and not only the connection, gave up.
  mutating func cancel() { do throws(Failure) { try send(.cancel) } catch { return } }

  /// Asks the user for the passcode, once an evaluation, and sends it.
  ///
  /// Meanwhile terminal and signals are the host's own, and it may take as long as it likes.
  private mutating func answer(_ attention: inout Attention) throws(Failure) {
    guard passcode == nil else { throw .protocolMisuse }
    attention.yield()
    let typed = try Conversation(transaction: transaction).askPasscode()
    attention.resume()
    try user.requireUnchanged(in: transaction)
    try write(typed)
    passcode = consume typed
    try sendPacket()
    patience = Patience(Patience.verifying)
  }

  private mutating func write(_ passcode: borrowing SecretBytes) throws(Failure) {
    // Without the zero behind it.
    let text = passcode.span.extracting(first: max(0, passcode.span.count &- 1))
    do throws(FormatError) { try PasscodeRequest(passcode: text).write(into: &packet) } catch { throw .passcodeTooLong }
  }

  private func refuse(_ verdict: Verdict) -> ReturnCode {
    if verdict.isKnown {
      transaction.debug("signetd refused, verdict", Int(verdict.rawValue))
    } else {
      transaction.report("signetd gave a verdict of another version; install both from one, verdict", Int(verdict.rawValue))
    }
    return ReturnCode(refusal: verdict)
  }

  /// Success: signetd said so, with a token and what proved it, for the user who is still the one that was asked for.
  private mutating func accept(
    _ method: EvidenceMethod, _ token: consuming SecretBytes, _ secret: LoginSecret
  ) throws(Failure) -> ReturnCode {
    try user.requireUnchanged(in: transaction)
    // What proved it must be what was asked for last.
    guard method == (passcode == nil ? .fingerprint : .passcode) else { throw .protocolMisuse }
    try ReleasedToken.keep(token, for: user, ring: ring, in: transaction)
    if let passcode = passcode.take() { passOn(passcode) }
    secret.passOn(from: &packet, in: transaction)
    transaction.debug(method == .fingerprint ? "authenticated by finger" : "authenticated by passcode")
    return .success
  }

  /// Leaves a verified passcode to later modules, which may unlock a keyring with it.
  private func passOn(_ passcode: borrowing SecretBytes) {
    let code = unsafe passcode.span.withUnsafeBytes { text in
      unsafe pam_set_item(transaction.handle, PAM_AUTHTOK, text.baseAddress)
    }
    if code != PAM_SUCCESS { transaction.report("the passcode could not be left to later modules, PAM code", Int(code)) }
  }
}
