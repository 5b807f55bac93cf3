import SignetBytes
import SignetMemory
import SignetTestKit
import Testing

@testable import SignetPinentry

/// The conversation about one question, without a pinentry.
@Suite struct ConversationTests {
  private struct Talk {
    var sent: [String] = []
    var answer: PinentryAnswer?
    var secret: [UInt8] = []
  }

  /// Says these lines, one after the other, to the end.
  private func talk(_ question: PinentryQuestion, options: [String] = [], _ lines: [String]) throws(AssuanError) -> Talk {
    var conversation = try PinentryConversation(question, options: options)
    var talk = Talk()
    for byte in lines.map({ $0 + "\n" }).joined().utf8 {
      switch try conversation.take(byte) {
      case .wait: continue
      case .send(let line): talk.sent.append(line)
      case .end(let answer): talk.answer = answer
      }
    }
    talk.secret = Array(copying: conversation.secret.span)
    return talk
  }

  private static let secret: PinentryQuestion = {
    var question = PinentryQuestion(.secret)
    question.title = "Signet"
    question.description = "mail wants\nyour passcode 100%"
    question.prompt = "Passcode:"
    question.cancel = "Not_now"
    return question
  }()

  @Test func `a passcode is asked for in the protocol's words`() throws {
    let talk = try talk(
      Self.secret, options: ["ttyname=/dev/tty"], ["OK hello"] + [String](repeating: "OK", count: 6) + ["D a%25b", "D c", "OK"])
    #expect(
      talk.sent == [
        "OPTION ttyname=/dev/tty\n", "SETDESC mail wants%0Ayour passcode 100%25\n", "SETPROMPT Passcode:\n", "SETTITLE Signet\n",
        "SETCANCEL Not__now\n", "GETPIN\n",
      ])
    #expect(talk.answer == .confirmed)
    #expect(talk.secret == Array("a%bc".utf8))
  }

  @Test(arguments: [
    ("ERR 83886179 Operation cancelled <Pinentry>", PinentryAnswer.cancelled), ("ERR 83886278 fully", .cancelled),
    ("ERR 83886194 not confirmed", .cancelled), ("ERR 83918929 Inappropriate ioctl", .unavailable), ("ERR 99", .cancelled),
  ])
  func `an error ends the question as what it says`(line: String, expected: PinentryAnswer) throws {
    let talk = try talk(PinentryQuestion(.secret), ["OK", line])
    #expect(talk.sent == ["GETPIN\n"] && talk.answer == expected && talk.secret.isEmpty)
  }

  @Test func `an option or a button that pinentry does not know is done without, a text is not`() throws {
    let good = try talk(Self.secret, options: ["odd"], ["OK", "ERR 1", "OK", "OK", "ERR 1", "ERR 1", "OK"])
    #expect(good.answer == .confirmed)
    let bad = try talk(Self.secret, ["OK", "ERR 83886254 Unknown option"])
    #expect(bad.answer == .unavailable && bad.sent.last?.hasPrefix("SETDESC") == true)
  }

  @Test(arguments: [
    ["D early", "OK"], ["OK", "D early", "OK"], ["OK", "INQUIRE x"], ["nonsense"], [String](repeating: "# again", count: 201),
    ["OK"] + [String](repeating: "S again", count: 201),
  ])
  func `what does not belong here ends it`(lines: [String]) throws {
    #expect(throws: AssuanError.self) { try talk(Self.secret, lines) }
  }

  @Test func `a greeting that is an error is nobody to ask`() throws {
    #expect(try talk(Self.secret, ["ERR 83886340 no screen"]).answer == .unavailable)
  }
}
