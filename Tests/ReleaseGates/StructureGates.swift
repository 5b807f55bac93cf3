import Foundation
import Testing

/// How signetd's files know each other. Between its floors the compiler keeps the order; inside one, this does.
@Suite struct StructureGates {
  @Test func `no more than three files of signetd know each other in a circle`() throws {
    let daemon = try SourceFolder("Sources/signetd/SignetDaemon")
    #expect(daemon.files.count > 40)
    for circle in daemon.circles { #expect(circle.count <= 3, "\(circle.sorted().joined(separator: ", "))") }
  }

  @Test func `a circle is seen, and a row of files is none`() {
    let circle = ["A": "struct A { var b: B }", "B": "struct B { var c: C? }", "C": "enum C { case a(A) }"]
    #expect(SourceFolder(files: circle).circles.map(Set.init) == [["A", "B", "C"]])
    let row = ["A": "struct A { var b: B }", "B": "struct B { /* A */ }  // A", "C": "let text = \"A\""]
    #expect(SourceFolder(files: row).circles.isEmpty)
    let extended = ["A": "struct A {}\nfunc use(a: A) { a.open() }", "B": "extension A {\n  func open() {}\n}"]
    #expect(SourceFolder(files: extended).circles.map(Set.init) == [["A", "B"]])
  }
}

/// Swift files, and which of them uses a name that another one declares.
private struct SourceFolder {
  /// What each file says, without comments and texts.
  let files: [String: String]
  private let uses: [String: Set<String>]

  init(_ path: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let folder = root.appending(path: path)
    let names = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
    var files: [String: String] = [:]
    for name in names where name.hasSuffix(".swift") {
      files[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }
    self.init(files: files)
  }

  init(files: [String: String]) {
    let files = files.mapValues(SourceFolder.code)
    var declaring: [String: Set<String>] = [:]
    var naming: [String: Set<String>] = [:]
    for (file, text) in files {
      for name in SourceFolder.declared(in: text) { declaring[name, default: []].insert(file) }
      for name in text.matches(of: /\b(?:func|var|let|case) (\w+)/) { naming[String(name.output.1), default: []].insert(file) }
    }
    // A name that several files declare, or use for something of their own, says nothing about which of them is meant.
    let homes = declaring.compactMapValues { $0.count == 1 ? $0.first : nil }
      .filter { name, home in naming[name, default: []].isSubset(of: [home]) }
    var uses: [String: Set<String>] = [:]
    for (file, text) in files {
      let words = Set(text.matches(of: /\w+/).map { String($0.output) })
      uses[file] = Set(words.compactMap { homes[$0] }).subtracting([file])
    }
    self.files = files
    self.uses = uses
  }

  private static func code(_ text: String) -> String {
    text.replacing(/\/\*(?s:.*?)\*\//, with: "").replacing(/\/\/[^\n]*/, with: "").replacing(/"(?:\\.|[^"\\\n])*"/, with: "\"\"")
  }

  /// What stands at the left margin, and what a file adds to another one's type.
  private static func declared(in text: String) -> Set<String> {
    var names: Set<String> = []
    for line in text.split(separator: "\n") {
      if let type = line.firstMatch(of: /^(?:\w+ )*?(?:struct|class|enum|protocol|typealias|func|let|var) (\w+)/),
        !line.hasPrefix("private")
      {
        names.insert(String(type.output.1))
      }
    }
    for part in text.matches(of: /(?m)^(?:package )?extension (\w+)[^{]*\{\n(?s:(.*?))^\}/)
    where !names.contains(String(part.output.1)) {
      for line in part.output.2.split(separator: "\n") where !line.contains("private") {
        if let member = line.firstMatch(of: /^  (?:\w+ )*?(?:func|var|let) (\w+)/) { names.insert(String(member.output.1)) }
      }
    }
    return names
  }

  /// The files that reach each other, two and more at a time.
  var circles: [Set<String>] {
    var rest = Set(files.keys)
    var found: [Set<String>] = []
    while let file = rest.popFirst() {
      let ahead = reachable(from: file)
      let circle = ahead.filter { reachable(from: $0).contains(file) }
      rest.subtract(circle)
      if circle.count > 1 { found.append(circle) }
    }
    return found
  }

  private func reachable(from file: String) -> Set<String> {
    var seen: Set<String> = []
    var next = Array(uses[file, default: []])
    while let file = next.popLast() { if seen.insert(file).inserted { next += uses[file, default: []] } }
    return seen
  }
}
