import SignetTestKit
import Testing

/// `signet token` in session keyrings of the tests' own.
@Suite(.enabled(if: SessionKeyring.isAvailable, "needs keyctl(2), which this container forbids")) struct TokenTests {
  private static let digits = String(repeating: "0123456789abcdef", count: 4)

  private static func run(
    _ words: [String] = [], token: String = digits, _ fate: SessionKeyring.Fate = .kept
  ) throws -> Signet {
    try SessionKeyring.with(token: token, fate) { _ in try Signet.run(["token"] + words) }
  }

  @Test func `inside a session it is printed, and nothing else`() throws {
    let run = try TokenTests.run()
    #expect(run.status == 0)
    #expect(run.output == TokenTests.digits + "\n")
    #expect(run.errors.isEmpty)
  }

  @Test func `in JSON`() throws {
    #expect(try TokenTests.run(["--json"]).output == "{\"token\": \"\(TokenTests.digits)\"}\n")
  }

  @Test(arguments: [(SessionKeyring.Fate.absent, "holds no token"), (.revoked, "was revoked"), (.unreadable, "holds no token")])
  func `without a usable token it says why`(fate: SessionKeyring.Fate, words: String) throws {
    let run = try TokenTests.run([], fate)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains(words))
  }

  @Test(arguments: [
    "x", String(digits.dropLast()), digits + "0", String(repeating: "G", count: 64), digits.uppercased(),
    String(repeating: "\u{1B}", count: 64), String(repeating: "x", count: 5000),
  ])
  func `a key that is no token of ours is not printed`(token: String) throws {
    let run = try TokenTests.run(token: token)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
  }
}
