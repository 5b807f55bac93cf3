import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

@testable import SignetCommandLine

/// What is locked and why, the way out, and locking.
@Suite struct StatusTests {
  private static func status(_ lock: LockReason, wrong: UInt8 = 0, delay: UInt32 = 0) -> StatusRow {
    StatusRow(
      user: "alice", uid: 1000, strikes: lock == .strikes ? 5 : 0, limit: 5, lock: lock, wrongPasscodes: wrong,
      passcodeDelay: delay, fault: lock == .stateUnusable ? .strikesTorn("/strikes") : nil)
  }

  private static func daemon(_ row: StatusRow, _ vault: VaultRow = VaultRow(state: .none)) throws -> ScriptedDaemon {
    try ScriptedDaemon(
      [.expect(.status), .reply(.status(row)), .reply(.vault(vault)), .done],
      [.expect(.list), .reply(.finger(ListingTests.finger)), .done],
      [.expect(.readers), .reply(.reader(ListingTests.reader)), .done])
  }

  @Test func `status says what is locked, why, and the way out`() throws {
    let run = try Signet.run(["status"], with: StatusTests.daemon(StatusTests.status(.strikes)))
    #expect(run.status == 0)
    #expect(
      run.output == """
        User:     alice (uid 1000)
        Readers:  Synaptics "Prometheus" (synaptics:0)
        Fingers:  right-index-finger
        Strikes:  5 of 5
        Locked:   yes, after 5 misses in a row. The passcode unlocks, at a login or with sudo, or root: signet reset alice
        Vault:    none yet. The first item makes one: signet vault add

        """)
  }

  @Test func `that no login asks Signet yet is a line of its own, and gone once one does`() throws {
    let stacks = PAMFolder()
    try stacks.write("sudo", "auth required pam_unix.so\n")
    func lines() throws -> [Substring] {
      try Signet.run(["status", "--confdir", stacks.path], with: StatusTests.daemon(StatusTests.status(.none))).output
        .split(separator: "\n").filter { $0.hasPrefix("Logins:") }
    }
    #expect(try lines() == ["Logins:   No login asks Signet yet. Switch it on: sudo pam-auth-update --enable signet"])
    try stacks.write("sudo", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    #expect(try lines() == [])
  }

  private static func daemon(_ reader: ReaderDescription) throws -> ScriptedDaemon {
    try ScriptedDaemon(
      [.expect(.status), .reply(.status(status(.none))), .reply(.vault(VaultRow(state: .none))), .done],
      [.expect(.list), .reply(.finger(ListingTests.finger)), .done], [.expect(.readers), .reply(.reader(reader)), .done])
  }

  @Test func `a reader that another program holds is told of, with the command that shows which`() throws {
    var reader = ListingTests.reader
    reader.obstacle = .heldByOther
    let run = try Signet.run(["status"], with: StatusTests.daemon(reader))
    #expect(run.status == 0)
    let words = "synaptics:0 by another program; which one says, as root: signet doctor --only readers"
    #expect(run.output.contains("(synaptics:0)\nHeld:     \(words)\nFingers:"))
    let json = try Signet.run(["status", "--json"], with: StatusTests.daemon(reader)).output.filter { !$0.isWhitespace }
    #expect(json.contains(#""obstacle":"heldByOther""#) && json.contains(#""holders":[]"#))
    #expect(StatusText.held(["a:0", "b:0"], by: ["fprintd (pid 8)"]) == "a:0, b:0 by another program: fprintd (pid 8)")
  }

  @Test func `a closed lid is told of with what it changes`() throws {
    var reader = ListingTests.reader
    reader.obstacle = .lidClosed
    let run = try Signet.run(["status"], with: StatusTests.daemon(reader))
    let words = "closed: logins ask for the passcode, and for no finger on synaptics:0; see lid in signet.conf(5)"
    #expect(run.output.contains("(synaptics:0)\nLid:      \(words)\nFingers:"))
    #expect(try Signet.run(["status", "--json"], with: StatusTests.daemon(reader)).output.contains(#""obstacle" : "lidClosed""#))
    #expect(try !Signet.run(["status"], with: StatusTests.daemon(ListingTests.reader)).output.contains("Lid:"))
  }

  @Test func `a user without a finger is told how to get one, and whose reader is not there`() throws {
    func fingers(_ replies: [ScriptedDaemon.Step], readers: [ScriptedDaemon.Step]) throws -> String {
      let daemon = try ScriptedDaemon(
        [.expect(.status), .reply(.status(StatusTests.status(.none))), .reply(.vault(VaultRow(state: .none))), .done],
        [.expect(.list)] + replies + [.done], [.expect(.readers)] + readers + [.done])
      let output = try Signet.run(["status"], with: daemon).output
      return output.split(separator: "\n").filter { $0.hasPrefix("Fingers:") }.joined()
    }
    let reader = ScriptedDaemon.Step.reply(.reader(ListingTests.reader))
    #expect(try fingers([], readers: [reader]) == "Fingers:  none. Enroll one with: signet enroll")
    var other = ListingTests.finger
    other.reader = "elan:1"
    #expect(
      try fingers([.reply(.finger(ListingTests.finger)), .reply(.finger(other))], readers: [reader])
        == "Fingers:  right-index-finger, right-index-finger (its reader elan:1 is not there)")
  }

  private static let words: [(LockReason, String)] = [
    (.none, "no"),
    (
      .stateUnusable,
      "yes. /strikes cannot be used: it is torn or was altered. Log in with your passcode once to write it anew."
    ),
    (.restart, "yes, since the machine was started. The passcode unlocks, at a login or with sudo"),
    (.inactivity, "yes, after a long time without an unlock. The passcode unlocks, at a login or with sudo"),
    (.passcodeAge, "yes, the passcode was not used for long. The passcode unlocks, at a login or with sudo"),
    (
      .requested,
      "yes, by signet lock or a locked session. The passcode unlocks, at a login or with sudo, or root: signet reset alice"
    ),
  ]

  @Test(arguments: words) func `every reason has its words`(lock: LockReason, words: String) throws {
    let run = try Signet.run(["status"], with: StatusTests.daemon(StatusTests.status(lock)))
    #expect(run.status == 0)
    #expect(run.output.contains("\nLocked:   \(words)\nVault:"))
  }

  private static let reasons: [(LockReason, String)] = [
    (.none, "none"), (.strikes, "strikes"), (.stateUnusable, "stateUnusable"), (.restart, "restart"),
    (.inactivity, "inactivity"), (.passcodeAge, "passcodeAge"), (.requested, "requested"),
    (.fingersChanged, "fingersChanged"), (.vaultClosed, "vaultClosed"),
  ]

  @Test func `every reason of the protocol is among these`() {
    #expect(
      (UInt8.min...UInt8.max).compactMap(LockReason.init).map(\.rawValue).sorted()
        == StatusTests.reasons.map(\.0.rawValue).sorted())
  }

  @Test(arguments: reasons) func `status in JSON says locked and why`(lock: LockReason, name: String) throws {
    let row = StatusTests.status(lock, wrong: 6, delay: 61)
    let run = try Signet.run(["status", "--json"], with: StatusTests.daemon(row))
    #expect(run.output.contains("\"locked\" : \(lock == .none ? "false" : "true")"))
    #expect(run.output.contains("\"lock\" : \"\(name)\""))
    #expect(run.output.contains("\"wrongPasscodes\" : 6"))
    #expect(run.output.contains("\"passcodeDelay\" : 61"))
    #expect(run.output.contains("\"wrongPasscodesElsewhere\" : 0"))
    #expect(run.output.contains("\"passcodeDelayElsewhere\" : 0"))
    for key in ["user", "uid", "strikes", "limit", "explanation", "fingers", "readers", "problems"] {
      #expect(run.output.contains("\"\(key)\""))
    }
  }

  @Test(
    arguments: [
      (1, 0, "1 wrong in a row"), (5, 240, "5 wrong in a row, next passcode in 4 min"),
      (6, 241, "6 wrong in a row, next passcode in 5 min"), (5, 59, "5 wrong in a row, next passcode in 59 s"),
      (8, 3600, "8 wrong in a row, next passcode in 60 min"), (9, 86_400, "9 wrong in a row, next passcode in 24 h"),
      (255, 1, "255 or more wrong in a row, next passcode in 1 s"),
      (255, UInt32.max, "255 or more wrong in a row, next passcode in 1193047 h"),
    ] as [(UInt8, UInt32, String)])
  func `wrong passcodes and their wait are shown`(wrong: UInt8, delay: UInt32, words: String) throws {
    let row = StatusTests.status(.none, wrong: wrong, delay: delay)
    let run = try Signet.run(["status"], with: StatusTests.daemon(row))
    #expect(run.output.contains("\nLocked:   no\nPasscode: \(words)\nVault:"))
  }

  @Test func `a reader in use and a damaged template are part of the status`() throws {
    func daemon() throws -> ScriptedDaemon {
      try ScriptedDaemon(
        [.expect(.status), .reply(.status(StatusTests.status(.none))), .reply(.vault(VaultRow(state: .none))), .done],
        [.expect(.list), .reply(.finger(ListingTests.finger)), .reply(.refused(.stateUnusable(.templateTorn("/one.template"))))],
        [.expect(.readers), .reply(.refused(.readerBusy(service: "sudo", user: "bob")))])
    }
    let (inUse, torn) = (
      "The reader is in use by sudo of bob. Try again.",
      "/one.template: it is torn, was altered or is another user's; delete and enroll the finger again"
    )
    let run = try Signet.run(["status"], with: daemon())
    #expect(run.status == 0)
    #expect(run.output.contains("Readers:  \(inUse)\nFingers:  right-index-finger, \(torn)\n"))
    let json = try Signet.run(["status", "--json"], with: daemon())
    #expect(json.output.contains("\"problems\" : [\n    \"\(torn)\",\n    \"\(inUse)\"\n  ]"))
  }

  @Test(arguments: TokenKeyHome.allCases) func `it is said where the key is that signs access tokens`(home: TokenKeyHome) throws {
    var row = StatusTests.status(.none)
    row.tokenKey = home
    #expect(try !Signet.run(["status"], with: StatusTests.daemon(row)).output.contains("Tokens:"))
    let text = try Signet.run(["status", "--verbose"], with: StatusTests.daemon(row)).output
    switch home {
    case .none: #expect(!text.contains("Tokens:"))
    case .file: #expect(text.contains("\nTokens:   signed with a key that is sealed in a file."))
    case .tpm: #expect(text.contains("\nTokens:   signed by the TPM, with a key that never leaves it."))
    }
    let json = try Signet.run(["status", "--json"], with: StatusTests.daemon(row)).output
    #expect(json.filter { !$0.isWhitespace }.contains(#""tokenKey":"\#(home)""#))
  }

  private static let vaults: [(VaultRow, String)] = [
    (VaultRow(state: .open, items: 1), "open, 1 item"),
    (
      VaultRow(state: .open, items: 12, lost: 2, hasLoginSecret: true),
      "open, 12 items with the login secret, 2 of them lost"
    ),
    (
      VaultRow(state: .closed, items: 3, fault: .setChanged("/one")),
      "closed until your passcode is entered, 3 items. \(VaultText.of(.setChanged("/one")))"
    ),
    (
      VaultRow(state: .otherPasscode, items: 3, fault: .wrongPasscode),
      "closed: another passcode opens it, 3 items. With that one: signet vault recover. \(VaultText.of(.wrongPasscode))"
    ),
    (
      VaultRow(state: .keyLost, items: 3, lost: 3, fault: .missing("/key")),
      "its key is lost, and nothing opens its 3 items. To start again: signet vault reset. \(VaultText.of(.missing("/key")))"
    ),
    (
      VaultRow(state: .unusable, items: 3, fault: .exhausted), "not usable. \(VaultText.of(.exhausted))"
    ),
    (
      VaultRow(state: .unusable, items: 3, fault: .unknown("/\u{1B}[2J")), "not usable. \(VaultText.of(.unknown("/\u{FFFD}[2J")))"
    ),
  ]

  @Test(arguments: vaults) func `every state of a vault has its words, and the way out`(row: VaultRow, words: String) throws {
    let run = try Signet.run(["status"], with: StatusTests.daemon(StatusTests.status(.none), row))
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("\nVault:    \(words)\n"))
  }

  @Test(arguments: [
    (KeyProtection.secret, "in memory that no debugger reads; systemd keeps it over a crash of signetd"),
    (.locked, "in locked memory, which root's debugger reads (the kernel has memfd_secret switched off)"),
    (.unkept, "in memory that no debugger reads, lost when signetd crashes: systemd did not start it"),
  ]) func `what keeps the keys of vaults from others is said where it could be better, or on request`(
    protection: KeyProtection, words: String
  ) throws {
    let row = VaultRow(state: .closed, protection: protection)
    func said(_ options: String...) throws -> Bool {
      try Signet.run(["status"] + options, with: StatusTests.daemon(StatusTests.status(.none), row)).output
        .contains("\nMemory:   \(words)")
    }
    #expect(try said("--verbose"))
    #expect(try said() == (protection != .secret))
  }

  @Test(arguments: KeyHome.allCases) func `where the key of fingers is, is said where something is wrong, or on request`(
    home: KeyHome
  ) throws {
    var row = StatusTests.status(.none)
    (row.keys, row.pcrs) = (home, 1 << 7)
    func said(_ options: String...) throws -> String? {
      try Signet.run(["status"] + options, with: StatusTests.daemon(row)).output.split(separator: "\n")
        .first { $0.hasPrefix("Keys:") }.map { String($0.dropFirst("Keys:     ".count)) }
    }
    #expect(try said("--verbose") == KeyText.of(home, pcrs: 1 << 7))
    #expect(try said() == ([.none, .file, .tpm].contains(home) ? nil : KeyText.of(home, pcrs: 1 << 7)))
  }

  @Test(arguments: FingerAfterRestart.allCases)
  func `whether the first finger after a restart opens the vault is said where it was asked for`(
    state: FingerAfterRestart
  ) throws {
    var row = StatusTests.status(.none)
    row.afterRestart = state
    let words = try Signet.run(["status"], with: StatusTests.daemon(row)).output
    #expect(words.contains("\nRestart:  a finger opens the vault. That does not protect from") == (state == .ready))
    #expect(words.contains("\nRestart:  the passcode opens the vault") == ![.off, .ready].contains(state))
    #expect(words.contains("users/1000/device is") == [.damaged, .outdated].contains(state))
    let json = try Signet.run(["status", "--json"], with: StatusTests.daemon(row)).output
    #expect(json.filter { !$0.isWhitespace }.contains(#""fingerAfterRestart":"\#(state)""#))
  }

  @Test(arguments: VaultState.allCases) func `in JSON the vault has a form of its own`(state: VaultState) throws {
    let row = VaultRow(state: state, items: 12, lost: 2, hasLoginSecret: true, fault: .exhausted)
    let run = try Signet.run(["status", "--json"], with: StatusTests.daemon(StatusTests.status(.none), row))
    let vault =
      #""vault":{"explanation":"\#(VaultText.of(.exhausted).filter { !$0.isWhitespace })","items":12,"keys":"secret","loginSecret":true,"lost":2,"state":"\#(state)"}"#
    #expect(run.output.filter { !$0.isWhitespace }.contains(vault))
  }

  @Test func `a status without a vault, or with two, is no answer`() throws {
    let row = AdministrationReply.status(StatusTests.status(.none))
    let vault = AdministrationReply.vault(VaultRow(state: .none))
    for rows in [[row], [vault], [vault, row], [row, vault, vault], [row, row]] {
      let daemon = try ScriptedDaemon([.expect(.status)] + rows.map { .reply($0) } + [.done])
      #expect(try Signet.run(["status"], with: daemon).status == 3)
    }
  }

  @Test(arguments: ["", "alice"]) func `lock asks signetd to require the passcode`(user: String) throws {
    let daemon = try ScriptedDaemon([.expect(.lock), .done], StatusTests.answer(.requested))
    let run = try Signet.run(["lock"] + (user.isEmpty ? [] : [user]), with: daemon)
    #expect(run.status == 0)
    #expect(run.output == "Locked the fingerprints\(user.isEmpty ? "" : " of alice") until the passcode is entered.\n")
    #expect(try request(daemon.finish()[0][0]) == .lock(user: user))
  }

  /// As the status says, which comes from signetd, too.
  @Test func `who has no finger hears that none is locked`() throws {
    let daemon = try ScriptedDaemon([.expect(.lock), .done], StatusTests.answer(.none))
    #expect(try Signet.run(["lock", "alice"], with: daemon).output == "alice has not enrolled a finger, so none is locked.\n")
  }

  private static func answer(_ lock: LockReason) -> [ScriptedDaemon.Step] {
    [.expect(.status), .reply(.status(status(lock))), .reply(.vault(VaultRow(state: .none))), .done]
  }

  @Test func `a lock that is refused is not one`() throws {
    let daemon = try ScriptedDaemon([.expect(.lock), .reply(.refused(.otherUser))])
    let run = try Signet.run(["lock", "root"], with: daemon)
    #expect(run.status == 6)
    #expect(run.output.isEmpty)
  }
}
