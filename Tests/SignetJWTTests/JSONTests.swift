import Foundation
import SignetJSON
import Testing

@Suite struct JSONTests {
  private func read(_ text: String, limit: Int = 1 << 16) throws(JSONError) -> JSONValue {
    try JSONReader.value(Array(text.utf8), limit: limit)
  }

  @Test func `values are read, and written as the same bytes`() throws {
    let text = #"{"a":[1,-2,true,false,null,"é\"\\\u0001"],"b":{"c":0.5}}"#
    let value = try read(" " + text + "\n")
    #expect(String(decoding: value.encoded, as: UTF8.self) == text)
    #expect(value.object?["a"]?.array?.count == 6)
    #expect(value.object?["b"]?.object?["c"]?.number == 0.5)
  }

  @Test func `a name that is there twice is an error, however it is written`() {
    #expect(throws: JSONError.duplicateName("a")) { try read(#"{"a":1,"a":1}"#) }
    #expect(throws: JSONError.duplicateName("a")) { try read(#"{"a":1,"\u0061":1}"#) }
    #expect(throws: JSONError.duplicateName("a")) { try read(#"[{"x":{"a":1,"b":2,"a":1}}]"#) }
  }

  @Test func `names that Unicode calls equivalent are two names`() throws {
    let object = try #require(read(#"{"K":1,"\u212a":2}"#).object)
    #expect(object.count == 2 && object["K"]?.integer == 1)
    #expect(JSONValue.string("K") != .string("\u{212A}"))
  }

  @Test(
    arguments: [
      "", "{", "[1,]", "{\"a\":1,}", "01", "+1", "1.", ".5", "1e", "nul", "tru", "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"",
      "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\u00g0\"", "1 2", "{1:2}", "'a'", "\u{FEFF}1", "1e999", "NaN", "\"", "[1 2]", "-",
    ])
  func `what is not JSON is an error`(text: String) { #expect(throws: JSONError.self) { try read(text) } }

  @Test func `bytes that are not UTF-8 are an error`() {
    #expect(throws: JSONError.malformed(offset: 0)) { try JSONReader.value([0x22, 0xFF, 0x22], limit: 10) }
    #expect(throws: JSONError.malformed(offset: 0)) { try JSONReader.value([0x22, 0xC0, 0x80, 0x22], limit: 10) }
  }

  @Test func `depth and size are bounded`() throws {
    let depth = JSONReader.maximumDepth
    _ = try read(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    #expect(throws: JSONError.tooDeep) { try read(String(repeating: "[", count: depth + 1)) }
    #expect(throws: JSONError.tooDeep) { try read(String(repeating: "{\"a\":", count: 100_000), limit: 1 << 20) }
    #expect(throws: JSONError.tooLarge) { try read("[1,2]", limit: 4) }
  }

  @Test func `surrogate pairs are one character, large numbers keep their size`() throws {
    #expect(try read(#""\ud83d\ude00""#).string == "😀")
    #expect(try read("9223372036854775807").integer == Int.max)
    #expect(try read("9223372036854775808").integer == nil)
    #expect(try read("9223372036854775808").number == 0x1p63)
    #expect(try read("1e2").number == 100)
  }

  // MARK: - values that tell coders of themselves

  enum Said: Codable, Equatable {
    case nothing
    case words(String, count: Int?)
    case list([Part])
  }

  struct Part: Codable, Equatable {
    var text: String
    var number: Double
    var truth: Bool?
    var byte: UInt8 = 7
    var small: Float = 0.5
  }

  private static let said = [
    Said.nothing, .words("é/\"\u{1}", count: nil), .words("", count: -3), .list([]),
    .list([Part(text: "a", number: 1_700_000_000, truth: true), Part(text: "b", number: 0.25)]),
  ]

  @Test(arguments: said) func `values come back as they were, also from what Foundation wrote`(value: Said) throws {
    let ours = try JSONValue(encoding: value)
    #expect(try JSONReader.value(ours.encoded, limit: 1000).decoded(as: Said.self) == value)
    let theirs = try JSONEncoder().encode(value)
    #expect(try JSONReader.value(theirs, limit: 1000) == ours)
    #expect(try JSONDecoder().decode(Said.self, from: Data(ours.encoded)) == value)
  }

  @Test(
    arguments: [
      "null", "[]", "1", "{}", #"{"words":{}}"#, #"{"words":{"_0":1}}"#, #"{"list":{"_0":{}}}"#,
      #"{"nothing":{},"list":{"_0":[]}}"#,
      #"{"list":{"_0":[{"text":"","number":"1","byte":7,"small":1}]}}"#,
      #"{"list":{"_0":[{"text":"","number":1,"byte":256,"small":1}]}}"#,
      #"{"list":{"_0":[{"text":"","number":1,"byte":7.5,"small":1}]}}"#,
      #"{"list":{"_0":[{"text":"","number":1,"byte":7,"small":1,"truth":1}]}}"#,
    ])
  func `what is another type's is an error`(text: String) throws {
    let value = try read(text)
    #expect(throws: DecodingError.self) { try value.decoded(as: Said.self) }
  }

  @Test func `numbers that JSON cannot say are errors`() {
    #expect(throws: EncodingError.self) { try JSONValue(encoding: [Double.nan]) }
    #expect(throws: EncodingError.self) { try JSONValue(encoding: UInt64.max) }
  }
}
