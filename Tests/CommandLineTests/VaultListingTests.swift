import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords
import Testing

/// `signet vault list`, and the commands that are answered by `done` alone.
@Suite struct VaultListingTests {
  private static func row(_ item: Item, isOfCurrentSet: Bool = true) -> AdministrationReply {
    .item(ItemRow(item: item, created: 1_795_240_800, modified: 1_795_240_860, isOfCurrentSet: isOfCurrentSet))
  }

  private static let web = Item(
    ItemName(service: "web", account: "alice"), label: "Web", comment: "mine", accessControl: AccessControl(.userPresence))

  private func list(_ words: [String] = [], answering replies: [AdministrationReply]) throws -> Signet {
    try Signet.run(
      ["vault", "list"] + words, with: ScriptedDaemon([[.expect(.vaultList)] + replies.map { .reply($0) } + [.done]]))
  }

  @Test func `items are listed in columns, by name`() throws {
    let plain = Item(ItemName(service: "key", account: ""), accessibility: .afterFirstUnlock)
    let run = try list(answering: [VaultListingTests.row(VaultListingTests.web), VaultListingTests.row(plain)])
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(
      run.output == """
        SERVICE  ACCOUNT  LABEL  ACCESS        ACCESSIBLE        MODIFIED
        key                      none          afterFirstUnlock  2026-11-21 06:01
        web      alice    Web    userPresence  whenUnlocked      2026-11-21 06:01

        """)
  }

  @Test func `what other fingers have made of an item is told`() throws {
    func item(_ service: String, _ control: AccessControl) -> AdministrationReply {
      let item = Item(ItemName(service: service, account: ""), accessControl: control)
      return VaultListingTests.row(item, isOfCurrentSet: false)
    }
    let run = try list(answering: [
      item("a", AccessControl(.biometryCurrentSet)), item("b", AccessControl([.biometryCurrentSet, .devicePasscode])),
      item("c", AccessControl([.biometryCurrentSet, .devicePasscode], .or)), VaultListingTests.row(VaultListingTests.web),
      VaultListingTests.row(.loginSecret, isOfCurrentSet: false),
    ])
    let lines = run.output.split(separator: "\n")
    #expect(lines[0].hasSuffix("  STATE"))
    #expect(lines[1].hasPrefix("(login secret)") && lines[1].hasSuffix("  gone: fingers changed"))
    #expect(lines[2].hasSuffix("  gone: fingers changed"))
    #expect(lines[3].contains("biometryCurrentSet and devicePasscode") && lines[3].hasSuffix("  gone: fingers changed"))
    #expect(lines[4].contains("biometryCurrentSet or devicePasscode") && lines[4].hasSuffix("  fingers changed"))
    #expect(!lines[5].contains("fingers changed"))
  }

