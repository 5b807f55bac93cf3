import CLinux
import CPAM

/// A login as the module sees it: signetd drives, the module shows, asks and passes on.
struct LoginRelay: ~Copyable {
  private let transaction: Transaction
  private let user: UserName
  private let language: UserLanguage
  private var input = UserInput()
  /// What the user typed, sent to signetd.
  private var passcode: SecretBytes?
  /// What the user knows of the reader: where it was away, the prompt follows it when it is back.
  private var reader = ReaderNews.none
  private var isApprovalShown = false
  private var misses: UInt16 = 0
  private let began = Clock.milliseconds()

  private enum ReaderNews {
    case none
    case away
    /// The passcode is asked for, and signetd knows that its news are read meanwhile.
    case followed
    /// The finger is asked for as well.
    case back
  }

  /// How much later than signetd the module gives a finger up, in milliseconds.
  private static var grace: Int64 { 2_000 }
  /// Checking a passcode takes pam_unix up to seconds, and opening a vault with it another; this long it may take at most, in
  /// milliseconds.
  static var passcodeLimit: Int64 { 60_000 }

  init(of user: consuming UserName, _ transaction: borrowing Transaction) {
    self.user = user
    self.transaction = copy transaction
    language = UserLanguage(for: transaction)
  }

  /// Asks signetd to authenticate the user, and follows it up to its verdict.
  mutating func run() throws(Failure) -> ReturnCode {
    var request = try ask()
    transaction.debug("asked signetd")
    let ring = SessionKeyring.current()
    // Made while signetd works: between its verdict and the host's login nothing waits for memory.
    var place = ReleasedToken.makePlace()
    do throws(Failure) {
      while true {
        switch try request.next(&self) {
        case .passcodeWanted(let reason): try askPasscode(reason, &request)
        case .typed: try takePasscode(&request)
        case .verdict(.success, let method): return try accept(method, &request.packet, &place, ring)
        case .verdict(let verdict, _): return refuse(verdict)
        case .reply, .evaluated: throw .client(.malformed)
        }
      }
    } catch {
      request.cancel()
      if case .client(.busy(.ofAsker)) = error { complain(BusyText.tooManyPrompts, in: transaction) }
      throw error
    }
  }

  /// Wipes the passcode and gives terminal and signals back; the host may end in here.
  mutating func end() {
    passcode = nil
    input.giveBack()
    input.stopNow()
  }

