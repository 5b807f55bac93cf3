import CFprint
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Recorded readers that send pictures: each recording holds one. It goes the whole way of a login: captured by the
/// driver, reduced to minutiae, and compared with a template that is nobody's.
@Suite(.enabled(if: Recording.folder != nil, Recording.reasonToSkip), .serialized)
struct ImageReaderTests {
  @Test(arguments: ["aes3500", "egis0570", "uru4000-4500", "vfs7552"])
  func `a recorded picture is captured and is nobody's finger`(name: String) throws {
    #expect(try verdict(of: name) == .miss(operation: 3))
  }

  @Test func `a recorded picture that shows too little is a poor scan and no miss`() throws {
    guard case .poorScan(3, _) = try verdict(of: "upektc_img") else {
      Issue.record("not a poor scan")
      return
    }
  }

  private func verdict(of name: String) throws -> ReaderEvent {
    let channel = try Recording(name: name).start()
    let reader = try channel.onlyReader()
    #expect(!reader.hasStorage && reader.canIdentify)
    try channel.open(reader)
    try channel.send(.template(operation: 0, nobodysTemplate(for: reader)))
    try channel.send(.identify(operation: 3))
    #expect(try channel.next() == .armed(operation: 3))
    let verdict = try channel.next()
    #expect(try channel.next() == .idle(operation: 3))
    try channel.perform(.close(operation: 4), operation: 4)
    try channel.finish()
    return verdict
  }
}

/// A template for this reader with a dozen minutiae in a row, as libfprint serializes one.
func nobodysTemplate(for reader: ReaderDescription) throws -> ClearTemplate {
  let row = (1...12).map { "\($0 * 10)" }.joined(separator: ", ")
  return try template(for: reader, kind: 2, data: "([([\(row)], [\(row)], [\(row)])],)")
}

/// One for a chip that compares by itself, with data that is no driver's.
func nobodysChipTemplate(for reader: ReaderDescription) throws -> ClearTemplate {
  try template(for: reader, kind: 1, data: "<(byte 1, @ay [1, 2, 3])>")
}

private func template(for reader: ReaderDescription, kind: Int, data: String) throws -> ClearTemplate {
  let device = reader.identifier.dropFirst(reader.driver.count + 1)
  let text =
    "(\(kind), '\(reader.driver)', '\(device)', false, byte 0, nothing, nothing, -2147483648, @a{sv} {}, <\(data)>)"
  let type = g_variant_type_new("(issbymsmsia{sv}v)")
  defer { g_variant_type_free(type) }
  var error: UnsafeMutablePointer<GError>?
  guard let value = g_variant_parse(type, text, nil, nil, &error) else {
    throw TestKitError(String(cString: error!.pointee.message))
  }
  defer { g_variant_unref(value) }
  let bytes = g_variant_get_data(value).assumingMemoryBound(to: UInt8.self)
  return try ClearTemplate(
    Array("FP3".utf8) + UnsafeBufferPointer(start: bytes, count: Int(g_variant_get_size(value))))
}
