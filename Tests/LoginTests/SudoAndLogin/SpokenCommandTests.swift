import Foundation
import SignetTestKit
import Testing

/// What commands say in another language. `xx` is one that has every sentence, in brackets (world.sh).
extension `Debian's sudo and login` {
  private static let commands = [
    "--help", "status --help", "vault add --help", "token --help", "status --user finger", "list --user finger", "list",
    "readers", "sessions", "history --user finger", "doctor",
    "check-config", "policy sudo", "vault list", "--bogus", "status --bogus", "enroll elbow", "enroll left-thumb elbow", "delete",
    "verify --timeout 0", "history --lines", "token", "reset nobody-here", "check-config --file /nowhere/signet.conf",
    "policy sudo --file /etc/passwd", "vault get mail --show",
  ]

  @Test func `no sentence of a command is left in English where a language has them all`() throws {
    let world = try World()
    try world.enroll()
    for command in Self.commands {
      let text = try said(command, in: "xx_XX", world)
      #expect(text.contains("【"), "\(command): \(text)")
      // Of a help text; the width is what a terminal without one is taken for.
      let isWide = text.split(separator: "\r\n").contains { width(String($0)) > 80 && !$0.contains("signet ") }
      #expect(!command.hasSuffix("--help") || !isWide, "\(command): \(text)")
      #expect(Self.english(outside(text)) == [], "\(command): \(text)")
    }
  }

  @Test func `JSON is the same in all languages`() throws {
    let world = try World()
    try world.enroll()
    for command in ["status --json", "doctor --json", "check-config --json", "policy sudo --json", "readers --json"] {
      let text = try said(command, in: "xx_XX", world)
      #expect(text.contains("{") && !text.contains("【"), "\(command): \(text)")
    }
  }

  @Test(arguments: ["xx_XX", "ja_JP"])
  func `columns are aligned in letters of any width`(locale: String) throws {
    let world = try World()
    try world.enroll()
    let status = try said("status --user finger", in: locale, world).split(separator: "\r\n").compactMap {
      $0.firstMatch(of: /^[^:：]+[:：]】? +/).map { width(String($0.0)) }
    }
    #expect(status.count > 5 && Set(status).count == 1, "\(status)")
    let rows = try said("list --user finger", in: locale, world).split(separator: "\r\n").map { row in
      row.firstMatch(of: /^.*?  +/).map { width(String($0.0)) }
    }
    #expect(rows.count == 2 && Set(rows).count == 1, "\(rows)")
  }

  @Test func `signet speaks German where its user does`() throws {
    let world = try World()
    try world.enroll()
    for (command, sentence) in [
      ("status", "Fingers:"), ("status --help", "Show readers, enrolled fingers, strikes, and what is locked and why."),
      ("delete", "Name the finger to delete, or give --all for every one."), ("list --user finger", "ENROLLED"),
    ] {
      let german = try #require(try Self.translation(of: sentence, into: "de"))
      let text = try said(command, in: "de_DE", world).replacing(/\s+/, with: " ")
      #expect(text.contains(german) && !text.contains(sentence), "\(german): \(text)")
    }
  }

  @Test func `a finger and a finding are called in the user's language, and the finger as it is typed, too`() throws {
    let world = try World()
    try world.enroll()
    #expect(try said("list --user finger", in: "ko_KR", world).contains("오른손 집게손가락 (right-index-finger)"))
    #expect(try said("status --user finger", in: "de_DE", world).contains("rechter Zeigefinger\r\n"))
    #expect(try said("doctor --only kernel", in: "de_DE", world).contains("ok       Kernel         "))
  }

  private func said(_ command: String, in locale: String, _ world: World) throws -> String {
    let terminal = try world.run(["env", "LC_ALL=\(locale).UTF-8", "signet"] + command.split(separator: " ").map(String.init))
    try terminal.readToEnd()
    _ = try terminal.waitForExit()
    return terminal.screen
  }

  /// What stands in no brackets.
  private func outside(_ text: String) -> String {
    var depth = 0
    return String(
      text.filter { letter in
        if letter == "【" { depth += 1 }
        defer { if letter == "】" { depth -= 1 } }
        return depth == 0
      })
  }

  /// Two words behind each other that are neither a command nor a value of signet.conf nor what somebody called a reader.
  private static func english(_ text: String) -> [String] {
    let rest = text.replacing(/signet(?: [a-z-]+)+|-> [^\r]*| = [^【]*|\[service \w+\]|Virtual device for debugging/, with: "")
    return rest.matches(of: /[A-Za-z]{2,} [a-z]{2,}/).map { String($0.0) }
  }

  /// `nil` where the catalogue's source has none.
  private static func translation(of sentence: String, into language: String) throws -> String? {
    let root = #filePath.split(separator: "/Tests/")[0]
    let text = try String(contentsOfFile: "\(root)/Sources/ground/SignetWords/po/\(language).po", encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let index = lines.firstIndex(of: "msgid \"\(sentence)\"") else { return nil }
    let words = lines[index + 1].dropFirst("msgstr \"".count).dropLast()
    return words.isEmpty ? nil : String(words)
  }
}
