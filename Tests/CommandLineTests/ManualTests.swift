import Glibc
import SignetTestKit
import Testing

/// The manual says what the programs do, and groff has nothing to say about it.
@Suite struct ManualTests {
  private static let sources: String = {
    let folder = #filePath.dropLast("Tests/CommandLineTests/ManualTests.swift".count)
    return folder + "Sources/"
  }()

  private static func page(_ name: String) throws -> String {
    let file = fopen(sources + name, "re")
    guard let file else { throw TestKitError("\(sources + name): \(errno)") }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 17)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test(
    .enabled(if: access("/usr/bin/man", X_OK) == 0, "needs man(1) of man-db"),
    arguments: ["signet/signet.1", "signetd/signetd.8", "pam_signet/pam_signet.8"])
  func `a page is formatted without a warning`(name: String) throws {
    let errors = try Pipe()
    let formatted = try Pipe()
    let man = try Program(
      ["/usr/bin/man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", ManualTests.sources + name],
      environment: ["PATH=/usr/bin:/bin", "MANROFFSEQ=", "LC_ALL=C.UTF-8"],
      descriptors: [1: formatted.writing, 2: errors.writing])
    errors.closeWriting()
    formatted.closeWriting()
    #expect(try formatted.readToEnd().count > 1000)
    #expect(try errors.readToEnd() == "")
    #expect(try man.waitForExit() == 0)
  }

  @Test(arguments: ["enroll", "list", "delete", "verify", "status", "readers", "reset", "token", "sessions"])
  func `every option of a command is in its page`(command: String) throws {
    let page = try ManualTests.page("signet/signet.1")
    #expect(page.contains(".It Cm \(command)"))
    let words = try Signet.run([command, "--help"]).output.split { " \n[]<>,|".contains($0) }
    let options = Set(words.filter { $0.hasPrefix("--") })
    #expect(options.contains("--help"))
    for option in options { #expect(page.contains("Fl -\(option.dropFirst(2))"), "\(option) of \(command)") }
  }

  @Test func `every option and key of signetd is in its page`() throws {
    let page = try ManualTests.page("signetd/signetd.8")
    let cases = try ManualTests.page("SignetDaemon/Options.swift").split(separator: "\n").compactMap { ManualTests.quoted($0) }
    #expect(cases.count >= 5)
    for option in cases { #expect(page.contains(".It Fl -\(option.dropFirst(2)) "), "\(option)") }
    let keys = try ManualTests.page("SignetConfiguration/Configuration.swift").split(separator: "\n").compactMap {
      ManualTests.quoted($0)
    }
    #expect(keys.count >= 7)
    for key in keys { #expect(page.contains(".It Cm \(key) No = "), "\(key)") }
  }

  /// The word of a line like `case "word": …`.
  private static func quoted(_ line: Substring) -> Substring? {
    let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count >= 3 && parts[0].allSatisfy({ $0 == " " || "case".contains($0) }) && parts[0].hasSuffix("case ")
      ? parts[1] : nil
  }
}
