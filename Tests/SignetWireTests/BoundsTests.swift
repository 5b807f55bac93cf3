import SignetMemory
import SignetWire
import Testing

/// A field over its bound is refused by the writer as by the reader, never cut.
@Suite struct BoundsTests {
  @Test func `a user name over its bound is not written`() {
    #expect(throws: WireError.tooLong) {
      try written { packet throws(WireError) in
        try AdministrationRequest.list(user: text(WireLimit.user + 1)).write(into: &packet)
      }
    }
  }

  @Test func `a user name over its bound is not read`() {
    let count = WireLimit.user + 1
    let bytes = [1, RequestKind.list.rawValue, UInt8(count & 255), UInt8(count >> 8)] + [UInt8](repeating: 0x61, count: count)
    #expect(throws: WireError.tooLong) { try Codec.administrationRequest.echo(bytes) }
  }

  @Test(arguments: [0, WireLimit.template + 1]) func `a template out of bounds is neither made nor read`(count: Int) {
    let content = [UInt8](repeating: 1, count: count)
    #expect(throws: WireError.tooLong) { try ClearTemplate(copying: content.span) }
    #expect(throws: WireError.tooLong) {
      guard var secret = SecretBytes(capacity: WireLimit.template + 1), secret.append(content.span) else { return }
      _ = try ClearTemplate(secret)
    }
    let length = withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) }
    let bytes = [1, ReaderCommand.Kind.template.rawValue, 1, 0, 0, 0] + length + [UInt8](repeating: 1, count: count)
    #expect(throws: WireError.tooLong) { try Codec.readerCommand.echo(bytes) }
  }

  @Test func `the longest template fits a reader packet`() throws {
    let template = try ClearTemplate(copying: [UInt8](repeating: 1, count: WireLimit.template).span)
    let event = ReaderEvent.enrolled(operation: 1, template)
    let bytes = try written(capacity: WireLimit.readerPacket) { packet throws(WireError) in try event.write(into: &packet) }
    #expect(try Codec.readerEvent.echo(bytes) == bytes)
  }

  @Test func `a packet that does not fit its buffer is not written`() {
    #expect(throws: WireError.tooLong) {
      try written(capacity: 16) { packet throws(WireError) in
        try AdministrationReply.refused(.failed, explanation: text(20)).write(into: &packet)
      }
    }
  }

  @Test func `text that is not UTF-8 is refused`() {
    let bytes: [UInt8] = [1, RequestKind.list.rawValue, 2, 0, 0xC3, 0x28]
    #expect(throws: WireError.badValue) { try Codec.administrationRequest.echo(bytes) }
  }

  @Test(arguments: [31, 33]) func `a token of another length is not written`(count: Int) {
    let token = [UInt8](repeating: 1, count: count)
    #expect(throws: WireError.badValue) {
      try written { packet throws(WireError) in try CloseSessionRequest(token: token.span).write(into: &packet) }
    }
  }
}
