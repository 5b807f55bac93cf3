import CFprint
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Prints of other programs, which signet-reader looks into and which may be anything.
@Suite struct ExaminationTests {
  /// What fprintd would have made of the template.
  private func print(_ template: [UInt8], finger: FpFinger = FP_FINGER_RIGHT_INDEX, user: String? = "alice") throws -> [UInt8] {
    let print = try #require(fp_print_deserialize(template, gsize(template.count), nil))
    defer { g_object_unref(UnsafeMutableRawPointer(print)) }
    fp_print_set_finger(print, finger)
    fp_print_set_username(print, user)
    var bytes: UnsafeMutablePointer<guchar>?
    var count: gsize = 0
    #expect(fp_print_serialize(print, &bytes, &count, nil) != 0)
    defer { g_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private func examine(_ print: [UInt8], _ channel: ReaderChannel, operation: UInt32 = 9) throws -> ReaderEvent {
    try channel.send(.examine(operation: operation, ClearTemplate(print)))
    return try channel.next()
  }

  private func isUnusable(_ event: ReaderEvent) -> Bool {
    if case .failed(9, .unusableTemplate, _) = event { true } else { false }
  }

  @Test(arguments: [VirtualReader.Kind.device, .storage])
  func `what a print says of itself is told, and which reader takes it`(kind: VirtualReader.Kind) throws {
    let reader = try VirtualReader(kind)
    let channel = try ReaderChannel(reader.arguments)
    let bare = try channel.enroll("thumb", on: reader)
    try channel.send(.close(operation: 8))
    #expect(try channel.next() == .idle(operation: 8))
    let parts = reader.identifier.split(separator: ":").map(String.init)
    var expected = ForeignPrint(
      driver: parts[0], device: parts[1], finger: .rightIndexFinger, user: "alice", reader: reader.identifier)
    #expect(try examine(print(bare), channel) == .examined(operation: 9, expected))
    (expected.finger, expected.user) = (nil, "")
    #expect(try examine(bare, channel) == .examined(operation: 9, expected))
  }

  @Test func `it is answered while a reader is open, whose templates stay`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    let bare = try channel.enroll("thumb", on: reader)
    try channel.load([bare])
    guard case .examined(9, let found) = try examine(print(bare), channel) else {
      Issue.record("not examined")
      return
    }
    #expect(found.reader == reader.identifier)
    #expect(try channel.identify("thumb", on: reader, operation: 10) == .match(operation: 10, index: 0))
  }

  @Test(arguments: [VirtualReader.Kind.device, .image])
  func `without its reader a print says the rest all the same`(kind: VirtualReader.Kind) throws {
    let (reader, other) = (try VirtualReader(kind), try VirtualReader(.storage))
    let channel = try ReaderChannel(reader.arguments)
    try channel.open(reader)
    let bare =
      kind == .image ? try channel.enroll(SyntheticFinger(seed: 1), on: reader) : try channel.enroll("thumb", on: reader)
    let without = try ReaderChannel(other.arguments)
    guard case .examined(9, let found) = try examine(print(bare, finger: FP_FINGER_LEFT_THUMB), without) else {
      Issue.record("not examined")
      return
    }
    #expect(found.reader == "" && found.finger == .leftThumb && found.user == "alice")
    #expect("\(found.driver):\(found.device)" == reader.identifier)
  }

  @Test func `a name that is too long for any user is refused`() throws {
    let reader = try VirtualReader(.device)
    let channel = try ReaderChannel(reader.arguments)
    let bare = try channel.enroll("thumb", on: reader)
    let user = String(repeating: "u", count: FieldLimit.user)
    guard case .examined = try examine(print(bare, user: user), channel) else {
      Issue.record("refused")
      return
    }
    #expect(isUnusable(try examine(print(bare, user: user + "u"), channel)))
  }

  @Test(arguments: [VirtualReader.Kind.device, .image])
  func `what is no print, cut or changed anywhere is refused or told, and nothing crashes`(kind: VirtualReader.Kind) throws {
    let reader = try VirtualReader(kind)
    let channel = try ReaderChannel(reader.arguments, standardError: .discarded)
    try channel.open(reader)
    let bare =
      kind == .image ? try channel.enroll(SyntheticFinger(seed: 1), on: reader) : try channel.enroll("thumb", on: reader)
    let whole = try print(bare)
    for bytes in [[0], Array("FP3".utf8), Array("FP2".utf8) + whole[3...], whole + whole] as [[UInt8]] {
      #expect(isUnusable(try examine(bytes, channel)))
    }
    var random = SeededGenerator(seed: 3)
    for count in (1...16).map({ $0 }) + (0..<64).map({ _ in Int.random(in: 17..<whole.count, using: &random) }) {
      #expect(isUnusable(try examine(Array(whole[..<count]), channel)), "\(count)")
    }
    for _ in 0..<500 {
      var copy = whole
      for _ in 0..<4 { copy[Int.random(in: copy.indices, using: &random)] = UInt8.random(in: 0...255, using: &random) }
      switch try examine(copy, channel) {
      case .examined(9, _), .failed(9, .unusableTemplate, _): continue
      case let event: Issue.record("\(event)")
      }
    }
    guard case .examined = try examine(whole, channel) else {
      Issue.record("not examined")
      return
    }
    try channel.finish()
  }
}
