import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire
import Testing

/// A field over its bound is refused by the writer as by the reader, never cut.
@Suite struct BoundsTests {
  @Test func `a user name over its bound is not written`() {
    #expect(throws: FormatError.tooLong) {
      try written { packet throws(FormatError) in
        try AdministrationRequest.list(user: text(FieldLimit.user + 1)).write(into: &packet)
      }
    }
  }

  @Test func `a user name over its bound is not read`() {
    let count = FieldLimit.user + 1
    let bytes = [1, RequestKind.list.rawValue, UInt8(count & 255), UInt8(count >> 8)] + [UInt8](repeating: 0x61, count: count)
    #expect(throws: FormatError.tooLong) { try Codec.administrationRequest.echo(bytes) }
  }

  @Test(arguments: [0, FieldLimit.template + 1]) func `a template out of bounds is neither made nor read`(count: Int) {
    let content = [UInt8](repeating: 1, count: count)
    #expect(throws: FormatError.tooLong) { try ClearTemplate(copying: content.span) }
    #expect(throws: FormatError.tooLong) {
      guard var secret = SecretBytes(capacity: FieldLimit.template + 1), secret.append(content.span) else { return }
      _ = try ClearTemplate(secret)
    }
    let length = withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) }
    let bytes = [1, ReaderCommand.Kind.template.rawValue, 1, 0, 0, 0] + length + [UInt8](repeating: 1, count: count)
    #expect(throws: FormatError.tooLong) { try Codec.readerCommand.echo(bytes) }
  }

  @Test func `the longest template fits a reader packet`() throws {
    let template = try ClearTemplate(copying: [UInt8](repeating: 1, count: FieldLimit.template).span)
    let event = ReaderEvent.enrolled(operation: 1, template)
    let bytes = try written(capacity: PacketLimit.readerPacket) { packet throws(FormatError) in try event.write(into: &packet) }
    #expect(try Codec.readerEvent.echo(bytes) == bytes)
  }

  @Test func `a packet that does not fit its buffer is not written`() {
    #expect(throws: FormatError.tooLong) {
      try written(capacity: 16) { packet throws(FormatError) in
        try AdministrationReply.refused(.unknownUser(text(20))).write(into: &packet)
      }
    }
  }

  @Test func `text that is not UTF-8 is refused`() {
    let bytes: [UInt8] = [1, RequestKind.list.rawValue, 2, 0, 0xC3, 0x28]
    #expect(throws: FormatError.badValue) { try Codec.administrationRequest.echo(bytes) }
  }

  @Test(arguments: [31, 33]) func `a token of another length is not written`(count: Int) {
    let token = [UInt8](repeating: 1, count: count)
    #expect(throws: FormatError.badValue) {
      try written { packet throws(FormatError) in try CloseSessionRequest(token: token.span).write(into: &packet) }
    }
  }

  @Test func `an item over a bound is not written`() {
    let good = Item(ItemName(service: "mail", account: ""))
    var longLabel = good
    longLabel.label = text(ItemLimit.text + 1)
    var longComment = good
    longComment.comment = text(ItemLimit.text + 1)
    var unknownConstraint = good
    unknownConstraint.accessControl = AccessControl(AccessControl.Constraints(rawValue: 16))
    var otherLoginSecret = Item.loginSecret
    otherLoginSecret.accessControl = AccessControl()
    let longService = Item(ItemName(service: text(ItemLimit.name + 1), account: ""))
    let longAccount = Item(ItemName(service: "mail", account: text(ItemLimit.name + 1)))
    for item in [
      longLabel, longComment, unknownConstraint, otherLoginSecret, longService, longAccount,
      Item(good.name, attributes: [UInt8](repeating: 0, count: ItemLimit.attributes + 1)),
    ] {
      #expect(throws: FormatError.badValue, "\(item)") {
        try written { packet throws(FormatError) in
          try VaultRequest.add(user: "", item, length: 0).write(into: &packet)
        }
      }
    }
  }

  @Test func `a value over its bound is not announced`() {
    let request = VaultRequest.add(user: "", .loginSecret, length: UInt32(ItemLimit.value) + 1)
    #expect(throws: FormatError.tooLong) {
      try written { packet throws(FormatError) in try request.write(into: &packet) }
    }
  }

  @Test(arguments: [(0, FormatError.badValue), (PacketLimit.valuePart + 1, .tooLong)])
  func `a part of a value out of bounds is not written`(count: Int, error: FormatError) {
    let part = [UInt8](repeating: 1, count: count)
    #expect(throws: error) {
      try written { packet throws(FormatError) in try ValueRequest(part: part.span).write(into: &packet) }
    }
    #expect(throws: error) {
      try written { packet throws(FormatError) in
        try ValueReply(total: UInt32(ItemLimit.value), part: part.span).write(into: &packet)
      }
    }
  }

  @Test(arguments: [(0, FormatError.badValue), (FieldLimit.passcode + 1, .tooLong)])
  func `a new passcode out of bounds is not written`(count: Int, error: FormatError) {
    let (user, new) = (Array("alice".utf8), [UInt8](repeating: 1, count: count))
    #expect(throws: error) {
      try written { packet throws(FormatError) in
        try PasscodeChangedRequest(user: user.span, old: user.span, new: new.span).write(into: &packet)
      }
    }
  }

  @Test func `a login secret over its bound is not written`() {
    let (token, authtok) = ([UInt8](0..<32), [UInt8](repeating: 1, count: FieldLimit.passcode + 1))
    #expect(throws: FormatError.tooLong) {
      try written { packet throws(FormatError) in
        try LoginReply.verdict(.success, .fingerprint, token: token.span, authtok: authtok.span).write(into: &packet)
      }
    }
  }
}
