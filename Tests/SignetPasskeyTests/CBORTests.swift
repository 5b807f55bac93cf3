import SignetPasskey
import Testing

/// CTAP's CBOR, by the examples of RFC 8949 (appendix A) as far as they are canonical.
struct CBORTests {
  @Test(arguments: [
    ("00", CBOR.unsigned(0)), ("17", .unsigned(23)), ("1818", .unsigned(24)), ("1903e8", .unsigned(1000)),
    ("1a000f4240", .unsigned(1_000_000)), ("1bffffffffffffffff", .unsigned(.max)), ("20", .negative(0)),
    ("3903e7", .negative(999)),
    ("f4", .bool(false)), ("f5", .bool(true)), ("40", .bytes([])), ("4401020304", .bytes([1, 2, 3, 4])), ("60", .text([])),
    ("62c3bc", .text("ü")), ("80", .array([])), ("83010203", .array([.unsigned(1), .unsigned(2), .unsigned(3)])),
    ("a0", .map([])), ("a26161016162820203", .named([("a", .int(1)), ("b", .array([.int(2), .int(3)]))])),
  ])
  func `a value has one encoding, which is read as that value`(digits: String, value: CBOR) throws {
    #expect(value.encoded == bytes(digits))
    #expect(try CBOR(bytes(digits)) == value)
  }

  @Test(arguments: [
    "", "1800", "1817", "1900ff", "1a0000ffff", "1b00000000ffffffff", "5f4101ff", "9f01ff", "bf616101ff", "f6", "f7", "f90000",
    "fb0000000000000000",
    "c000", "0000", "41", "8201", "a101", "a2616201616101", "a2616101616102", "a201010101", "61ff", "62c328",
    "9bffffffffffffffff",
    "bbffffffffffffffff", "5bffffffffffffffff", "1c", "f8f4", "818181818100",
  ])
  func `what has another form, is cut, nested too deeply or followed by more is refused`(digits: String) {
    #expect(throws: Status.invalidCBOR) { try CBOR(bytes(digits)) }
  }

  @Test func `four levels are read`() throws { #expect(try CBOR(bytes("8181818100")).encoded == bytes("8181818100")) }

  @Test func `keys are written in the canonical order whatever order they were given in`() {
    let map = CBOR.map([
      .init(.text("aa"), .int(5)), .init(.text("b"), .int(4)), .init(.int(-1), .int(3)), .init(.int(100), .int(2)),
      .init(.int(3), .int(1)),
    ])
    #expect(map.encoded == bytes("a50301186402200361620462616105"))
  }
}

/// Of pairs of hexadecimal digits.
func bytes(_ digits: String) -> [UInt8] {
  let digits = digits.filter { $0 != " " }.map { UInt8($0.hexDigitValue ?? 0) }
  return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
