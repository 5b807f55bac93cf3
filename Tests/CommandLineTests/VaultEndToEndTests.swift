import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// `signet vault` with a real signetd, signet-reader and libfprint's virtual reader.
@Suite(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
struct VaultEndToEndTests {
  private let scene: SignetScene

  /// A finger is enrolled, and the vault open.
  init() throws {
    scene = try SignetScene()
    try #require(try scene.enroll(.leftThumb, as: "left").status == 0)
    let terminal = try scene.start(["vault", "add", "first"])
    for question in ["Secret: ", "Secret again: "] {
      try terminal.read(until: question)
      terminal.type("s3cret wörd\n")
    }
    // Who is not root has made it when enrolling.
    if geteuid() == 0 { try enterPasscode(on: terminal) }
    try #require(try scene.end(terminal).screen.hasSuffix("Stored first.\r\n"))
  }

  private func enterPasscode(_ passcode: String = RunningDaemon.passcode, on terminal: PseudoTerminal) throws {
    try terminal.read(until: "asscode: ")
    terminal.type(passcode + "\n")
  }

  private func vault(_ words: String..., input: [UInt8]? = nil) throws -> Signet {
    try scene.signet(["vault"] + words, input: input)
  }

  /// Shows an item on a terminal, with these fingers.
  private func show(_ name: String, _ scans: String...) throws -> SignetScene.End {
    let terminal = try scene.start(["vault", "get", name, "--show"])
    for (index, scan) in scans.enumerated() {
      try terminal.read(until: index == 0 ? "fingerprint reader" : " left")
      try scene.reader.scan(scan)
    }
    return try scene.end(terminal)
  }

  @Test func `a finger releases what was typed, also after a miss`() throws {
    let match = try show("first", "left")
    #expect(match.status == 0)
    #expect(match.screen.hasSuffix("\r\ns3cret wörd\r\n"))
    #expect(try show("first", "right", "left").screen.hasSuffix("\r\ns3cret wörd\r\n"))
    #expect(try scene.signet(["status"]).output.contains("Strikes:  0 of 5"))
  }

  @Test func `after three misses the passcode releases it`() throws {
    let terminal = try scene.start(["vault", "get", "first", "--show"])
    for question in ["fingerprint reader", "2 attempts left", "1 attempt left"] {
      try terminal.read(until: question)
      try scene.reader.scan("right")
    }
    try enterPasscode(on: terminal)
    let end = try scene.end(terminal)
    #expect(end.status == 0)
    #expect(end.screen.hasSuffix("\r\ns3cret wörd\r\n"))
  }

  @Test func `Enter asks for the passcode instead of a finger, where that opens it`() throws {
    let terminal = try scene.start(["vault", "get", "first", "--show"])
    try terminal.read(until: "(press Enter for the passcode)")
    terminal.type("\n")
    try enterPasscode(on: terminal)
    #expect(try scene.end(terminal).screen.hasSuffix("\r\ns3cret wörd\r\n"))

    #expect(try vault("add", "bound", "--access", "biometryAny", input: [65]).status == 0)
    let bound = try scene.start(["vault", "get", "bound", "--show"])
    try bound.read(until: "fingerprint reader")
    bound.type("\n")
    let end = try scene.end(bound)
    #expect(end.status == 1)
    #expect(end.screen.hasSuffix("signet: Only a finger opens this.\r\n"))
  }

  @Test(arguments: [1, 3969, 65_536]) func `bytes go in and come out by pipes`(count: Int) throws {
    let bytes = Array(VaultStoringTests.bytes[..<count])
    let terms = ["--access", "none", "--accessible", "afterFirstUnlock"]
    #expect(try scene.signet(["vault", "add", "key", "me"] + terms, input: bytes).status == 0)
    let got = try vault("get", "key", "me")
    #expect(got.status == 0)
    #expect(got.bytes == bytes)
    #expect(got.errors.isEmpty)
    #expect(try vault("add", "key", "me", input: bytes).errors.hasPrefix("signet: "))
    #expect(try vault("get", "key").status == 1)
    // The terms stay, so that it can be read without a finger again.
    #expect(try vault("update", "key", "me", input: [7]).status == 0)
    #expect(try vault("get", "key", "me").bytes == [7])
  }

  @Test func `items are listed and deleted, and the vault is part of the status`() throws {
    #expect(try scene.signet(["status"]).output.contains("\nVault:    open, 1 item\n"))
    #expect(try vault("add", "--login-secret", input: Array("right horse\n".utf8)).status == 0)
    let list = try vault("list")
    #expect(list.status == 0)
    #expect(list.output.contains("first") && list.output.contains("userPresence  "))
    #expect(list.output.contains("(login secret)"))
    #expect(try scene.signet(["status"]).output.contains("\nVault:    open, 2 items with the login secret\n"))
    #expect(try vault("delete", "first").output == "Deleted first.\n")
    #expect(try vault("delete", "--login-secret").status == 0)
    #expect(try vault("delete", "first").status == 1)
    #expect(try vault("list").output.isEmpty)
  }

  @Test func `another finger destroys what was bound to the set, until it is stored anew`() throws {
    #expect(try vault("add", "bound", "--access", "biometryCurrentSet", input: [65]).status == 0)
    #expect(try show("bound", "left").screen.hasSuffix("\r\nA\r\n"))
    #expect(try scene.enroll(.rightThumb, as: "right", "--yes").status == 0)
    let rows = try vault("list").output.split(separator: "\n")
    #expect(rows.filter { $0.contains("gone: fingers changed, 2") && $0.hasSuffix(": Enrolled right-thumb") }.count == 1)
    #expect(try scene.signet(["status"]).output.contains("2 items, 1 of them lost"))
    #expect(try scene.signet(["history"]).output.contains("Fingers change: 1 item lost"))
    let gone = try vault("get", "bound")
    #expect(gone.status == 1)
    #expect(gone.output.isEmpty && gone.errors.contains("fingers changed"))
    #expect(try vault("update", "bound", input: [66]).status == 0)
    #expect(try show("bound", "left").screen.hasSuffix("\r\nB\r\n"))
    // The next change has a row of its own, and what is deleted has none.
    let deleting = try scene.start(["delete", "right-thumb", "--yes"])
    try scene.answerPasscode(on: deleting)
    #expect(try scene.end(deleting).status == 0)
    #expect(try vault("list").output.contains(": Deleted right-thumb\n"))
    #expect(try vault("delete", "bound").status == 0)
    #expect(try !vault("list").output.contains("gone"))
  }

  private static let named = """
    2 items open only with the fingers that are enrolled now, and will be gone for good:\r
      bound\r
      mail, me\r
    To keep one, read it before, with: signet vault get\r
    Go on? [y/N]\u{20}
    """

  /// Stores two items that are bound to the fingers, and three that are not.
  private func storeItems() throws {
    for (item, access) in [
      (["bound"], ["biometryCurrentSet"]), (["mail", "me"], ["biometryCurrentSet", "--access", "devicePasscode", "--all"]),
      (["any"], ["biometryAny"]), (["either"], ["biometryCurrentSet", "--access", "devicePasscode", "--any"]),
      (["presence"], ["userPresence"]),
    ] {
      #expect(try scene.signet(["vault", "add"] + item + ["--access"] + access, input: [65]).status == 0)
    }
  }

  /// Items that nothing opens any more.
  private func lost() throws -> [String] {
    try vault("list").output.split(separator: "\n").filter { $0.contains("gone: ") }.map { String($0.prefix { $0 != " " }) }
  }

  @Test func `an item that is lost by enrolling was named before and after, and nothing else goes`() throws {
    try storeItems()
    let terminal = try scene.start(["enroll", "right-thumb"])
    try terminal.read(until: "[y/N] ")
    #expect(terminal.screen == Self.named)
    #expect(try lost() == [])
    terminal.type("y\n")
    let end = try scene.finishEnrolling(on: terminal, as: "right")
    #expect(end.status == 0)
    #expect(end.screen.contains("\r\nEnrolled right-thumb.\r\n"))
    #expect(end.screen.hasSuffix("\r\n2 items are gone with the fingers they were bound to:\r\n  bound\r\n  mail, me\r\n"))
    #expect(try lost() == ["bound", "mail"])
    #expect(try show("any", "left").status == 0)
    // They are gone already, so the next finger costs nothing, and is not asked about.
    let next = try scene.enroll(.leftIndexFinger, as: "other")
    #expect(next.status == 0 && !next.screen.contains("[y/N]") && !next.screen.contains("gone"))
  }

  @Test func `a key that is lost by enrolling is named, but is no item to list or to export`() throws {
    let key = Item(
      ItemName(kind: .key, service: "git", account: "me"), accessControl: AccessControl(.biometryCurrentSet))
    #expect(try scene.daemon.connect().ask(.makeKey(user: "", key)).end == .done)
    #expect(try !vault("list").output.contains("git"))
    let terminal = try scene.start(["enroll", "right-thumb"])
    try terminal.read(until: "[y/N] ")
    // Nobody can read it, so nothing is said of that.
    #expect(
      terminal.screen == """
        1 item opens only with the fingers that are enrolled now, and will be gone for good:\r
          the key git, me\r
        Go on? [y/N]\u{20}
        """)
    terminal.type("y\n")
    let end = try scene.finishEnrolling(on: terminal, as: "right")
    #expect(end.screen.hasSuffix("\r\n1 item is gone with the fingers it was bound to:\r\n  the key git, me\r\n"))
    #expect(try vault("export", "\(scene.daemon.folder)/file").errors.contains("the key git, me"))
  }

  @Test(arguments: ["n\n", "\n", "\u{4}"]) func `without a yes nothing goes, and no finger changes`(keys: String) throws {
    try storeItems()
    for words in [["enroll", "right-thumb"], ["delete", "left-thumb"], ["delete", "--all"], ["import", "fprintd"]] {
      let terminal = try scene.start(words)
      try terminal.read(until: "[y/N] ")
      #expect(terminal.screen == Self.named)
      terminal.type(keys)
      let end = try scene.end(terminal)
      #expect(
        end.status == 1 && end.screen.hasSuffix("signet: not confirmed. Nothing was changed. Without a terminal: --yes\r\n"))
    }
    #expect(try lost() == [])
    #expect(try scene.signet(["list"]).output.split(separator: "\n").count == 2)
  }

  @Test func `a script is refused, and says what would go, unless it has --yes`() throws {
    try storeItems()
    let refused = try scene.signet(["delete", "left-thumb"])
    #expect(refused.status == 1 && refused.output.isEmpty)
    #expect(refused.errors.contains("  bound\n  mail, me\n") && refused.errors.hasSuffix("Without a terminal: --yes\n"))
    #expect(try lost() == [])
    // What is not there is not asked about.
    #expect(try scene.signet(["delete", "right-thumb"]).errors.hasPrefix("signet: "))
    guard geteuid() == 0 else { return }
    let done = try scene.signet(["delete", "left-thumb", "--yes"])
    #expect(done.status == 0 && done.output == "Deleted left-thumb.\n")
    #expect(done.errors.hasSuffix("2 items are gone with the fingers they were bound to:\n  bound\n  mail, me\n"))
  }

  @Test func `an enrolment that comes to nothing costs nothing`() throws {
    try storeItems()
    let terminal = try scene.start(["enroll", "right-thumb", "--yes"])
    try scene.answerPasscode(on: terminal)
    try terminal.read(until: "fingerprint reader")
    terminal.type("\u{3}")
    let end = try scene.end(terminal)
    #expect(end.status == 130 && !end.screen.contains("are gone"))
    #expect(try lost() == [])
  }

  @Test func `after lock the passcode opens the vault`() throws {
    #expect(try scene.signet(["lock"]).status == 0)
    #expect(try scene.signet(["status"]).output.contains("Vault:    closed until your passcode is entered, 1 item"))
    #expect(try vault("get", "first").status == 1)
    let terminal = try scene.start(["vault", "get", "first", "--show"])
    try enterPasscode(on: terminal)
    #expect(try scene.end(terminal).screen.hasSuffix("\r\ns3cret wörd\r\n"))
  }

  /// As root's passwd(1) does it, over a restart.
  private func replacePasscode(by passcode: String) throws {
    scene.daemon.end(SIGTERM)
    try scene.daemon.write("passcodes", "\(scene.daemon.user):\(passcode):signet-passcode\n")
    try scene.daemon.start()
  }

  @Test func `a passcode that was set without the old one recovers with both`() throws {
    try replacePasscode(by: "new horse")
    let refused = try scene.start(["vault", "get", "first", "--show"])
    try enterPasscode("new horse", on: refused)
    let end = try scene.end(refused)
    #expect(end.status == 4)
    #expect(end.screen.contains("signet vault recover"))
    #expect(try scene.signet(["status"]).output.contains("With that one: signet vault recover"))

    let wrong = try scene.start(["vault", "recover"])
    try enterPasscode("new horse", on: wrong)
    try enterPasscode("no horse", on: wrong)
    #expect(try scene.end(wrong).status == 1)

    let right = try scene.start(["vault", "recover"])
    try enterPasscode("new horse", on: right)
    try enterPasscode(RunningDaemon.passcode, on: right)
    #expect(try scene.end(right).status == 0)
    #expect(try show("first", "left").screen.hasSuffix("\r\ns3cret wörd\r\n"))
    let history = try scene.signet(["history"]).output
    for words in ["Vault recovered with the old passcode", "Item released by finger", "Item stored"] {
      #expect(history.contains(words), "\(words)")
    }
  }

  @Test func `a vault that is given up is gone, with all that was in it`() throws {
    let terminal = try scene.start(["vault", "reset"])
    try terminal.read(until: "Type reset to go on: ")
    terminal.type("reset\n")
    try scene.answerPasscode(on: terminal)
    #expect(try scene.end(terminal).status == 0)
    #expect(try vault("list").output.isEmpty)
    #expect(try vault("get", "first").status == 1)
    #expect(try scene.signet(["status"]).output.contains("Vault:    none yet"))
    #expect(try vault("reset", "--yes").status == 1)
  }

  @Test func `Ctrl-C while a finger is waited for frees the reader and releases nothing`() throws {
    let terminal = try scene.start(["vault", "get", "first", "--show"])
    try terminal.read(until: "fingerprint reader")
    terminal.type("\u{3}")
    let end = try scene.end(terminal)
    #expect(end.status == 130)
    #expect(!end.screen.contains("s3cret"))
    #expect(try show("first", "left").status == 0)
  }
}
