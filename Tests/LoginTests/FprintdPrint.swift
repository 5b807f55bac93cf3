import CFprint
import SignetTestKit
import SignetVocabulary
import SignetWire

/// Prints as fprintd makes them: libfprint's own, with the user and the finger in them.
enum FprintdPrint {
  /// A print of a finger that was put on this reader, while nobody else has it. Image readers take fingers with a number for a name.
  static func make(_ scan: String, _ finger: Finger, of user: String?, on reader: VirtualReader) throws -> [UInt8] {
    try named(try enroll(scan, on: reader), finger, of: user)
  }

  /// Puts fprintd's words into a template that has none.
  static func named(_ template: [UInt8], _ finger: Finger, of user: String?) throws -> [UInt8] {
    guard let print = fp_print_deserialize(template, gsize(template.count), nil) else { throw TestKitError("no print") }
    defer { g_object_unref(UnsafeMutableRawPointer(print)) }
    fp_print_set_finger(print, FpFinger(UInt32(finger.rawValue)))
    fp_print_set_username(print, user)
    let date = g_date_new_dmy(1, G_DATE_MARCH, 2023)
    fp_print_set_enroll_date(print, date)
    g_date_free(date)
    var bytes: UnsafeMutablePointer<guchar>?
    var count: gsize = 0
    guard fp_print_serialize(print, &bytes, &count, nil) != 0, let bytes else { throw TestKitError("not serialized") }
    defer { g_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  private static func enroll(_ scan: String, on reader: VirtualReader) throws -> [UInt8] {
    let channel = try ReaderChannel(reader.arguments)
    defer { reader.disconnect() }
    try channel.send(.open(operation: 1, reader: reader.identifier))
    try channel.send(.enroll(operation: 2))
    while true {
      switch try channel.next() {
      case .armed: try touch(scan, reader, 0)
      case .enrollStage(_, let stage): if stage < 5 { try touch(scan, reader, Int(stage)) }
      case .enrolled(_, let template):
        channel.closeChannel()
        guard try channel.waitForExit() == 0 else { throw TestKitError("signet-reader failed") }
        return template.array
      case .failed(_, let failure, let words): throw TestKitError("\(failure): \(words)")
      default: continue
      }
    }
  }

  /// Puts the finger on once.
  static func touch(_ scan: String, _ reader: VirtualReader, _ number: Int) throws {
    guard reader.kind == .image, let seed = UInt64(scan) else { return try reader.scan(scan) }
    try reader.present(SyntheticFinger(seed: seed).impression(number))
  }
}
