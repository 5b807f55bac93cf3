import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire
import Testing

@Suite struct LoginRepliesTests {
  @Test(arguments: [1, 31]) func `a success with a part of a token is refused`(count: UInt8) throws {
    let token = [UInt8](repeating: 7, count: Int(count))
    let packet = [1, ReplyKind.verdict.rawValue, Verdict.success.rawValue, 1, count, 0] + token + [0, 0]
    #expect(throws: FormatError.badValue) { _ = try LoginReply(parsing: packet.span) }
  }

  @Test func `a success that nothing has proved is refused, with a token and without`() throws {
    for count in [UInt8(0), 32] {
      let token = [UInt8](repeating: 7, count: Int(count))
      let packet = [1, ReplyKind.verdict.rawValue, Verdict.success.rawValue, 0, count, 0] + token + [0, 0]
      #expect(throws: FormatError.badValue) { _ = try LoginReply(parsing: packet.span) }
    }
  }

  @Test func `a failure with a token is refused`() throws {
    let packet: [UInt8] = [1, ReplyKind.verdict.rawValue, 1, 0, 32, 0] + [UInt8](repeating: 7, count: 32) + [0, 0]
    #expect(throws: FormatError.badValue) { _ = try LoginReply(parsing: packet.span) }
  }
}
