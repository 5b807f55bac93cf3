import Foundation
import Testing

/// The table of clients in Tests/Desktops/README.md, compared with the tests that there are.
@Suite struct ClientTableTests {
  private static let tests = String(#filePath.dropLast("SignetFprintTests/ClientTableTests.swift".count))

  private let lines: [String]
  /// The cells of each client's row.
  private var rows: [[String]] {
    lines.filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      String(row.dropFirst().dropLast()).components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  init() throws { lines = try Self.text("Desktops/README.md").components(separatedBy: "\n") }

  private static func text(_ path: String) throws -> String { try String(contentsOfFile: tests + path, encoding: .utf8) }

  private func quoted(_ cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.output.1) } }

  @Test func `every cell names a test, or says that there is none`() throws {
    try #require(rows.count > 12)
    for row in rows {
      try #require(row.count == 9, "\(row)")
      for cell in row.dropFirst(2) {
        #expect(cell == "–" || cell.hasPrefix("not tried") || cell.contains(/`|[A-Z]\d/), "\(row[0]): \(cell)")
      }
    }
  }

  @Test func `every story that the table names is told at its client`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.tests + "Desktops").filter { $0.hasSuffix(".py") }
    let code = try files.map { try Self.text("Desktops/" + $0) }.joined(separator: "\n\n\n")
    let parts = code.components(separatedBy: "\n\n\n")
    let body = { (name: String) in parts.first { $0.hasPrefix("class \(name)(") || $0.hasPrefix("class \(name):") } }
    let usual = try #require(code.firstMatch(of: /\nSTORIES = \[([^\]]+)\]/)?.output.1)
    for row in rows {
      let stories = row.dropFirst(2).flatMap(quoted)
      guard let host = quoted(row[1]).first else {
        #expect(stories.isEmpty, "\(row[0]) has no host")
        continue
      }
      let own = try #require(body(host), "\(host)")
      let base = own.firstMatch(of: /^class \w+\((\w+)\)/).flatMap { body(String($0.output.1)) } ?? ""
      let told = (own + base).firstMatch(of: /\n    stories = \[([^\]]+)\]/)?.output.1 ?? usual
      for story in stories { #expect(told.components(separatedBy: ", ").contains(story), "\(host): \(story)") }
    }
  }

  @Test func `every test that the table names exists, and every one of its list is named`() throws {
    let list = lines.compactMap { $0.firstMatch(of: /^- ([A-Z]\d): (\w+) `(.+)`$/)?.output }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: Self.tests)
    for (_, mark, suite, sentence) in list {
      let path = try #require(paths.first { $0.hasSuffix("/\(suite).swift") || $0 == "Machine/\(suite).py" }, "\(mark)")
      let text = try Self.text(path)
      #expect(text.contains("func `\(sentence)`") || text.contains("story.step(\"\(sentence)\")"), "\(mark)")
    }
    let cells = rows.flatMap { $0.dropFirst(2) }
    let named = Set(cells.flatMap { cell in cell.matches(of: /\b[A-Z]\d\b/).map { String($0.output) } })
    #expect(named == Set(list.map { String($0.1) }))
  }
}
