import Foundation
import SignetTestKit
import Testing

/// Which of the names of Apple's frameworks are there: what the compiler says of each is what the table beside the modules says.
@Suite struct NameTableTests {
  private enum State: String, CaseIterable {
    case there, answered, absent
  }

  private struct Group {
    let title: String
    var names: [(text: String, state: State)] = []
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    .standardizedFileURL

  @Test(.timeLimit(.minutes(4))) func `the table says of each name what the compiler says of it`() throws {
    var groups = try Self.read()
    let missing = try Self.missing(groups.flatMap { $0.names.map(\.text) })
    for index in groups.indices {
      for name in groups[index].names.indices where missing.contains(groups[index].names[name].text) {
        #expect(groups[index].names[name].state != .answered, "\(groups[index].names[name].text) answers nothing: it is absent")
        groups[index].names[name].state = .absent
      }
    }
    let table = Self.table(groups)
    let file = Self.root.appending(path: "Sources/applications/NAMES.md")
    if getenv("SIGNET_WRITE_NAMES") != nil { try Data(table.utf8).write(to: file) }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(kept == table, "Make it anew with SIGNET_WRITE_NAMES=1.")
    // So that a list that is not read, or a compiler that does not run, is not taken for a table.
    #expect(table.contains("SecItemCopyMatching") && groups.flatMap(\.names).contains { $0.state == .absent })
    #expect(!missing.contains("errSecItemNotFound"))
  }

  private static func read() throws -> [Group] {
    let text = try String(contentsOf: root.appending(path: "Tests/AppleStyle/names.txt"), encoding: .utf8)
    var groups: [Group] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("//") {
      if line.hasPrefix("# ") {
        groups.append(Group(title: String(line.dropFirst(2))))
      } else if line.hasPrefix("!") {
        groups[groups.count - 1].names.append((String(line.dropFirst()), .answered))
      } else {
        groups[groups.count - 1].names.append((String(line), .there))
      }
    }
    return groups
  }

  /// Those that do not compile. Each is a function of its own, by whose line the compiler tells of it.
  private static func missing(_ names: [String]) throws -> Set<String> {
    let folder = FileManager.default.temporaryDirectory.appending(path: "names-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appending(path: "names.swift")
    let lines = ["import Foundation", "import LocalAuthentication"] + names.enumerated().map { "func name\($0)() { _ = \($1) }" }
    try Data(lines.joined(separator: "\n").utf8).write(to: source)
    let release = URL(fileURLWithPath: try ReaderChannel.program("apple-libraries")).deletingLastPathComponent()
    let maps = try FileManager.default.contentsOfDirectory(at: release, includingPropertiesForKeys: nil).map {
      $0.appending(path: "module.modulemap").path
    }.filter { FileManager.default.fileExists(atPath: $0) }
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-typecheck", "-swift-version", "5", "-suppress-warnings", "-I", release.appending(path: "Modules").path]
      + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] } + [source.path]
    let pipe = Pipe()
    compiler.standardError = pipe
    try compiler.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    compiler.waitUntilExit()
    var missing: Set<String> = []
    for line in said.split(separator: "\n") {
      // Whatever it says of no line of these would be about all of them.
      try #require(!line.hasPrefix("<unknown>"), "\(line)")
      guard let found = line.firstMatch(of: /names\.swift:(\d+):\d+: error: (.*)/), let number = Int(found.1) else { continue }
      try #require(number > 2, "\(line)")
      missing.insert(names[number - 3])
    }
    return missing
  }

  private static func table(_ groups: [Group]) -> String {
    var text = """
      # Names of Apple's frameworks

      What of them is in `LocalAuthentication` and `Security`, and in what those give out. NameTableTests makes this list from what
      compiles. "Answered" is what code may name, and which is told that there is no such thing here: by Apple's error, or by finding
      nothing. What is absent does not compile: nothing here could answer it.

      """
    for group in groups {
      text += "\n## \(group.title)\n"
      for state in State.allCases {
        let names = group.names.filter { $0.state == state }.map(\.text)
        if names.isEmpty { continue }
        text += "\n\(state.rawValue.capitalized) (\(names.count)):\n" + wrapped(names)
      }
    }
    return text
  }

  private static func wrapped(_ names: [String]) -> String {
    var (lines, line) = ("", "")
    for name in names {
      let shown = "`\(name.hasSuffix(".self") ? String(name.dropLast(5)) : name)`"
      if line.count + shown.count + 1 > 130 {
        lines += line + "\n"
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + shown
    }
    return lines + line + "\n"
  }
}
