import Glibc
import SignetPasskey
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// `signet passkey` with a real signetd, and passkeys as signet-passkey makes them.
@Suite(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
struct PasskeyCommandTests {
  private let scene: SignetScene

  /// A finger is enrolled, and there are two passkeys at one site, one of ssh's, and a key that is none.
  init() throws {
    scene = try SignetScene()
    try scene.daemon.enroll(.leftThumb, as: "left", on: scene.reader)
    try make("example.org", "alice", 0x11)
    try make("example.org", "bob", 0x22, isDiscoverable: false)
    try make("ssh:", "", 0x33)
    try makeKey(Item(ItemName(kind: .key, service: "laptop", account: "")))
  }

  private func makeKey(_ item: Item) throws {
    let answer = try scene.daemon.connect().ask(.makeKey(user: "", item), Proving(passcode: RunningDaemon.passcode))
    try #require(answer.end == .done, "\(answer)")
  }

  private func make(_ site: String, _ account: String, _ number: UInt8, isDiscoverable: Bool = true, isWhole: Bool = true) throws
  {
    let credential = StoredCredential(
      name: [UInt8](repeating: number, count: 32), site: Site(id: Array(site.utf8)),
      account: Account(id: [number], name: Array(account.utf8), displayName: []), isDiscoverable: isDiscoverable)
    let name = ItemName.passkey(String(repeating: String(number, radix: 16), count: 32))
    try makeKey(
      Item(
        name, label: isWhole ? credential.label : "", comment: credential.comment, accessControl: AccessControl(.userPresence)))
  }

  private func passkey(_ words: String...) throws -> Signet { try scene.signet(["passkey"] + words) }

  private func names() throws -> [String] {
    try passkey("list").output.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  @Test func `passkeys are listed by site and account, and no other list has them`() throws {
    let list = try passkey("list")
    #expect(list.status == 0 && list.output.hasPrefix("PASSKEY            MADE"))
    #expect(try names() == ["example.org/alice", "example.org/bob", "ssh:"])
    #expect(list.output.split(separator: "\n").map { $0.hasSuffix("  no") } == [false, false, true, false])
    let json = try passkey("list", "--json").output
    #expect(json.contains("\"site\" : \"example.org\"") && json.contains("\"discoverable\" : false"))
    #expect(json.contains("\"credential\" : \"\(String(repeating: "22", count: 32))\"") && json.contains("\"label\" : \"\""))
    let keys = try scene.signet(["key", "list"]).output
    #expect(keys.contains("\nlaptop ") && !keys.contains("signet-passkey"))
    #expect(try scene.signet(["key", "delete", "--yes", "signet-passkey/" + String(repeating: "11", count: 32)]).status == 1)
    #expect(try scene.signet(["vault", "list"]).output == "")
  }

  @Test func `a passkey is named by its site where that is enough, and else by its account`() throws {
    #expect(try passkey("show", "ssh:").output.contains("Site:"))
    let several = try passkey("show", "example.org")
    #expect(several.status == 1 && several.output.isEmpty)
    #expect(several.errors.contains("example.org/alice, example.org/bob"))
    let shown = try passkey("show", "example.org/bob").output
    #expect(shown.contains("bob\n") && shown.contains("userPresence\n") && shown.contains("no\n"))
    #expect(try passkey("show", "example.com").errors.contains("there is no passkey example.com."))
    try make("example.org", "bob", 0x44)
    #expect(try names().contains("example.org/bob#2"))
    #expect(try passkey("delete", "--yes", "example.org/bob").errors.contains("example.org/bob#1, example.org/bob#2"))
    #expect(try passkey("show", String(repeating: "44", count: 32)).status == 0)
  }

  @Test func `a label is the user's, names the passkey, and changes neither site nor account`() throws {
    #expect(try passkey("rename", "ssh:", "work laptop").output == "The passkey ssh: has the label work laptop.\n")
    #expect(try passkey("list").output.contains("ssh:               work laptop  "))
    let json = try passkey("show", "work laptop", "--json").output
    #expect(json.contains("\"site\" : \"ssh:\"") && json.contains("\"label\" : \"work laptop\""))
    // A label that is another's site means neither.
    #expect(try passkey("rename", "ssh:", "example.org/alice").status == 0)
    #expect(try passkey("show", "example.org/alice").output.contains("alice"))
    #expect(try passkey("rename", "ssh:", "example.org").status == 0)
    #expect(try passkey("show", "example.org").errors.contains("ssh:"))
  }

  @Test func `a passkey is deleted after a yes, and the others stay`() throws {
    let terminal = try scene.start(["passkey", "delete", "example.org/alice"])
    try terminal.read(until: "[y/N] ")
    terminal.type("\n")
    #expect(try scene.end(terminal).status == 1)
    #expect(try names().count == 3)
    #expect(try passkey("delete", "--yes", "example.org/alice").output == "Deleted the passkey example.org/alice.\n")
    #expect(try names() == ["example.org/bob", "ssh:"])
    for name in ["example.org", "ssh:"] { #expect(try passkey("delete", "--yes", name).status == 0) }
    #expect(try passkey("list").errors.contains("There are no passkeys."))
  }

  @Test func `the history names the site of a passkey that is there`() throws {
    #expect(try passkey("delete", "--yes", "ssh:").status == 0)
    let history = try scene.signet(["history"]).output
    #expect(history.contains("Passkey example.org/alice made") && history.contains("Passkey 33333333 made"))
    #expect(history.contains("Passkey 33333333 deleted") && history.contains("Key made"))
    #expect(try scene.signet(["history", "--json"]).output.contains("\"passkey\" : \"11111111\""))
  }

  @Test func `one that is still being made is not listed`() throws {
    try make("example.net", "carol", 0x55, isWhole: false)
    #expect(try names().count == 3)
    #expect(try passkey("show", "example.net").status == 1)
  }
}
