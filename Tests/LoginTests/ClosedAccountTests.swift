import Glibc
import SignetMemory
import SignetSessionTokens
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// An account that is closed, or whose passcode must be changed, or of which nobody knows: neither a finger nor a passcode opens anything
/// of it that no PAM host judges. pam_debug is the account stack, and signetd has a passwd(5) that the tests may touch.
@Suite(.enabled(if: geteuid() == 0, "needs root, to mount and to become another user"))
struct ClosedAccountTests {
  private static let launcher = [
    "unshare", "-m", "sh", "-c", "cp /etc/passwd STATE-passwd && mount --bind STATE-passwd /etc/passwd && exec \"$@\"", "sh",
  ]
  private let scene: Scene
  private var asked: Int { (try? RawFile.read(scene.daemon.folder + "/asked").count) ?? 0 }

  init() throws {
    scene = try Scene.stocked(launcher: Self.launcher)
    try scene.daemon.write("note", "echo >> \(scene.daemon.folder)/asked\n")
  }

  /// What the account stack answers from now on; what was kept of it before still counts.
  private func answer(_ word: String) throws {
    try scene.setPasscodeService(
      "auth required \(RunningDaemon.matrix) passdb=\(scene.daemon.folder)/passcodes",
      account: [
        "account required pam_exec.so quiet /bin/sh \(scene.daemon.folder)/note", "account required pam_debug.so acct=\(word)",
      ])
  }

  private func touchAccounts() throws {
    guard utimes(scene.daemon.stateDirectory + "-passwd", nil) == 0 else { throw TestKitError("not touched") }
  }

  // MARK: doors

  enum Door: CaseIterable {
    case canEvaluate, evaluate, reuse, read, readByFinger, readByPasscode, readInContext, add, update, recover, verify, foresee
    case watchVault, issue, refresh, introspect, seal
  }

  /// A session, whose token asks at some doors, and an application's context.
  private struct Asker {
    let token: [UInt8]
    let refresh: [UInt8]
    let client: SessionTokenClient
    let context: LoginClient
  }

