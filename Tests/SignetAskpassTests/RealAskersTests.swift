import Foundation
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The real signet-askpass, asked by Debian's real ssh-add and gpg, with a scripted signetd.
@Suite struct RealAskersTests {
  private static func has(_ paths: String...) -> Bool { paths.allSatisfy { access($0, X_OK) == 0 } }
  static let hasSSH = has("/usr/bin/ssh-add", "/usr/bin/ssh-keygen", "/usr/bin/ssh-agent")
  static let hasGPG = has("/usr/bin/gpg", "/usr/bin/gpg-agent", "/usr/bin/gpgconf")

  typealias Step = ScriptedDaemon.Step
  private static let greeting: [Step] = [.expect(.context), .send(Packet.done)]
  private static let nothing: [Step] = greeting + [.expect(.vaultRead), .send(Packet.refused(.notFound))]

  private static func releasing(_ text: String) -> [Step] {
    greeting + [.expect(.vaultRead), .send(part(text)), .send(Packet.done)]
  }

  private static func part(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return [PacketLimit.version, ReplyKind.value.rawValue] + Array(littleEndian: bytes.count, size: 4)
      + Array(littleEndian: bytes.count, size: 2) + bytes
  }

  private let folder: TemporaryFolder
  private let askpass: String
  /// Writes down that it was asked.
  private let pinentry: String

  init() throws {
    folder = try TemporaryFolder()
    askpass = try ReaderChannel.program("signet-askpass")
    pinentry = folder.path + "/pinentry"
    try writeScript(
      """
      #!/bin/sh
      echo OK
      while read -r verb rest; do
        echo "$verb $rest" >> \(folder.path)/asked
        case $verb in
        GETPIN) if [ -f \(folder.path)/typed ]; then echo "D $(cat \(folder.path)/typed)"; echo OK
          else echo 'ERR 83886179 cancelled'; fi ;;
        CONFIRM) if [ -f \(folder.path)/yes ]; then echo OK; else echo 'ERR 83886194 no'; fi ;;
        *) echo OK ;;
        esac
      done
      """, to: pinentry)
  }

