import CLinux
import Foundation
import Glibc
import SignetTestKit
import Testing

/// Exit statuses and messages before anything is asked of signetd, or without one.
@Suite struct UsageTests {
  @Test(arguments: [
    ["bogus"], ["list", "--bogus"], ["delete"], ["delete", "right-thumb", "--all"], ["enroll", "sixth-finger"], ["reset"],
    ["import"], ["import", "windows"], ["import", "fprintd", "windows"],
    ["verify", "--timeout", "0"], ["verify", "--timeout", "3601"], ["sessions", "revoke"], ["sessions", "revoke", "xyz"],
    ["sessions", "revoke", "../../..", "--socket", "/nonexistent"], ["list", "--user", String(repeating: "x", count: 257)],
    ["enroll", "--reader", String(repeating: "x", count: 129)], ["lock", String(repeating: "x", count: 257)],
    ["lock", "alice", "bob"], ["check-config", "--file", ""], ["check-config", "--file"], ["check-config", "signet.conf"],
    ["vault", "add"], ["vault", "add", ""], ["vault", "add", "web", "alice", "s3cret"],
    ["vault", "add", "web", "--login-secret"], ["vault", "add", "--login-secret", "--label", "x"],
    ["vault", "add", "--login-secret", "--access", "none"], ["vault", "add", "--login-secret", "--trim"],
    ["vault", "add", String(repeating: "x", count: 257)], ["vault", "add", "web", String(repeating: "x", count: 257)],
    ["vault", "add", "web", "--label", String(repeating: "x", count: 1025)],
    ["vault", "add", "web", "--comment", String(repeating: "x", count: 1025)],
    ["vault", "add", "web", "--access", "face"], ["vault", "add", "web", "--accessible", "always"],
    ["vault", "add", "web", "--access", "biometryAny", "--access", "devicePasscode"],
    ["vault", "add", "web", "--access", "biometryAny", "--access", "devicePasscode", "--any", "--all"],
    ["vault", "add", "web", "--any"], ["vault", "add", "web", "--access", "none", "--access", "biometryAny", "--any"],
    ["vault", "get"], ["vault", "get", ""], ["vault", "get", "web", "alice", "x"], ["vault", "get", "--login-secret"],
    ["vault", "delete"], ["vault", "delete", "web", "--login-secret"], ["vault", "list", "web", "x"],
    ["vault", "reset", "alice"],
    ["token", "jwt"], ["token", "jwt", "--audience", ""], ["token", "jwt", "--audience", "mail\n"], ["token", "--id"],
    ["token", "jwt", "--audience", "\u{202E}liam"], ["token", "--account", "work"], ["bind"], ["bind", "http://id.example.org"],
    ["doctor", "--only", "bogus"], ["doctor", "readers"], ["vault", "recover", "x"], ["vault", "open"],
    ["vault", "rename", "web"], ["vault", "rename", "web", "web"], ["vault", "rename", "web", ""], ["vault", "edit"],
    ["vault", "edit", ""], ["vault", "copy"], ["vault", "copy", "web", "--timeout", "0"], ["vault", "export"],
    ["vault", "import"], ["run", "--", "true"], ["run", "--env", "A=web"],
    ["run", "--env", "A", "--", "true"], ["run", "--env", "=web", "--", "true"], ["run", "--env", "A=", "--", "true"],
    ["passkey", "show"], ["passkey", "rename", "example.org"], ["passkey", "rename", "example.org", ""],
    ["passkey", "rename", "example.org", "a\nb"], ["passkey", "rename", "example.org", String(repeating: "x", count: 257)],
    ["run", "--env", "A=web", "true"], ["run", "--env", "A=web", "--env", "A=other", "--", "true"],
  ])
  func `a command that is not understood is usage and prints no data`(words: [String]) throws {
    let run = try Signet.run(words)
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(!run.errors.isEmpty)
  }

  @Test(arguments: [
    ["add", "web", "alice", "s3cret"], ["update", "web", "", "s3cret", "x"], ["add", "web", "a", "s3cret", "--trim"],
  ])
  func `a secret that was given as an argument is not repeated`(words: [String]) throws {
    let run = try Signet.run(["vault"] + words)
    #expect(run.status == 2)
    #expect(run.errors.contains("standard input"))
    #expect(!run.errors.contains("s3cret"))
  }

