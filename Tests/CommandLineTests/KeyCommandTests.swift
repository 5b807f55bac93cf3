import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetCommandLine

/// `signet key` with a real signetd, and those who use keys: openssl, ssh and git.
@Suite(.enabled(if: access(RunningDaemon.matrix, R_OK) == 0, "needs libpam-wrapper's pam_matrix.so"))
struct KeyCommandTests {
  private let scene: SignetScene
  private let folder: TemporaryFolder
  private let line: String

  /// A finger is enrolled, the vault open, and there is the key `laptop`.
  init() throws {
    scene = try SignetScene()
    folder = try TemporaryFolder()
    try #require(try scene.enroll(.leftThumb, as: "left").status == 0)
    let terminal = try scene.start(["key", "make", "laptop"])
    if geteuid() == 0 {
      try terminal.read(until: "asscode: ")
      terminal.type(RunningDaemon.passcode + "\n")
    }
    let end = try scene.end(terminal)
    try #require(end.status == 0, "\(end.screen)")
    #expect(end.screen.contains("Made the key laptop, in the vault."))
    line = try #require(end.screen.split(separator: "\r\n").map(String.init).last)
  }

  private func key(_ words: String..., input: [UInt8]? = nil) throws -> Signet { try scene.signet(["key"] + words, input: input) }

  /// Runs a shell's command behind `signet key agent`, on a terminal, and touches the reader as often.
  private func withAgent(_ command: String, touches: [String]) throws -> SignetScene.End {
    let words = ["key", "agent", "--socket", scene.daemon.socket, "--", "/bin/sh", "-c", command]
    let variables = Signet.environment + ["XDG_RUNTIME_DIR=\(folder.path)", "HOME=\(folder.path)"]
    let terminal = try PseudoTerminal([try Signet.path()] + words, environment: variables)
    for touch in touches {
      try terminal.read(until: "fingerprint reader")
      try scene.reader.scan(touch)
    }
    return try scene.end(terminal)
  }

  private func shell(_ command: String) throws -> Int32 {
    try Program(["/bin/sh", "-c", "cd \(folder.path) && \(command)"], environment: Signet.environment).waitForExit()
  }

  // MARK: - the public half

