import Testing

@testable import Security

/// What other programs of Signet read, too: these bytes and texts do not change.
@Suite struct EncodingTests {
  @Test func `attributes are these bytes`() throws {
    let attributes: Attributes = [
      "type": .number(-2), "desc": .text("é"), "gena": .data([0, 255]), "invi": .flag(true),
    ]
    let bytes: [UInt8] =
      Array("desc".utf8) + [1, 2, 0, 0xC3, 0xA9] + Array("gena".utf8) + [2, 2, 0, 0, 255] + Array("invi".utf8) + [4, 1, 0, 1]
      + Array("type".utf8) + [3, 8, 0, 254, 255, 255, 255, 255, 255, 255, 255]
    #expect(AttributeEncoding.encode(attributes) == bytes)
    #expect(AttributeEncoding.decode(bytes) == attributes)
    #expect(AttributeEncoding.decode([]) == [:])
  }

  @Test func `bytes of another form are none`() {
    let one = Array("desc".utf8) + [1, 1, 0, 65]
    #expect(AttributeEncoding.decode(one) != nil)
    for count in 1..<one.count { #expect(AttributeEncoding.decode(Array(one.prefix(count))) == nil) }
    #expect(AttributeEncoding.decode(one + one) == nil)
    #expect(AttributeEncoding.decode(Array("gena".utf8) + [2, 0, 0] + one) == nil)
    for wrong: [UInt8] in [[9, 0, 0], [1, 1, 0, 0xFF], [3, 1, 0, 1], [4, 1, 0, 2], [4, 0, 0]] {
      #expect(AttributeEncoding.decode(Array("desc".utf8) + wrong) == nil)
    }
    #expect(AttributeEncoding.decode([1, 2, 3, 4, 4, 1, 0, 1]) == nil)
  }

  @Test(
    arguments: [
      ([:], ""), (["srvr": .text("example.com")], "example.com"),
      (
        ["srvr": .text("example.com"), "ptcl": .text("htps"), "port": .number(8443), "path": .text("/login")],
        "example.com|htps|8443|/login"
      ),
      (["srvr": .text("a|b"), "sdmn": .text("ä %"), "atyp": .text("dflt")], "a%7cb||||%c3%a4%20%25|dflt"),
      (["ptcl": .text("ftp ")], "|ftp%20"),
    ] as [(Attributes, String)])
  func `an internet password's place is this text`(attributes: Attributes, service: String) {
    #expect(InternetName.service(of: attributes) == service)
    #expect(InternetName.attributes(of: service) == attributes)
  }

  @Test(arguments: ["|", "a|", "a%7Cb", "a%41", "a b", "a||x", "a||01", "%f", "%ff", "a|b|1|c|d|e|f"])
  func `each place has one text`(service: String) { #expect(InternetName.attributes(of: service) == nil) }
}