  private mutating func ask() throws(Failure) -> PendingRequest {
    let question = input.chooseForm(for: transaction).question
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .noMemory }
    let timeout = transaction.options.timeout
    do throws(FormatError) {
      try AuthenticateRequest(
        policy: ModuleKind.policy, timeout: timeout, user: user.span,
        service: transaction.item(PAM_SERVICE, limit: FieldLimit.name),
        terminal: transaction.item(PAM_TTY, limit: FieldLimit.name), remoteHost: Span(), question: question
      ).write(into: &packet)
    } catch { throw .unusableName }
    var terms = Exchange.Terms(silence: Heartbeat.limit)
    terms.limit = Int64(timeout) &* 1000 &+ LoginRelay.grace
    terms.passcodeLimit = LoginRelay.passcodeLimit
    terms.passcodes = 1
    terms.ending = .verdict
    return try transaction.options.send(packet, terms)
  }

  /// signetd wants the passcode, which may have been typed by now; else the user is asked for it.
  private mutating func askPasscode(_ reason: PasscodeReason, _ request: inout PendingRequest) throws(Failure) {
    if ModuleKind.takesFingerOnly { throw .passcodeWanted }
    if reason == .passcodeFirst { return try answerByHost(&request, orAskFinger: true) }
    switch input.ending {
    case .line, .end, .tooLong: try answer(&request)
    case .nothing, .empty:
      if reader == .away { input.takeLine() }
      // Where no finger was asked for, the host's own prompt is the one that its user knows, however long signetd took to come to it.
      guard reader == .away ? input.isAsked : input.hasPrompt else { return try answerByHost(&request) }
      // The prompt that is asked aside has its words already.
      if input.isLine { input.ask(PromptText.passcode) }
      if reader == .away { try follow(&request) }
    }
  }

  private mutating func follow(_ request: inout PendingRequest) throws(Failure) {
    reader = .followed
    do throws(ClientError) { try request.follow() } catch { throw .client(error) }
  }

  /// Something was typed where the module asks for the passcode itself.
  private mutating func takePasscode(_ request: inout PendingRequest) throws(Failure) {
    if input.owesStop { return try answerByHost(&request) }
    input.readAnswer()
    switch input.ending {
    case .nothing where input.isAsked: return
    // The terminal is somebody else's by now, or closed.
    case .nothing: throw .conversation(PAM_CONV_ERR)
    // As in every prompt that takes both: no finger, then.
    case .empty where reader == .back && input.isLine: input.ask(PromptText.passcode)
    case .empty: throw .client(.cancelled)
    case .line, .end, .tooLong: try answer(&request)
    }
  }

  /// Sends what the user has typed.
  private mutating func answer(_ request: inout PendingRequest) throws(Failure) {
    if input.ending == .tooLong { throw .passcodeTooLong }
    // Whoever ends their input wants no other prompt either.
    guard let typed = input.takeTyped() else { throw .conversation(PAM_CONV_ERR) }
    try send(typed, &request)
  }

  /// Asks the user for the passcode by the host's conversation, and sends it.
  ///
  /// Meanwhile terminal and signals are the host's own, and it may take as long as it likes.
  ///
  /// - Parameter orAskFinger: whether an empty answer asks for the finger.
  private mutating func answerByHost(_ request: inout PendingRequest, orAskFinger: Bool = false) throws(Failure) {
    input.giveBack()
    let stop = input.stopInPrompt()
    let typed = try Conversation(transaction: transaction).askPasscode()
    _ = consume stop
    input.holdSignals()
    switch consume typed {
    case .some(let typed): try send(typed, &request)
    case .none:
      guard orAskFinger, !transaction.isAnsweredByScript else { throw .client(.cancelled) }
      do throws(ClientError) { try request.askFinger() } catch { throw .client(error) }
    }
  }

  private mutating func send(_ typed: consuming SecretBytes, _ request: inout PendingRequest) throws(Failure) {
    try user.requireUnchanged(in: transaction)
    do throws(ClientError) { try request.answer(typed) } catch { throw .client(error) }
    passcode = consume typed
  }

  private func refuse(_ verdict: Verdict) -> ReturnCode {
    if verdict.isKnown {
      transaction.debug("signetd refused, verdict", Int(verdict.rawValue))
    } else {
      transaction.report("signetd gave a verdict of another version; install both from one, verdict", Int(verdict.rawValue))
    }
    if verdict == .systemCancel { complain(PromptText.systemCancel, in: transaction) }
    return ReturnCode(refusal: verdict)
  }

  /// Success: signetd said so, with a token and what proved it, for the user who is still the one that was asked for.
  private mutating func accept(
    _ method: EvidenceMethod, _ packet: inout SecretBytes, _ place: inout SecretBytes?, _ ring: Int32
  ) throws(Failure) -> ReturnCode {
    try user.requireUnchanged(in: transaction)
    guard var token = place.take() else { throw .noMemory }
    let secret: Int
    do throws(FormatError) {
      guard case .verdict(.success, _, let released, let authtok) = try LoginReply(parsing: packet.span),
        released.isEmpty || ReleasedToken.put(released, into: &token)
      else { throw .badValue }
      secret = authtok.count
    } catch { throw .client(.malformed) }
    // A service may get none (signet.conf).
    if token.count > 0 { try ReleasedToken.keep(token, for: user, ring: ring, in: transaction) }
    // One that was typed when a finger came first was not verified.
    if method == .passcode, let passcode = passcode.take() { passOn(passcode) }
    if secret > 0 { passOn(secret, endingIn: &packet) }
    transaction.awaitHost(since: began)
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

  /// The same with the secret that a finger released, in place: so many bytes, the packet's last field. The login is a success
  /// whatever comes of this.
  private func passOn(_ secret: Int, endingIn packet: inout SecretBytes) {
    let handle = unsafe transaction.handle
    let code = unsafe packet.withLastField(secret) { text in unsafe pam_set_item(handle, PAM_AUTHTOK, text) }
    guard let code else {
      return transaction.report(
        "the login secret has a zero byte and was not left to later modules; store it anew: signet vault add --login-secret")
    }
    if code != PAM_SUCCESS { transaction.report("the login secret could not be left to later modules, PAM code", Int(code)) }
  }
}