  @Test func `the list in JSON has a documented form`() throws {
    let row = ItemRow(
      item: VaultListingTests.web, created: 1_795_240_800, modified: 1_795_240_860, isOfCurrentSet: true,
      creator: "/usr/bin/one", others: ["/usr/bin/two"])
    let run = try list(["--json"], answering: [.item(row)])
    #expect(
      run.output == """
        [
          {
            "access" : [
              "userPresence"
            ],
            "accessible" : "whenUnlocked",
            "account" : "alice",
            "binding" : false,
            "comment" : "mine",
            "connective" : "and",
            "created" : "2026-11-21T06:00:00Z",
            "internetPassword" : false,
            "isOfCurrentSet" : true,
            "label" : "Web",
            "loginSecret" : false,
            "modified" : "2026-11-21T06:01:00Z",
            "otherPrograms" : [
              "/usr/bin/two"
            ],
            "program" : "/usr/bin/one",
            "service" : "web",
            "synchronizable" : false
          }
        ]

        """)
  }

  @Test func `a hostile name does not reach the terminal as a command`() throws {
    let hostile = "\u{1B}]0;owned\u{7}\u{202E}\u{9B}31m\n"
    let item = Item(
      ItemName(service: hostile, account: hostile), label: hostile, comment: hostile, accessControl: AccessControl(.userPresence))
    let run = try list(answering: [VaultListingTests.row(item), .vaultProblem(.damaged(hostile))])
    for text in [run.output, run.errors] {
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) })
      #expect(!text.contains("\u{202E}"))
    }
    #expect(run.output.split(separator: "\n").count == 2)
    #expect(run.errors.split(separator: "\n").count == 1)
    // `get` of such a name says it, too.
    let words = ["vault", "update", hostile]
    let refused = try Signet.run(words, with: ScriptedDaemon([.expect(.vaultList), .done]))
    #expect(refused.status == 1 && !refused.errors.contains("\u{1B}") && !refused.errors.contains("\u{202E}"))
  }

  @Test(arguments: [[], ["--json"]]) func `a damaged item does not hide the others, and is no success`(words: [String]) throws {
    let run = try list(
      words,
      answering: [
        .vaultProblem(.unknown("/one")), VaultListingTests.row(VaultListingTests.web), .vaultProblem(.otherKey("/two")),
      ])
    #expect(run.status == 1)
    #expect(run.output.contains("alice") && !run.output.contains("/one"))
    #expect(run.errors == "signet: \(VaultText.of(.unknown("/one")))\nsignet: \(VaultText.of(.otherKey("/two")))\n")
  }

  @Test func `nothing yet is an empty list, and a hint beside it`() throws {
    let run = try list(answering: [])
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(run.errors.contains("signet vault add"))
    let json = try list(["--json"], answering: [])
    #expect(json.output.filter { !$0.isWhitespace } == "[]" && json.errors.isEmpty)
  }

  @Test func `a list that is refused has the rows before, and its status`() throws {
    let daemon = try ScriptedDaemon([
      .expect(.vaultList), .reply(VaultListingTests.row(VaultListingTests.web)),
      .reply(.refused(.vaultUnavailable(.damaged("/index")))),
    ])
    let run = try Signet.run(["vault", "list", "--user", "bob"], with: daemon)
    #expect(run.status == 4)
    #expect(run.output.contains("alice"))
    #expect(
      run.errors
        == "signet: /index: it is torn, was altered or is another's; put the right file back, or reset the vault, which loses its items\n"
    )
    #expect(try vaultRequest(daemon.finish()[0][0]) == .list(user: "bob"))
  }

  @Test func `the programs of an item are listed, the one that stored it first`() throws {
    let row = ItemRow(
      item: VaultListingTests.web, created: 1_795_240_800, modified: 1_795_240_860, isOfCurrentSet: true,
      creator: "/usr/bin/one", others: ["flatpak:org.example.Two", "/opt/\u{1B}three"])
    let lines = try list(answering: [VaultListingTests.row(VaultListingTests.web), .item(row)]).output.split(separator: "\n")
    #expect(lines[0].hasSuffix("  PROGRAMS"))
    #expect(lines.contains { $0.contains("  one, flatpak:org.example.Two, /opt/\u{FFFD}three") })
  }

  @Test func `what nobody has asked for is not listed`() throws {
    let row = ItemRow(
      item: Item(ItemName(service: "web", account: ""), accessControl: AccessControl(.userPresence)), created: 1,
      modified: 1_795_240_860, isOfCurrentSet: true, creator: try Signet.path())
    #expect(try list(answering: [.item(row)]).output == "SERVICE  MODIFIED\nweb      2026-11-21 06:01\n")
  }

  @Test func `revoking names the item`() throws {
    let daemon = try ScriptedDaemon([.expect(.vaultRevoke), .done])
    let run = try Signet.run(["vault", "revoke", "web", "alice"], with: daemon)
    #expect(run.status == 0 && run.output == "Other programs need your consent again for web, alice.\n")
    #expect(try vaultRequest(daemon.finish()[0][0]) == .revoke(user: "", ItemName(service: "web", account: "alice")))
    let refusing = try ScriptedDaemon([.expect(.vaultRevoke), .reply(.refused(.notFound))])
    #expect(try Signet.run(["vault", "revoke", "web"], with: refusing).status == 1)
  }

  @Test func `deleting names the item`() throws {
    let name = ItemName(service: "web", account: "alice")
    let cases = [(["web", "alice"], name, "web, alice"), (["--login-secret"], ItemName.loginSecret, "the login secret")]
    for (words, name, text) in cases {
      let daemon = try ScriptedDaemon([.expect(.vaultDelete), .done])
      let run = try Signet.run(["vault", "delete"] + words, with: daemon)
      #expect(run.output == "Deleted \(text).\n")
      #expect(try vaultRequest(daemon.finish()[0][0]) == .delete(user: "", name))
    }
    let daemon = try ScriptedDaemon([.expect(.vaultDelete), .reply(.refused(.notFound))])
    #expect(try Signet.run(["vault", "delete", "web"], with: daemon).status == 1)
  }

  @Test func `without a terminal a vault is given up with --yes only, and after telling what that costs`() throws {
    let vault = AdministrationReply.vault(VaultRow(state: .keyLost, items: 12, lost: 12, hasLoginSecret: true))
    let user = AdministrationReply.status(
      StatusRow(user: "alice", uid: 1000, strikes: 0, limit: 5, lock: .none))
    let asking: [ScriptedDaemon.Step] = [.expect(.status), .reply(user), .reply(vault), .done]
    let refused = try Signet.run(["vault", "reset"], with: ScriptedDaemon(asking))
    #expect(refused.status == 1)
    #expect(refused.output.isEmpty)
    #expect(refused.errors.contains("--yes"))
    let daemon = try ScriptedDaemon(asking, [.expect(.vaultReset), .reply(.heartbeat), .done])
    let run = try Signet.run(["vault", "reset", "--yes", "--user", "alice"], with: daemon)
    #expect(run.status == 0)
    #expect(run.errors.contains("12 items with the login secret, 12 of them lost"))
    #expect(try vaultRequest(daemon.finish()[1][0]) == .reset(user: "alice"))
  }

  @Test func `where there is no vault there is nothing to give up`() throws {
    let user = AdministrationReply.status(
      StatusRow(user: "alice", uid: 1000, strikes: 0, limit: 5, lock: .none))
    let none = AdministrationReply.vault(VaultRow(state: .none))
    let run = try Signet.run(
      ["vault", "reset", "--yes"], with: ScriptedDaemon([.expect(.status), .reply(user), .reply(none), .done]))
    #expect(run.status == 1)
    #expect(run.errors == "signet: there is no vault, and nothing to give up.\n")
  }
}