  @Test func `a key is listed, and its public half is what ssh and openssl read`() throws {
    #expect(line.hasPrefix("ecdsa-sha2-nistp256 ") && line.hasSuffix(" laptop"))
    #expect(try key("public", "laptop").output == line + "\n")
    try (line + "\n").write(toFile: folder.path + "/key.pub", atomically: true, encoding: .utf8)
    try key("public", "laptop", "--pem").output.write(toFile: folder.path + "/key.pem", atomically: true, encoding: .utf8)
    #expect(
      try shell(
        "ssh-keygen -l -f key.pub > shown && ssh-keygen -e -m PKCS8 -f key.pub | cmp - key.pem && openssl pkey -pubin -in key.pem -noout"
      ) == 0)
    let shown = try String(contentsOfFile: folder.path + "/shown", encoding: .utf8)
    let fingerprint = try #require(shown.split(separator: " ").dropFirst().first)
    #expect(try key("list").output.contains("laptop  userPresence  \(fingerprint)"))
    let json = try key("list", "--json").output
    #expect(json.contains("\"fingerprint\" : \"\(fingerprint)\"") && json.contains("\"publicKey\" : \"\(line)\""))
  }

  @Test func `a key of another program is listed and named with its account`() throws {
    let name = ItemName(kind: .key, service: "git", account: "me")
    #expect(try scene.daemon.connect().ask(.makeKey(user: "", Item(name))).end == .done)
    #expect(try key("list").output.contains("\ngit/me  "))
    #expect(try key("public", "git/me").output.hasSuffix(" git/me\n"))
    #expect(try key("delete", "git/me", "--yes").status == 0)
    #expect(try key("public", "git/me").status == 1)
  }

  @Test func `no other command shows, copies or exports a key`() throws {
    #expect(try scene.signet(["vault", "list"]).output == "")
    for command in [["vault", "get", "laptop"], ["vault", "delete", "laptop"], ["vault", "rename", "laptop", "other"]] {
      #expect(try scene.signet(command).status == 1)
    }
    #expect(try key("public", "laptop").status == 0)
  }

  @Test func `a name is taken once, and what is no name or no key is refused`() throws {
    let again = try key("make", "laptop")
    #expect(again.status == 1 && again.errors.contains("such"))
    #expect(try key("public", "other").errors == "signet: there is no key other. See: signet key list\n")
    #expect(try key("sign", "other", input: [1]).status == 1)
    #expect(try key("make", "").status == 2)
    #expect(try key("make", "a\nb").status == 2)
  }

  @Test func `a key is deleted after a yes, and then signs nothing`() throws {
    let terminal = try scene.start(["key", "delete", "laptop"])
    try terminal.read(until: "[y/N] ")
    terminal.type("\n")
    #expect(try scene.end(terminal).status == 1)
    #expect(try key("public", "laptop").status == 0)
    #expect(try key("delete", "laptop", "--yes").output == "Deleted the key laptop.\n")
    #expect(try key("list").errors.contains("There are no keys."))
    #expect(try withAgent("ssh-add -l", touches: []).screen.contains("no identities"))
  }

  // MARK: - signatures

  @Test func `one touch signs a file, and openssl verifies it`() throws {
    let input = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try Data(input).write(to: URL(fileURLWithPath: folder.path + "/file"))
    try key("public", "laptop", "--pem").output.write(toFile: folder.path + "/key.pem", atomically: true, encoding: .utf8)
    let command =
      "\(try Signet.path()) key sign laptop --socket \(scene.daemon.socket) < \(folder.path)/file > \(folder.path)/file.sig"
    let terminal = try PseudoTerminal(["/bin/sh", "-c", command], environment: Signet.environment)
    try terminal.read(until: "fingerprint reader")
    try scene.reader.scan("left")
    #expect(try scene.end(terminal).status == 0)
    #expect(try shell("openssl dgst -sha256 -verify key.pem -signature file.sig file > /dev/null") == 0)
    #expect(try shell("echo more >> file; openssl dgst -sha256 -verify key.pem -signature file.sig file > /dev/null 2>&1") == 1)
  }

  @Test func `another finger signs nothing, and nothing is written`() throws {
    let command = "echo x | \(try Signet.path()) key sign laptop --socket \(scene.daemon.socket) > \(folder.path)/sig"
    let terminal = try PseudoTerminal(["/bin/sh", "-c", command], environment: Signet.environment)
    try terminal.read(until: "fingerprint reader")
    try scene.reader.scan("right")
    try terminal.read(until: "2 attempts left")
    terminal.type("\u{3}")
    _ = try scene.end(terminal)
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path + "/sig")).isEmpty)
  }

  @Test func `a signature comes to no terminal`() throws {
    let end = try scene.end(scene.start(["key", "sign", "laptop"]))
    #expect(end.status == 1 && end.screen.contains("a signature is no text"))
  }

  // MARK: - the agent

  @Test func `ssh-add lists the key, and the agent takes no other one`() throws {
    #expect(try shell("ssh-keygen -q -t ed25519 -N '' -f other") == 0)
    let end = try withAgent("ssh-add -L; ssh-add \(folder.path)/other; echo ended \\$?", touches: [])
    #expect(end.screen.contains(line))
    #expect(end.screen.contains("ended 1") || end.screen.contains("refused"))
  }

  @Test func `ssh-keygen signs by the agent, one touch a signature, and verifies it`() throws {
    try (line + "\n").write(toFile: folder.path + "/key.pub", atomically: true, encoding: .utf8)
    try ("me@example.org \(line)\n").write(toFile: folder.path + "/allowed", atomically: true, encoding: .utf8)
    let sign = "cd \(folder.path) && echo text > file && ssh-keygen -q -Y sign -n file -f key.pub file"
    let end = try withAgent(sign, touches: ["left"])
    #expect(end.status == 0, "\(end.screen)")
    #expect(end.screen.contains("ssh-keygen"))
    #expect(try shell("ssh-keygen -q -Y verify -f allowed -I me@example.org -n file -s file.sig < file") == 0)
  }

  @Test func `git signs a commit by a finger`() throws {
    try ("me@example.org \(line)\n").write(toFile: folder.path + "/allowed", atomically: true, encoding: .utf8)
    let setup = [
      "init -q .", "config user.name me", "config user.email me@example.org", "config gpg.format ssh",
      "config user.signingKey 'key::\(line)'", "config gpg.ssh.allowedSignersFile allowed",
    ]
    #expect(try shell(setup.map { "git \($0)" }.joined(separator: " && ")) == 0)
    let end = try withAgent("cd \(folder.path) && git commit -q -S --allow-empty -m change", touches: ["left"])
    #expect(end.status == 0, "\(end.screen)")
    #expect(try shell("git verify-commit HEAD") == 0)
  }

  @Test func `a finger that is not enrolled gives ssh no signature`() throws {
    try (line + "\n").write(toFile: folder.path + "/key.pub", atomically: true, encoding: .utf8)
    let sign = "cd \(folder.path) && echo text > file && ssh-keygen -q -Y sign -n file -f key.pub file"
    let words = ["key", "agent", "--socket", scene.daemon.socket, "--", "/bin/sh", "-c", sign]
    let terminal = try PseudoTerminal(
      [try Signet.path()] + words, environment: Signet.environment + ["XDG_RUNTIME_DIR=\(folder.path)"])
    try terminal.read(until: "fingerprint reader")
    try scene.reader.scan("right")
    try terminal.read(until: "2 attempts left")
    // The passcode is the other way: an empty one gives up.
    terminal.type("\u{1B}")
    #expect(try scene.end(terminal).status != 0)
    #expect(access(folder.path + "/file.sig", F_OK) != 0)
  }

  @Test func `the agent ends with its command, which gives its status, and leaves nothing behind`() throws {
    #expect(try withAgent("exit 7", touches: []).status == 7)
    // The agent hears of the end of its command a moment later.
    try wait(for: "the agent's end") { try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty }
  }

  @Test func `a command that is not there is told of as env does`() throws {
    #expect(try key("agent", "--listen", folder.path + "/here", "--", "/nonexistent").status == 127)
  }
}