  private func asker() throws -> Asker {
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user, service: "login")
    try login.awaitArmed()
    try scene.reader.scan("right")
    guard case .verdict(.success, _, let token) = try login.next() else { throw TestKitError("no login") }
    try scene.openSession(token)
    let client = SessionTokenClient(path: scene.daemon.socket)
    let issued = try client.issue(for: secret(token), audience: "mail", isRefreshable: true)
    let context = try scene.daemon.connect()
    try context.openContext()
    return Asker(token: token, refresh: Array(copying: issued.refreshToken.span), client: client, context: context)
  }

  private func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    guard var secret = SecretBytes(capacity: bytes.count), secret.append(bytes.span) else { throw TestKitError("no memory") }
    return secret
  }

  /// Why somebody does not come through a door; `nil` where they do.
  private func obstacle(at door: Door, _ asker: Asker) throws -> String? {
    switch door {
    case .canEvaluate: name(try asker.context.canEvaluate(.deviceOwnerAuthenticationWithBiometrics).verdict)
    case .evaluate: name(try evaluate(asker))
    case .reuse: name(try asker.context.evaluate(.deviceOwnerAuthentication, reuse: 300, mayInteract: false).end.verdict)
    case .read: name(try scene.read(.unasked))
    case .readByFinger: name(try scene.read(.finger, Proving(touch: scene.touch())))
    case .readByPasscode: name(try scene.read(.passcode, Proving(passcode: RunningDaemon.passcode)))
    case .readInContext: name(try asker.context.ask(.read(user: "", Stock.finger.name), Proving(touch: scene.touch())))
    case .add: name(try scene.store(Item(ItemName(service: "added \(asked)", account: "")), [1]))
    case .update: name(try scene.store(Stock.unasked.item, [1], replaces: true))
    case .recover: name(try recover())
    case .verify, .foresee: name(try verify(mayInteract: door == .verify))
    case .watchVault: try watchVault()
    case .issue, .refresh, .introspect, .seal: try refusal { try present(door, asker) }
    }
  }

  private func name(_ verdict: Verdict) -> String? { verdict == .success ? nil : verdict.name }

  private func name(_ answer: VaultAnswer) -> String? {
    guard case .refused(let code) = answer.end else { return nil }
    // Nobody was asked for anything in vain, and nothing was released.
    return answer.questions.isEmpty && answer.value == nil ? "\(code)" : "\(answer)"
  }

  private func evaluate(_ asker: Asker) throws -> Verdict {
    let answer = try asker.context.evaluate(.deviceOwnerAuthentication) { event in
      guard case .show(.touchReader, _) = event else { return false }
      try scene.reader.scan("right")
      return true
    }
    return answer.end.verdict
  }

  private func recover() throws -> VaultAnswer {
    try scene.ask(.recover(user: ""), Proving(passcode: RunningDaemon.passcode, oldPasscode: RunningDaemon.passcode))
  }

  private func verify(mayInteract: Bool) throws -> Verdict {
    let client = try scene.daemon.connect()
    try client.send(.verify(VerifyRequest(user: "", timeout: 20, mayInteract: mayInteract)))
    while true {
      let verdict = try client.receive { packet -> Verdict? in
        if let reply = try? EvaluatedReply(parsing: packet.span) { return reply.verdict }
        if case .show(.touchReader, _, _) = try AdministrationReply(parsing: packet.span) { try scene.reader.scan("right") }
        return nil
      }
      // That it is the finger's to say.
      if let verdict { return verdict == .notInteractive && !mayInteract ? .success : verdict }
    }
  }

  /// To whom the account is not open the vault is closed.
  private func watchVault() throws -> String? {
    let client = try scene.daemon.connect()
    try client.watchVault()
    return try client.nextOpening().opening == 0 ? "closed" : nil
  }

  private func present(_ door: Door, _ asker: Asker) throws {
    let token = try secret(asker.token)
    switch door {
    case .issue: _ = try asker.client.issue(for: token, audience: "mail", isRefreshable: false)
    case .refresh: _ = try asker.client.refresh(secret(asker.refresh))
    case .introspect: _ = try asker.client.introspect(token)
    default: _ = try asker.client.sealingKey(for: token)
    }
  }

  private func refusal(_ body: () throws -> Void) throws -> String? {
    do { try body() } catch SessionTokenError.refused(let refusal) { return "\(refusal.code)" }
    return nil
  }

  private static let causes: [(answer: String, name: String)] = [
    ("acct_expired", "accountClosed"), ("perm_denied", "accountClosed"), ("user_unknown", "accountClosed"),
    ("new_authtok_reqd", "passcodeExpired"), ("authinfo_unavail", "accountUnknown"),
  ]

  @Test(arguments: Door.allCases)
  func `what is shut while the account is not open, and opens with it`(door: Door) throws {
    let asker = try asker()
    for (word, name) in Self.causes {
      try answer(word)
      try touchAccounts()
      #expect(try obstacle(at: door, asker) == (door == .watchVault ? "closed" : name), "\(word)")
    }
    #expect(scene.daemon.strikesOnDisk == 0)
    // A no was not kept.
    try answer("success")
    #expect(try obstacle(at: door, asker) == nil)
  }

  @Test(arguments: [("acct_expired", "accountClosed"), ("new_authtok_reqd", "passcodeExpired")])
  func `fingers are changed, and logins without root asked for, by who has an open account`(word: String, name: String) throws {
    try scene.daemon.write(
      "passcodes", "\(scene.daemon.user):\(RunningDaemon.passcode):signet-passcode\nnobody:n:signet-passcode\n")
    chmod(scene.daemon.folder, 0o711)
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    func asNobody(_ request: String, _ word: String = "") throws -> String {
      try HostRun.run(["administer", scene.daemon.socket, "65534", request, word], answers: ["n"]).steps.last?.text ?? "nothing"
    }
    try answer(word)
    for request in ["enroll", "delete", "vault-reset"] {
      let last = try asNobody(request)
      #expect(last.contains(name), "\(request): \(last)")
    }
    let login = try asNobody("authenticate", "nobody")
    #expect(login.contains("verdict") && login.contains("rawValue: \(word == "acct_expired" ? 12 : 13)"), "\(login)")
    try answer("success")
    #expect(try asNobody("authenticate", "nobody").contains("touchReader"))
    #expect(try asNobody("delete") == "done")
  }

  @Test func `a login that root asks for is its host's to judge`() throws {
    try answer("acct_expired")
    try touchAccounts()
    #expect(try scene.attempt("right").isSuccess)
    _ = try scene.loginByPasscode(until: "passcode verified")
    #expect(asked == 0)
  }

  // MARK: what a yes is good for

  enum End: CaseIterable { case change, wrongPasscode, restart }

  @Test(arguments: End.allCases)
  func `a yes is kept, until the accounts change, a passcode is wrong or signetd starts anew`(end: End) throws {
    try answer("success")
    try touchAccounts()
    var context = try scene.daemon.connect()
    try context.openContext()
    func verdict() throws -> Verdict { try context.canEvaluate(.deviceOwnerAuthentication).verdict }
    for _ in 1...5 { #expect(try verdict() == .success) }
    #expect(try scene.read(.unasked).end == .done)
    #expect(asked == 1)
    try answer("acct_expired")
    #expect(try verdict() == .success)
    switch end {
    case .change: try touchAccounts()
    case .wrongPasscode:
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      try client.awaitArmed()
      try client.fallback()
      #expect(try client.verdict(passcode: "wrong").verdict == .authenticationFailed)
    case .restart:
      try scene.restart()
      context = try scene.daemon.connect()
      try context.openContext()
    }
    #expect(try verdict() == .accountClosed)
    #expect(asked == 2)
  }

  @Test func `the log says once what is in the way, and the history what was refused`() throws {
    try answer("acct_expired")
    try touchAccounts()
    let context = try scene.daemon.connect()
    try context.openContext()
    for _ in 1...3 { #expect(try context.evaluate(.deviceOwnerAuthentication).end.verdict == .accountClosed) }
    let log = try scene.daemon.awaitLog("verdict=accountClosed")
    #expect(log.ranges(of: "an account that is not open").count == 1)
    let client = try scene.daemon.connect()
    try client.send(.history(user: "", limit: 100))
    var rows: [String] = []
    while case .event(let row) = try client.nextAdministration() { rows.append("\(row)") }
    #expect(rows.last?.contains("rawValue: 12") == true, "\(rows.last ?? "none")")
  }
}
