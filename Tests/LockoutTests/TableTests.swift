import Foundation
import Testing

/// The table of README.md and the tests, held against each other.
@Suite struct TableTests {
  private static let folder = String(#filePath.dropLast("TableTests.swift".count))

  /// A test as the table names it: the suite's file and the sentence.
  private struct Name: Hashable, CustomStringConvertible {
    var suite: String
    var sentence: String
    var description: String { "\(suite) `\(sentence)`" }
  }

  /// The cells of each row.
  private func rows() throws -> [[String]] {
    let text = try String(contentsOfFile: Self.folder + "README.md", encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().map { row in
      row.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func names(in cell: String) -> [Name] {
    var (names, suite) = ([Name](), "")
    for (index, part) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if index.isMultiple(of: 2) {
        suite = part.split { !$0.isLetter }.last { $0.hasSuffix("Tests") }.map(String.init) ?? suite
      } else {
        names.append(Name(suite: suite, sentence: String(part)))
      }
    }
    return names
  }

  /// The tests of these files.
  private func tests(below folder: String, deep: Bool) throws -> Set<Name> {
    let paths =
      try deep ? FileManager.default.subpathsOfDirectory(atPath: folder) : FileManager.default.contentsOfDirectory(atPath: folder)
    var names: Set<Name> = []
    for path in paths where path.hasSuffix("Tests.swift") {
      let suite = path.split(separator: "/").last!.dropLast(".swift".count)
      let text = try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)
      for part in text.components(separatedBy: "func `").dropFirst() {
        names.insert(Name(suite: String(suite), sentence: String(part.prefix { $0 != "`" })))
      }
    }
    return names
  }

  @Test func `every test that the table names exists`() throws {
    let all = try tests(below: Self.folder + "..", deep: true)
    let named = try rows().flatMap { names(in: $0[3]) }
    try #require(named.count > 50)
    for name in named { #expect(all.contains(name), "\(name)") }
  }

  @Test func `every attack that is tested here is in the table`() throws {
    let named = try Set(rows().flatMap { names(in: $0[3]) })
    for name in try tests(below: Self.folder, deep: false) where name.suite != "TableTests" {
      #expect(named.contains(name), "\(name)")
    }
  }

  @Test func `every row but the last says where the attack was seen, and what is done`() throws {
    let rows = try rows()
    for row in rows {
      #expect(row.count == 4, "\(row)")
      #expect(!row[0].isEmpty && !row[2].isEmpty && !row[3].isEmpty, "\(row)")
    }
    for row in rows.dropLast() { #expect(!row[1].isEmpty, "\(row)") }
  }
}
