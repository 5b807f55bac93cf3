import Foundation
import Glibc
import SignetPasskey
import SignetTestKit
import SignetVocabulary
import Testing

/// A vault in a file: two machines, which are two folders of state, and Debian's age(1).
@Suite(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
struct TransferTests {
  private let here: SignetScene
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/vault.age" }

  private static let passphrase = "correct battery"
  /// As much as an item may have.
  private static let large = Array(VaultStoringTests.bytes[..<65_536])

  /// A finger is enrolled, and the vault has items of each kind that leaves, and of those that do not.
  init() throws {
    here = try SignetScene()
    folder = try TemporaryFolder()
    try #require(try here.enroll(.leftThumb, as: "left").status == 0)
    try TransferTests.open(here)
    let items: [([String], [UInt8])] = [
      (["web", "alice", "--label", "Mail", "--comment", "mine"], Array("s3cret".utf8)),
      (["key", "--access", "biometryCurrentSet", "--access", "devicePasscode", "--any"], Array(0...255)),
      (["big", "--access", "none", "--accessible", "afterFirstUnlock"], TransferTests.large),
      (["here", "--accessible", "whenPasscodeSet"], [65]),
    ]
    for (words, value) in items { try #require(try here.signet(["vault", "add"] + words, input: value).status == 0) }
    try #require(try here.signet(["vault", "add", "--login-secret"], input: Array("right horse".utf8)).status == 0)
  }

  /// The first item of a vault takes the passcode.
  private static func open(_ scene: SignetScene) throws {
    let terminal = try scene.start(["vault", "add", "first", "--access", "none", "--accessible", "afterFirstUnlock"])
    for question in ["Secret: ", "Secret again: "] {
      try terminal.read(until: question)
      terminal.type("f1rst\n")
    }
    if geteuid() == 0 {
      try terminal.read(until: "asscode: ")
      terminal.type(RunningDaemon.passcode + "\n")
    }
    try #require(try scene.end(terminal).status == 0)
  }

  private func export(_ words: String..., second: String = passphrase) throws -> SignetScene.End {
    let terminal = try here.start(["vault", "export", file] + words)
    try terminal.read(until: "New passphrase of the file: ")
    #expect(!terminal.echoes)
    terminal.type(TransferTests.passphrase + "\n")
    try terminal.read(until: "Passphrase again: ")
    terminal.type(second + "\n")
    if second == TransferTests.passphrase {
      try terminal.read(until: "fingerprint reader")
      try here.reader.scan("left")
    }
    return try here.end(terminal)
  }

  private func load(_ scene: SignetScene, _ words: String..., passphrase: String = passphrase) throws -> SignetScene.End {
    let terminal = try scene.start(["vault", "import", file] + words)
    try terminal.read(until: "Passphrase of the file: ")
    #expect(!terminal.echoes)
    terminal.type(passphrase + "\n")
    return try scene.end(terminal)
  }

  /// Another machine with an open vault, whose passcode is the same.
  private func other() throws -> SignetScene {
    let scene = try SignetScene()
    try #require(try scene.enroll(.leftThumb, as: "left").status == 0)
    try TransferTests.open(scene)
    return scene
  }

  private func names(_ scene: SignetScene) throws -> Set<String> {
    let rows = try JSONSerialization.jsonObject(with: Data(scene.signet(["vault", "list", "--json"]).bytes)) as? [[String: Any]]
    return Set((rows ?? []).compactMap { $0["service"] as? String })
  }

  /// age(1) asks on the terminal.
  private func age(_ words: [String]) throws -> PseudoTerminal {
    try PseudoTerminal(["age"] + words, environment: ["PATH=/usr/bin:/bin", "TERM=dumb"])
  }

  private static let hasAge = access("/usr/bin/age", X_OK) == 0

  @Test func `one touch exports all but what is for this machine alone, which is named`() throws {
    let end = try export()
    #expect(end.status == 0 && end.screen.hasSuffix("Exported 4 items to \(file).\r\n"), "\(end.screen)")
    #expect(end.screen.components(separatedBy: "fingerprint reader").count == 2)
    for name in ["here", "the login secret"] {
      #expect(end.screen.contains("Not exported, because it is for this machine alone: \(name)\r\n"))
    }
    #expect(try Program.output(["stat", "-c", "%a", file]) == "600\n")
    #expect(try RawFile.names(in: folder.path) == ["vault.age"])
    let bytes = try RawFile.read(file)
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("age-encryption.org/v1\n-> scrypt "))
    #expect(!String(decoding: bytes, as: UTF8.self).contains("alice"))
  }

  @Test func `another machine has the same items then, with all that belongs to them`() throws {
    try #require(try export().status == 0)
    let there = try other()
    let end = try load(there)
    // `first` is there already.
    #expect(end.status == 1, "\(end.screen)")
    #expect(
      end.screen.contains("There already, and left as it is: first\r\n") && end.screen.contains("\r\nImported 3 items.\r\n"))
    #expect(try names(there) == ["first", "web", "key", "big"])
    #expect(try there.signet(["vault", "get", "big"]).bytes == TransferTests.large)
    func row(_ scene: SignetScene, _ name: String) throws -> [String] {
      try scene.signet(["vault", "list", name, "--json"]).output.split(separator: "\n").map(String.init).filter {
        !$0.contains("created") && !$0.contains("modified") && !$0.contains("rogram")
      }
    }
    for name in ["web", "key", "big"] { #expect(try row(here, name) == row(there, name), "\(name)") }
    let terminal = try there.start(["vault", "get", "web", "alice", "--show"])
    try terminal.read(until: "fingerprint reader")
    try there.reader.scan("left")
    #expect(try there.end(terminal).screen.hasSuffix("\r\ns3cret\r\n"))
  }

  /// As signet-passkey makes one.
  private func makePasskey(of account: String, _ digit: String) throws {
    let credential = StoredCredential(
      name: [UInt8](repeating: 0x11, count: 32), site: Site(id: Array("example.org".utf8)),
      account: Account(id: [1], name: Array(account.utf8), displayName: []), isDiscoverable: true)
    let item = Item(
      .passkey(String(repeating: digit, count: 64)), label: credential.label, comment: credential.comment,
      accessControl: AccessControl(.userPresence))
    let answer = try here.daemon.connect().ask(.makeKey(user: "", item), Proving(passcode: RunningDaemon.passcode))
    try #require(answer.end == .done, "\(answer)")
  }

  @Test func `passkeys take the passcode, come first, and are never replaced`() throws {
    try makePasskey(of: "alice", "1")
    try makePasskey(of: "bob", "2")
    let terminal = try here.start(["vault", "export", file])
    for question in ["New passphrase of the file: ", "Passphrase again: "] {
      try terminal.read(until: question)
      terminal.type(TransferTests.passphrase + "\n")
    }
    try terminal.read(until: "asscode: ")
    terminal.type(RunningDaemon.passcode + "\n")
    let end = try here.end(terminal)
    #expect(end.status == 0 && end.screen.hasSuffix("Exported 6 items to \(file).\r\n"), "\(end.screen)")
    #expect(!end.screen.contains("fingerprint reader") && end.screen.components(separatedBy: "asscode: ").count == 2)
    let there = try other()
    #expect(try load(there).screen.contains("\r\nImported 5 items.\r\n"))
    let shown = try there.signet(["passkey", "show", "example.org/alice"]).output
    #expect(shown.contains(String(repeating: "1", count: 64)) && shown.contains("yes"), "\(shown)")
    let again = try load(there, "--replace")
    #expect(again.status == 1 && again.screen.contains("There already, and left as it is: the passkey example.org/alice\r\n"))
    #expect(again.screen.contains("\r\nImported 4 items.\r\n"), "\(again.screen)")
  }

  @Test func `what is there already is replaced only where that was asked for`() throws {
    try #require(try export().status == 0)
    #expect(try here.signet(["vault", "update", "first"], input: Array("newer".utf8)).status == 0)
    #expect(try load(here).status == 1)
    #expect(try here.signet(["vault", "get", "first"]).output == "newer")
    let end = try load(here, "--replace")
    #expect(end.status == 0 && end.screen.hasSuffix("Imported 4 items.\r\n"), "\(end.screen)")
    #expect(try here.signet(["vault", "get", "first"]).output == "f1rst")
  }

  @Test func `a second that differs exports nothing, and an older file stays unless its owner says so`() throws {
    let differing = try export(second: "battery")
    #expect(differing.status == 1 && differing.screen.contains("was not the same"))
    #expect(try RawFile.names(in: folder.path) == [])
    try RawFile.create(file, Array("older".utf8))
    let terminal = try here.start(["vault", "export", file])
    try terminal.read(until: "\(file) is there already. Replace it? [y/N] ")
    terminal.type("n\n")
    #expect(try here.end(terminal).status == 1)
    #expect(try RawFile.text(file) == "older")
    #expect(try export("--yes").status == 0)
    #expect(try RawFile.text(file) != "older")
  }

  @Test func `what is no file stays, and nobody is asked`() throws {
    try #require(symlink("/dev/null", file) == 0)
    let run = try here.signet(["vault", "export", file, "--yes"])
    #expect(run.status == 1 && run.errors.contains("File exists. Nothing was exported."), "\(run.errors)")
    #expect(try RawFile.target(of: file) == "/dev/null")
  }

  @Test func `without the finger nothing is written`() throws {
    let terminal = try here.start(["vault", "export", file])
    for question in ["New passphrase of the file: ", "Passphrase again: "] {
      try terminal.read(until: question)
      terminal.type(TransferTests.passphrase + "\n")
    }
    try terminal.read(until: "fingerprint reader")
    terminal.type("\u{3}")
    #expect(try here.end(terminal).status != 0)
    #expect(try RawFile.names(in: folder.path) == [])
  }

  @Test(.enabled(if: hasAge, "needs age")) func `age opens an export, which has a documented form`() throws {
    try #require(try export().status == 0)
    let terminal = try age(["-d", "-o", "\(folder.path)/clear", file])
    try terminal.read(until: "passphrase: ")
    terminal.type(TransferTests.passphrase + "\n")
    #expect(try terminal.waitForExit() == 0)
    let lines = try RawFile.text("\(folder.path)/clear").split(separator: "\n").map(String.init)
    #expect(lines.count == 5 && lines[0] == "{\"form\":\"signet-vault\",\"version\":1}")
    #expect(
      lines.contains(
        """
        {"access":["userPresence"],"accessible":"whenUnlocked","account":"alice","comment":"mine","label":"Mail","service":"web",\
        "value":"\(Data("s3cret".utf8).base64EncodedString())"}
        """))
  }

  private func sealed(_ text: String) throws {
    try RawFile.create("\(folder.path)/clear", Array(text.utf8))
    let terminal = try age(["-p", "-o", file, "\(folder.path)/clear"])
    for question in ["passphrase (leave empty to autogenerate a secure one): ", "onfirm passphrase: "] {
      try terminal.read(until: question)
      terminal.type(TransferTests.passphrase + "\n")
    }
    try #require(try terminal.waitForExit() == 0)
  }

  private static let form = "{\"form\":\"signet-vault\",\"version\":1}\n"

  private static func line(
    service: String = "\"x\"", access: String = "[]", accessible: String = "whenUnlocked", value: String = "AAAA"
  ) -> String {
    "{\"service\":\(service),\"account\":\"\",\"access\":\(access),\"accessible\":\"\(accessible)\",\"value\":\"\(value)\"}\n"
  }

  @Test(.enabled(if: hasAge, "needs age")) func `what age sealed is imported`() throws {
    try sealed(
      TransferTests.form
        + """
        {"service":"made","account":"","access":[],"accessible":"afterFirstUnlock","value":"aGFuZA=="}

        """)
    let end = try load(here)
    #expect(end.status == 0 && end.screen.hasSuffix("Imported 1 item.\r\n"), "\(end.screen)")
    #expect(try here.signet(["vault", "get", "made"]).output == "hand")
  }

  @Test(
    .enabled(if: hasAge, "needs age"),
    arguments: [
      "", "no JSON\n", form.replacing("1}", with: "2}"), form + line(access: "[\"face\"]"), form + line(access: "[\"none\"]"),
      form + line(accessible: "whenPasscodeSet"), form + line(value: "?"), form + line(service: "{}"), form + line() + line(),
      form + line(service: "\"signet-passkey\"").replacing("\"access\":[]", with: "\"passkey\":true,\"access\":[]"),
      form + line(service: "\"" + String(repeating: "x", count: 257) + "\""), form + line(access: "null"),
    ]) func `a file with anything else in it stores nothing`(text: String) throws
  {
    let before = try names(here)
    try sealed(text)
    let end = try load(here)
    #expect(end.status == 1 && end.screen.contains("Nothing was imported."), "\(end.screen)")
    #expect(try names(here) == before)
  }

  @Test func `a wrong passphrase, and a file that was cut or altered anywhere, store nothing`() throws {
    try #require(try export().status == 0)
    let whole = try RawFile.read(file)
    let before = try here.signet(["vault", "list", "--json"]).output
    let wrong = try load(here, "--replace", passphrase: "wrong")
    #expect(wrong.status == 1 && wrong.screen.contains("this is not the passphrase"), "\(wrong.screen)")
    let lines = whole.split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
    let head = lines.prefix(4).reduce(0) { $0 + $1.count + 1 }
    // The code of the head, the nonce, the first part, the last one. The code is in base64 and stays so: with any other sign in it
    // the file would be refused before the passphrase is asked for.
    for place in [head - 10, head + 3, head + 100, whole.count - 3] {
      var altered = whole
      altered[place] = altered[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      try RawFile.overwrite(file, altered)
      #expect(try load(here, "--replace").status == 1, "\(place)")
    }
    for count in [head + 16, head + 16 + 65_552, whole.count - 1] {
      try RawFile.overwrite(file, Array(whole[..<count]))
      let cut = try load(here, "--replace")
      #expect(cut.status == 1 && cut.screen.contains("is damaged or incomplete"), "\(count): \(cut.screen)")
    }
    #expect(try here.signet(["vault", "list", "--json"]).output == before)
  }

  @Test func `what would take all memory, or is none of ours, is refused before anybody is asked`() throws {
    let salt = String(repeating: "A", count: 22)
    let body = String(repeating: "A", count: 43)
    func head(_ stanza: String) -> [UInt8] { Array("age-encryption.org/v1\n-> \(stanza)\n\(body)\n--- \(body)\n".utf8) }
    let cases: [([UInt8], String)] = [
      (head("scrypt \(salt) 21"), "too much memory"), (head("scrypt \(salt) 4294967295"), "too much memory"),
      (head("scrypt \(salt) 0"), "too much memory"), (head("scrypt \(salt) 99999999999999999999"), "wrote"),
      (head("scrypt \(salt) 018"), "wrote"), (head("X25519 \(body)"), "wrote"), (head("scrypt \(salt)A 18"), "wrote"),
      ([], "wrote"), (Array("age-encryption.org/v1".utf8), "wrote"),
    ]
    try RawFile.create(file, [])
    for (bytes, words) in cases {
      try RawFile.overwrite(file, bytes)
      let run = try here.signet(["vault", "import", file])
      #expect(run.status == 1 && run.errors.contains(words), "\(String(decoding: bytes, as: UTF8.self)): \(run.errors)")
    }
    // A hole of a gigabyte, a pipe, and nothing.
    _ = try Program.output(["truncate", "-s", "1G", file])
    for path in [file, folder.path, "/dev/zero", "/nowhere"] {
      #expect(try here.signet(["vault", "import", path]).errors.contains("too large"), "\(path)")
    }
  }
}
