import CFprint
import SignetTestKit
import SignetWire
import Testing

/// Pictures on which libfprint finds fewer minutiae than its matcher compares. Its virtual image reader counts as one for swipes.
@Suite struct PoorScanTests {
  let reader: VirtualReader
  let channel: ReaderChannel
  let finger = SyntheticFinger(seed: 1)
  /// The ridges of a finger with all but a few minutiae out of sight.
  let smooth = SyntheticFinger(seed: 2, minutiae: 4)

  init() throws {
    reader = try VirtualReader(.image)
    channel = try ReaderChannel(reader.arguments)
    try channel.open(reader)
  }

  @Test func `a scan that shows too little is a poor one, and the next one matches`() throws {
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template])
    #expect(try channel.identify(smooth.impression(30), on: reader, operation: 10) == .poorScan(operation: 10, .tooShort))
    #expect(try channel.identify(finger.impression(30), on: reader, operation: 11) == .match(operation: 11, index: 0))
    let other = SyntheticFinger(seed: 3).impression(0)
    #expect(try channel.identify(other, on: reader, operation: 12) == .miss(operation: 12))
  }

  @Test func `with several templates too, a scan that shows too little is a poor one`() throws {
    let template = try channel.enroll(finger, on: reader)
    try channel.load([template, template])
    #expect(try channel.identify(smooth.impression(30), on: reader, operation: 10) == .poorScan(operation: 10, .tooShort))
  }

  @Test func `a finger that shows too little in every stage is not enrolled`() throws {
    try channel.send(.enroll(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    for stage in 1...5 {
      try reader.present(smooth.impression(stage))
      #expect(try channel.next() == .poorScan(operation: 10, .tooShort))
    }
    try channel.expectFailure(.poorTemplate, operation: 10)
  }

  @Test func `a template that can match nothing costs no strike, because the reader is not armed for it`() throws {
    try channel.load([template(minutiae: 9)])
    try channel.send(.identify(operation: 10))
    try channel.expectFailure(.unusableTemplate, operation: 10)
    try channel.load([template(minutiae: 10)])
    #expect(try channel.identify(finger.impression(0), on: reader, operation: 11) == .miss(operation: 11))
  }

  @Test func `a stage that shows too little is not told as done, and one good stage is enough`() throws {
    try channel.send(.enroll(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    for stage in 1...5 {
      try reader.present(stage == 3 ? finger.impression(stage) : smooth.impression(stage))
      let expected = ReaderEvent.enrollStage(operation: 10, completed: 3)
      #expect(try channel.next() == (stage == 3 ? expected : .poorScan(operation: 10, .tooShort)))
    }
    guard case .enrolled(10, let template) = try channel.next() else { throw TestKitError("not enrolled") }
    #expect(try channel.next() == .idle(operation: 10))
    try channel.load([template.array])
    #expect(try channel.identify(finger.impression(3), on: reader, operation: 11) == .match(operation: 11, index: 0))
  }

  @Test func `a finger is not taken for a new one by a scan that shows too little`() throws {
    try channel.load([channel.enroll(finger, on: reader)])
    try channel.send(.enroll(operation: 10))
    #expect(try channel.next() == .armed(operation: 10))
    try reader.present(smooth.impression(30))
    #expect(try channel.next() == .poorScan(operation: 10, .tooShort))
    try reader.present(finger.impression(31))
    #expect(try channel.next() == .match(operation: 10, index: 0))
    try channel.expectFailure(.duplicate, operation: 10)
  }

  /// A template with one stage of this many minutiae in a row, as libfprint serializes one.
  private func template(minutiae count: Int) throws -> [UInt8] {
    let row = (1...count).map { "\($0 * 10)" }.joined(separator: ", ")
    let text =
      "(2, 'virtual_image', '0', false, byte 0, nothing, nothing, -2147483648, @a{sv} {}, <([([\(row)], [\(row)], [\(row)])],)>)"
    let type = g_variant_type_new("(issbymsmsia{sv}v)")
    defer { g_variant_type_free(type) }
    guard let value = g_variant_parse(type, text, nil, nil, nil) else { throw TestKitError("not a variant: \(text)") }
    defer { g_variant_unref(value) }
    let bytes = g_variant_get_data(value).assumingMemoryBound(to: UInt8.self)
    return Array("FP3".utf8) + UnsafeBufferPointer(start: bytes, count: Int(g_variant_get_size(value)))
  }
}