extension LoginRelay: RequestHost {
  var signals: Int32 { input.signals }
  var keys: Int32 { input.keys }

  func failure(_ error: ClientError) -> Failure { .client(error) }

  func signalEffect() -> HeldSignals.Effect { input.signalEffect() }

  /// While sudo asks it has its record of this terminal locked. It unlocks that before it stops, but only in its own prompt: stopped
  /// anywhere else it would keep every other sudo on the terminal waiting.
  mutating func suspend() {
    if transaction.isSudo, !input.owesStop, passcode == nil { input.leaveStopToHost() } else { input.suspend() }
  }

  var wantsPasscode: Bool { input.owesStop }

  mutating func isEnterPressed(_ events: Int16) -> Bool {
    guard input.isEnterPressed(events) else { return false }
    transaction.debug("Enter: told signetd that the passcode comes")
    return true
  }

  /// Takes the terminal, not before signetd's first heartbeat: a verdict or a passcode question may come at once, and what was
  /// typed ahead is not the module's to discard. Nor once a passcode is checked: what is typed then is for the shell. Tried at
  /// each heartbeat, because a host may come back to the foreground.
  mutating func heartbeat() {
    if passcode == nil { input.takeTerminal() }
  }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) throws(Failure) {
    if prompt == .touchReader {
      if value & TouchForm.fingerFirst != 0 { input.askFingerOnly() }
      if passcode == nil { input.takeTerminal() }
    }
    if prompt == .readerUnavailable {
      if value == UnavailableForm.heldByOther { transaction.logHolder(detail) }
      if reader == .none { reader = .away }
    }
    let left = prompt == .notRecognised ? countMiss() : UInt8.max
    if input.isLine {
      showOnLine(prompt, value: value, detail: detail)
    } else if prompt == .touchReader, input.askAside(PromptText.either(value), in: transaction) {
      transaction.debug("asked for finger or passcode beside the host")
    } else if input.isAsked, !transaction.isPolkit {
      transaction.debug(
        "not shown, because the host takes the answer to its question for one to this, prompt", Int(prompt.rawValue))
    } else {
      try Conversation(transaction: transaction)
        .show(prompt, value: min(value, left), detail: detail, enterAsksPasscode: input.isTerminalTaken)
    }
    try user.requireUnchanged(in: transaction)
    if left == 0 { throw .triesUsed }
  }

  /// How many misses the configuration still allows.
  private mutating func countMiss() -> UInt8 {
    misses &+= 1
    let tries = transaction.options.tries
    return misses < tries ? UInt8(clamping: tries &- misses) : 0
  }

  /// The prompt is a question, and asked of whoever wants silence, too.
  private mutating func showOnLine(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    if prompt == .touchReader {
      if !isApprovalShown, let approval = transaction.approval() { input.show(approval) }
      isApprovalShown = true
      if reader == .followed { reader = .back }
      // Which readers take the finger has no room in the question.
      if detail.count > 0 { showAbove(prompt, value: value, detail: detail) }
      return input.ask(PromptText.either(value))
    }
    if reader == .back, endsScan(prompt) {
      reader = .followed
      input.ask(PromptText.passcode)
    }
    showAbove(prompt, value: value, detail: detail)
  }

  private mutating func showAbove(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    guard !transaction.isSilent else { return }
    var message = TextLine()
    PromptText.write(prompt, value: value, detail: detail, enterAsksPasscode: false, into: &message)
    input.show(message)
  }

  /// Whether no finger is asked for any more after this.
  private func endsScan(_ prompt: Prompt) -> Bool { prompt != .notRecognised && prompt != .scanAgain }
}
