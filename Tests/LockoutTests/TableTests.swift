import Foundation
import Testing

/// The tables of attacks in README.md and in Sources/SECURITY.md, compared with the tests that there are.
@Suite struct TableTests {
  private static let folder = String(#filePath.dropLast("TableTests.swift".count))
  private static let readme = folder + "README.md"
  private static let tables = [readme, folder + "../../Sources/SECURITY.md"]

  /// A test as the table names it: the suite's file and the sentence.
  private struct Name: Hashable, CustomStringConvertible {
    var suite: String
    var sentence: String
    var description: String { "\(suite) `\(sentence)`" }
  }

  /// The cells of each row of the table of attacks, which is the last table of its file.
  private func rows(_ file: String = readme) throws -> [[String]] {
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let lines = text.split(separator: "\n")
    let head = try #require(lines.firstIndex { $0.hasPrefix("| attack |") })
    return lines[(head + 1)...].filter { $0.hasPrefix("| ") }.map { row in
      row.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func names(in cell: String) -> [Name] {
    var (names, suite) = ([Name](), "")
    for (index, part) in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated() {
      if index.isMultiple(of: 2) {
        suite = part.split { !$0.isLetter && !$0.isNumber }.last { $0.hasSuffix("Tests") }.map(String.init) ?? suite
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

  @Test(arguments: tables) func `every test that a table names exists`(table: String) throws {
    let all = try tests(below: Self.folder + "..", deep: true)
    let named = try rows(table).flatMap { names(in: $0[3]) }
    try #require(named.count > (table == Self.readme ? 50 : 30))
    for name in named { #expect(all.contains(name), "\(name)") }
  }

  @Test func `every row of SECURITY.md names an attack that README.md does not have`() throws {
    let attacks = try Self.tables.map { table in
      try rows(table).flatMap { row in
        try #require(row.count == 4 && !names(in: row[3]).isEmpty, "\(row)")
        return row[1].split { $0 == " " || $0 == "," }.filter { $0.hasPrefix("CVE-") }
      }
    }
    #expect(Set(attacks[0]).isDisjoint(with: attacks[1]))
    #expect(Set(attacks[1]).count == attacks[1].count)
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
