import Foundation
import Testing

/// What translators get: every sentence of the sources, and no other.
@Suite struct TemplateTests {
  private static let root = String(#filePath.split(separator: "/Tests/")[0])

  @Test func `the template has what the sources say, in their words`() throws {
    let template = try String(contentsOfFile: Catalogue.folder + "signet.pot", encoding: .utf8)
    #expect(try extracted(TemplateTests.root + "/Sources") == template, "to bring it up to date: make words")
  }

  @Test func `no program has a sentence that nobody can translate`() throws {
    #expect(
      try extracted("--unsaid", TemplateTests.root + "/Sources") == "", "say it by say(...), or see NO_SENTENCE in extract-words")
  }

  /// A file of sources, and what is said in it.
  private static let samples: [(source: String, sentences: [String])] = [
    (#"say("Enrolled \(finger.name).")"#, ["Enrolled #."]),
    (#"say("\(a ? "(" : ")") and \(names.map { "\($0)" }.joined(separator: ", "))")"#, ["#1 and #2"]),
    (#"x ? say("yes \"now\"") : say("no\\n\n")"#, [#"yes \"now\""#, #"no\\n\n"#]),
    (#"// say("not this one")"#, []),
    (#"Report.say("signet: \(words)")"#, []),
    (#"print("\(held.map { say("\($0) is held") } ?? "")")"#, ["# is held"]),
    (#"say(count, one: "\(count) item", other: "\(count) items")"#, ["# item"]),
    ("say(\n  \"\"\"\n  One line \\\n  of two.\n    Another\n  \"\"\")", [#"One line of two.\n  Another"#]),
  ]

  @Test(arguments: samples)
  func `the template has a sentence however it is written`(source: String, sentences: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try source.write(to: folder.appending(path: "Sample.swift"), atomically: true, encoding: .utf8)
    let found = try extracted(folder.path()).matches(of: /(?m)^msgid "(.*)"$/).map { String($0.1) }
    #expect(found.dropFirst() == sentences[...])
  }

  @Test func `what is said outside of say is seen`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "words-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let words = folder.appending(path: "SignetWords")
    try FileManager.default.createDirectory(at: words, withIntermediateDirectories: true)
    try #"let text = "nobody can translate \(this)""#
      .write(to: words.appending(path: "Sample.swift"), atomically: true, encoding: .utf8)
    #expect(try extracted("--unsaid", folder.path()) == "SignetWords/Sample.swift: \"nobody can translate #\"\n")
  }

  private func extracted(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-B", TemplateTests.root + "/.ci/extract-words"] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
    return text
  }
}