  private func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(folder.path)/\(name)", atomically: false, encoding: .utf8)
  }

  private func environment(_ daemon: ScriptedDaemon, _ more: String...) -> [String] {
    [
      "PATH=/usr/bin:/bin", "HOME=\(folder.path)", "LC_ALL=C", "SIGNET_SOCKET=\(daemon.path)", "SIGNET_PINENTRY=\(pinentry)",
      "SSH_ASKPASS=\(askpass)", "SSH_ASKPASS_REQUIRE=force", "SSH_AUTH_SOCK=\(folder.path)/agent",
      "GNUPGHOME=\(folder.path)/gnupg",
    ] + more
  }

  private struct End { var status: Int32, output: String }

  private func run(_ words: [String], _ environment: [String]) throws -> End {
    let lines = try Lines()
    let program = try Program(words, environment: environment, descriptors: [1: lines.writer, 2: lines.writer])
    lines.readToEnd()
    return End(status: try program.waitForExit(), output: lines.text)
  }

  private var asked: String { (try? RawFile.text(folder.path + "/asked")) ?? "" }

  // MARK: A prompt

  @Test func `a kept passphrase is printed as one line, and nothing is asked`() throws {
    let daemon = try ScriptedDaemon(Self.releasing("open sesame\n"))
    let end = try run([askpass, "Enter passphrase for key '/k': "], environment(daemon))
    #expect(end.status == 0 && end.output == "open sesame\n" && asked.isEmpty)
    let name = Array("ssh-key".utf8) + [2, 0] + Array("/k".utf8)
    #expect(try daemon.finish()[0][1].contains(name))
  }

  @Test(arguments: ["two\nlines", "a\0b", "a\rb"])
  func `what is not one line is not printed at all`(value: String) throws {
    let daemon = try ScriptedDaemon(Self.releasing(value))
    let end = try run([askpass, "Enter passphrase for key '/k': "], environment(daemon))
    #expect(end.status == 1 && end.output == "signet-askpass: what is kept is not one line, so it cannot answer a prompt.\n")
  }

  @Test func `what is not kept is typed, and who gives up at the finger is not asked again`() throws {
    try write("typed", "by%20hand")
    let daemon = try ScriptedDaemon(
      Self.nothing, Self.greeting + [.expect(.vaultRead), .send(Packet.refused(.cancelled))])
    let typed = try run([askpass, "Enter passphrase for key '/k': "], environment(daemon))
    #expect(typed.status == 0 && typed.output == "by hand\n" && asked.contains("SETDESC Enter passphrase for key '/k':\n"))
    unlink(folder.path + "/asked")
    let cancelled = try run([askpass, "Enter passphrase for key '/k': "], environment(daemon))
    #expect(cancelled.status == 1 && cancelled.output.isEmpty && asked.isEmpty)
  }

  @Test func `without signetd it is an askpass as any other`() throws {
    try write("typed", "by%20hand")
    let daemon = try ScriptedDaemon([[Step]]())
    let end = try run(
      [askpass, "Enter passphrase for key '/k': "],
      environment(daemon).filter { !$0.hasPrefix("SIGNET_SOCKET") } + [
        "SIGNET_SOCKET=/proc/nonexistent"
      ])
    #expect(end.status == 0 && end.output == "by hand\n")
  }

  @Test(arguments: [true, false])
  func `a confirmation is asked for, and releases nothing`(says: Bool) throws {
    if says { try write("yes", "") }
    let daemon = try ScriptedDaemon([[Step]]())
    let words = "Enter passphrase for key '/k': "
    let confirmed = try run([askpass, words], environment(daemon, "SSH_ASKPASS_PROMPT=confirm"))
    #expect(confirmed.status == (says ? 0 : 1) && confirmed.output.isEmpty && asked.contains("CONFIRM"))
    let host = try run([askpass, "The key is \u{1B}[2J.\nContinue connecting (yes/no)? "], environment(daemon))
    #expect(host.status == 0 && host.output == (says ? "yes\n" : "no\n") && !asked.contains("\u{1B}"))
    #expect(!daemon.hasUnserved)
  }

  @Test(.enabled(if: hasSSH, "needs openssh-client, which `make deps` installs"))
  func `ssh-add gets a key's passphrase from the vault, and a wrong one is typed`() throws {
    let key = folder.path + "/id"
    let daemon = try ScriptedDaemon(Self.releasing("open sesame"), Self.releasing("wrong"))
    let environment = environment(daemon)
    #expect(try run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", key], environment).status == 0)
    let lines = try Lines()
    let agent = try Program(
      ["ssh-agent", "-D", "-a", folder.path + "/agent"], environment: environment, descriptors: [1: lines.writer])
    try lines.read(until: "SSH_AUTH_SOCK")
    let added = try run(["ssh-add", key], environment)
    #expect(added.status == 0 && added.output.contains("Identity added") && asked.isEmpty, "\(added)")
    try write("typed", "open%20sesame")
    let typed = try run(["ssh-add", key], environment)
    #expect(typed.status == 0 && asked.contains("SETDESC Bad passphrase, try again for \(key):"), "\(typed)")
    try daemon.finish()
    agent.signal(SIGTERM)
    _ = try agent.waitForExit()
  }

  @Test(.enabled(if: hasGPG, "needs gnupg, which `make deps` installs"))
  func `gpg signs with a passphrase from the vault, and asks by the real pinentry where that is wrong`() throws {
    let daemon = try ScriptedDaemon(Self.releasing("gpg %secret"), Self.releasing("wrong"), Self.nothing)
    let environment = environment(daemon)
    mkdir(folder.path + "/gnupg", 0o700)
    try write("gnupg/gpg-agent.conf", "pinentry-program \(askpass)\n")
    defer { _ = try? run(["gpgconf", "--kill", "gpg-agent"], environment) }
    let made = try run(
      [
        "gpg", "--batch", "--pinentry-mode", "loopback", "--passphrase", "gpg %secret", "--quick-gen-key", "a@b", "ed25519",
        "sign",
      ],
      environment)
    #expect(made.status == 0, "\(made)")
    try write("message", "hello")
    let sign = ["gpg", "--batch", "--yes", "--detach-sign", folder.path + "/message"]
    func forget() throws { _ = try run(["gpgconf", "--kill", "gpg-agent"], environment) }
    try forget()
    let signed = try run(sign, environment)
    #expect(signed.status == 0 && !asked.contains("GETPIN"), "\(signed)")
    try forget()
    try write("typed", "gpg%20%25secret")
    let retried = try run(sign, environment)
    #expect(retried.status == 0 && asked.contains("SETERROR Bad Passphrase") && asked.contains("GETPIN"), "\(retried)")
    try forget()
    unlink(folder.path + "/asked")
    #expect(try run(sign, environment).status == 0)
    #expect(asked.contains("SETKEYINFO n/") && asked.contains("GETPIN"))
    try daemon.finish()
  }

  // MARK: Keeping

  @Test(.enabled(if: hasSSH, "needs openssh-client, which `make deps` installs"))
  func `only the right passphrase of a key is kept`() throws {
    let key = folder.path + "/id"
    let daemon = try ScriptedDaemon(
      Self.greeting + [
        .expect(.vaultAdd), .send([PacketLimit.version, ReplyKind.askValue.rawValue]), .expect(.value), .send(Packet.done),
      ])
    let environment = environment(daemon)
    #expect(try run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "open sesame", "-f", key], environment).status == 0)
    try write("typed", "wrong")
    #expect(try run([askpass, "--keep", "ssh-key", key], environment).status == 1)
    #expect(!daemon.hasUnserved)
    try write("typed", "open%20sesame")
    let kept = try run([askpass, "--keep", "ssh-key", key], environment)
    #expect(kept.status == 0 && kept.output == "Kept ssh-key, \(key).\n")
    #expect(try Array(daemon.finish()[0][2].suffix(11)) == Array("open sesame".utf8))
  }

  @Test(arguments: [
    ["--keep", ""], ["--forget", "a", "b", "c"], ["one", "two"], ["--keep", String(repeating: "x", count: 257)],
  ])
  func `a bad command line is refused`(words: [String]) throws {
    let daemon = try ScriptedDaemon([[Step]]())
    #expect(try run([askpass] + words, environment(daemon)).status == 2)
  }
}