  @Test(arguments: [
    ["--help"], ["help", "enroll"], ["enroll", "--help"], ["sessions", "revoke", "--help"], ["--version"], [],
    ["vault"], ["vault", "--help"], ["vault", "add", "--help"], ["vault", "get", "--help"],
  ]) func `help is data`(words: [String]) throws {
    let run = try Signet.run(words)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    #expect(!run.output.isEmpty)
  }

  @Test func `the help has three examples first, then commands in groups, and every exit status last`() throws {
    let text = try Signet.run(["--help"]).output
    let places = [
      "OVERVIEW:", "\n  signet enroll ", "\n  signet status ", "\n  signet vault add ", "The passcode is your login password.",
      "USAGE: signet", "OPTIONS:", "\nFINGERS:\n  enroll ", "\nSECRETS:\n  vault ", "\nSIGN-IN:\n  token ",
      "\nADMINISTRATION:\n  doctor ", "Exit status: 0 done",
    ].map { text.range(of: $0)?.lowerBound }
    #expect(!places.contains(nil) && places.compactMap { $0 } == places.compactMap { $0 }.sorted(), "\(text)")
    let end = text[try #require(text.range(of: "Exit status: 0 done")).lowerBound...]
    for status in 0...6 { #expect(end.contains("\(status) "), "\(status)") }
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
  }

  @Test(arguments: [
    (["enrol"], "enroll"), (["enrol", "left-thumb"], "enroll"), (["stauts"], "status"), (["hist"], "history"),
    (["--socket", "/nowhere", "lsit"], "list"), (["vault", "ad", "web"], "add"), (["vault", "lits"], "list"),
    (["check-conf"], "check-config"), (["sessions", "revok"], "revoke"),
  ])
  func `a mistyped command gets a suggestion`(words: [String], meant: String) throws {
    let run = try Signet.run(words)
    #expect(run.status == 2)
    let typed = words.first { !["--socket", "/nowhere", "vault", "sessions"].contains($0) } ?? ""
    #expect(run.errors.hasPrefix("Error: Unexpected argument '\(typed)'. Did you mean '\(meant)'?\n"), "\(run.errors)")
  }

  @Test(arguments: [["bogus"], ["x"], ["enroll", "left-thumb", "lsit"], ["doctor", "readers"], ["vault", "open"]])
  func `what looks like no command gets none`(words: [String]) throws {
    #expect(try !Signet.run(words).errors.contains("Did you mean"))
  }

  @Test func `each of the program's names has a help`() throws {
    for name in ["signet-askpass", "signet-credential"] {
      let text = try Program.output([ReaderChannel.program(name), "--help"])
      #expect(text.hasPrefix("usage: \(name) ") && text.contains("See \(name)(1)."), "\(text)")
    }
  }

  @Test func `the version has a short name, too`() throws {
    let run = try Signet.run(["-V"])
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try run.output == Signet.run(["--version"]).output && !run.output.isEmpty)
  }

  @Test(arguments: [
    ["enroll"], ["enroll", "left-thumb"], ["list"], ["list", "--json"], ["delete", "--all"], ["verify"], ["status"], ["readers"],
    ["reset", "root"], ["lock"], ["sessions"], ["sessions", "revoke", "0123abcd"], ["vault", "list"], ["vault", "get", "web"],
    ["vault", "delete", "web"],
    ["vault", "add", "web", "--allow-empty"], ["vault", "update", "web"], ["vault", "recover"], ["vault", "reset"],
  ])
  func `without signetd it says where it looked and how to start it`(words: [String]) throws {
    let run = try Signet.run(words + ["--socket", "/nonexistent/socket"])
    #expect(run.status == 3)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("/nonexistent/socket: No such file or directory"))
    #expect(run.errors.contains("systemctl start signetd.socket"))
  }

  @Test func `the socket may be named before the command`() throws {
    #expect(try Signet.run(["--socket", "/nonexistent/first", "list"]).errors.contains("/nonexistent/first"))
  }

  @Test func `a socket path with an escape sequence does not reach the terminal`() throws {
    #expect(try !Signet.run(["list", "--socket", "/tmp/\u{1B}[31m"]).errors.contains("\u{1B}"))
  }

  @Test func `data that cannot be written is not done`() throws {
    let full = clinux_open("/dev/full", O_WRONLY | O_CLOEXEC, 0)
    try #require(full >= 0)
    defer { close(full) }
    let daemon = try ScriptedDaemon([.expect(.readers), .done])
    let run = try Signet.run(["readers", "--json", "--socket", daemon.path], output: full)
    try daemon.finish()
    #expect(run.status == 1)
    #expect(run.errors.contains("standard output: No space left on device"))
  }
}