/// Messages of an ssh agent's clients, as anybody may write them.
@Suite struct SSHAgentMessageTests {
  private static let sign: [UInt8] = [13] + SSHText.string([1, 2, 3]) + SSHText.string([4, 5]) + [0, 0, 0, 0]

  @Test func `what OpenSSH asks is understood`() {
    #expect(SSHAgentRequest([11]) == .identities)
    #expect(SSHAgentRequest(Self.sign[...]) == .sign(key: [1, 2, 3], data: [4, 5]))
  }

  @Test func `a message that was cut or has more is answered by a failure`() {
    for count in 0..<Self.sign.count { #expect(SSHAgentRequest(Self.sign.prefix(count)) == .other, "\(count) bytes") }
    #expect(SSHAgentRequest((Self.sign + [0])[...]) == .other)
    #expect(SSHAgentRequest([11, 0]) == .other)
    for kind in UInt8.min...UInt8.max where ![11, 13].contains(kind) { #expect(SSHAgentRequest([kind, 0, 0, 0, 0]) == .other) }
  }

  @Test func `a length that is larger than the message reads nothing behind it`() {
    for length: [UInt8] in [[255, 255, 255, 255], [127, 255, 255, 255], [0, 0, 0, 14]] {
      #expect(SSHAgentRequest(([13] + length + [1, 2, 3, 0, 0, 0, 0])[...]) == .other)
    }
    #expect(SSHAgentReply.failure.bytes == [0, 0, 0, 1, 5])
  }

  @Test(
    arguments: [
      // r and s with a high bit, and with zeros in front
      ([UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 0, count: 31) + [1], [0x30, 38, 2, 33, 0], [2, 1, 1]),
      (
        [0, 0x7F] + [UInt8](repeating: 7, count: 30), [0, 0x80] + [UInt8](repeating: 7, count: 30), [0x30, 67, 2, 31, 0x7F], [7]
      ),
    ] as [([UInt8], [UInt8], [UInt8], [UInt8])])
  func `numbers of a signature are positive and as short as may be`(r: [UInt8], s: [UInt8], start: [UInt8], end: [UInt8]) {
    let der = RawSignature(bytes: r + s).der
    #expect(der.starts(with: start) && der.suffix(end.count) == end[...] && Int(der[1]) == der.count - 2)
  }
}
