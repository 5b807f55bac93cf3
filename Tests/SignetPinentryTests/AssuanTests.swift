import SignetBytes
import SignetMemory
import SignetTestKit
import Testing

@testable import SignetPinentry

/// What pinentry, or whoever stands in its place, may say, byte for byte.
@Suite struct AssuanTests {
  private func reply(_ line: [UInt8]) throws -> (AssuanReply, [UInt8]) {
    guard var data = SecretBytes(capacity: AssuanLimit.data) else { throw TestKitError("no memory") }
    let reply = try AssuanReply(parsing: line.span, data: &data)
    return (reply, Array(copying: data.span))
  }

  private func reply(_ text: String) throws -> AssuanReply { try reply(Array(text.utf8)).0 }

  @Test(arguments: [
    ("OK", AssuanReply.ok), ("OK Pleased to meet you, process 12", .ok), ("ERR 83886179 Operation cancelled", .error(83_886_179)),
    ("ERR 0", .error(0)), ("ERR 4294967295 x", .error(4_294_967_295)), ("S PASSWORD_FROM_CACHE", .note), ("# a comment", .note),
    ("#", .note), ("INQUIRE QUALITY", .inquiry), ("D ", .data),
  ])
  func `each line of the protocol is read`(line: String, expected: AssuanReply) throws {
    #expect(try reply(line) == expected)
  }

  @Test(arguments: [
    "", " ", "D", "OKAY", "ok", " OK", "ERR", "ERR ", "ERR x", "ERR -1", "ERR 4294967296", "ERR 12345678901", "ERR 1x", "D %",
    "D %4", "D %4g", "D a%", "SOMETHING", "\u{1B}[2J",
  ])
  func `any other line is refused`(line: String) throws {
    #expect(throws: AssuanError.malformed) { try reply(line) }
  }

  @Test func `escapes are undone, and what is not escaped is kept`() throws {
    #expect(try reply(Array("D a%25b%0Ac%0d %c3%A9 é".utf8)).1 == Array("a%b\nc\r é é".utf8))
    #expect(try reply(Array("D ".utf8) + [0xFF]).1 == [0xFF])
  }

  @Test func `every byte that is escaped comes back, in a line without ends of lines`() throws {
    let all = (0...255).map { UInt8($0) }
    guard var line = SecretBytes(capacity: 1024), var bytes = SecretBytes(capacity: 256) else { throw TestKitError("no memory") }
    try AssuanText.escape(all.span, into: &line)
    let escaped = Array(copying: line.span)
    #expect(!escaped.contains(10) && !escaped.contains(13) && !escaped.contains(0))
    try AssuanText.unescape(line.span, into: &bytes)
    #expect(Array(copying: bytes.span) == all)
  }

  @Test func `an answer longer than any passphrase is refused, and not cut`() throws {
    let line = Array("D ".utf8) + [UInt8](repeating: 120, count: AssuanLimit.data + 1)
    #expect(throws: AssuanError.tooLong) { try reply(line) }
  }

  /// The lines that these bytes make, or why they make none.
  private func lines(_ bytes: [UInt8]) throws(AssuanError) -> [String] {
    var line = try AssuanLine()
    var all: [String] = []
    for byte in bytes where try line.take(byte) { all.append(String(decoding: Array(copying: line.span), as: UTF8.self)) }
    return all
  }

  @Test func `lines end with a line feed, with a return before it or not`() throws {
    #expect(try lines(Array("OK\nD a\r\n\nhalf".utf8)) == ["OK", "D a", ""])
  }

  @Test func `a line of a thousand bytes is taken, and a longer one is not`() throws {
    let longest = String(repeating: "x", count: 1000)
    #expect(try lines(Array((longest + "\n" + longest + "\r\n").utf8)) == [longest, longest])
    #expect(throws: AssuanError.tooLong) { try lines(Array((longest + "x\n").utf8)) }
    #expect(throws: AssuanError.tooLong) { try lines([UInt8](repeating: 120, count: 5000)) }
  }

  @Test(arguments: [[79, 0, 10], [79, 13, 75, 10], [13, 13, 10]] as [[UInt8]])
  func `a zero byte, or a return within a line, is refused`(bytes: [UInt8]) throws {
    #expect(throws: AssuanError.malformed) { try lines(bytes) }
  }

  @Test func `a text is escaped into one line, and one that is too long is cut between characters`() {
    #expect(AssuanText.escaped("50 %\nis \r\0half") == "50 %25%0Ais %0Dhalf")
    let long = AssuanText.escaped(String(repeating: "%é", count: 1000))
    #expect(long.utf8.count <= AssuanLimit.line - 64 && long.hasPrefix("%25é%25é") && !long.contains("\u{FFFD}"))
    #expect(long.replacing("%25", with: "").allSatisfy { $0 == "é" })
  }
}
