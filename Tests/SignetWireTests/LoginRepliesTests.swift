import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire
import Testing

@Suite struct LoginRepliesTests {
  @Test func `a success without its token is refused`() throws {
    let packet: [UInt8] = [1, ReplyKind.verdict.rawValue, Verdict.success.rawValue, 1, 0, 0, 0, 0]
    #expect(throws: FormatError.badValue) { _ = try LoginReply(parsing: packet.span) }
  }

  @Test func `a failure with a token is refused`() throws {
    let packet: [UInt8] = [1, ReplyKind.verdict.rawValue, 1, 0, 32, 0] + [UInt8](repeating: 7, count: 32) + [0, 0]
    #expect(throws: FormatError.badValue) { _ = try LoginReply(parsing: packet.span) }
  }
}
