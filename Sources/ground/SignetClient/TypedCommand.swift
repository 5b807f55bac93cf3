#if !hasFeature(Embedded)
  import SignetBytes
#endif

/// The command line of a process, as its user typed it, for one line on a screen. They chose every byte of it.
public enum TypedCommand {
  /// Appends words as /proc/PID/cmdline has them, each ended by a zero, with blanks between them. What is over `limit` bytes is cut in
  /// the middle: what is run stands at one end, and what it is run on mostly at the other.
  public static func put(_ words: Span<UInt8>, limit: Int, into line: inout TextLine) {
    var end = words.count
    while end > 0, byte(end &- 1, of: words) == 0 { end &-= 1 }
    guard end > limit else { return put(words, from: 0, to: end, into: &line) }
    let room = max(0, limit &- 3)
    var head = room &* 2 / 3
    var tail = end &- (room &- head)
    // Not in the middle of a character.
    while head > 0, isContinuation(byte(head, of: words)) { head &-= 1 }
    while tail < end, isContinuation(byte(tail, of: words)) { tail &+= 1 }
    put(words, from: 0, to: head, into: &line)
    line.put("...")
    put(words, from: tail, to: end, into: &line)
  }

  private static func put(_ words: Span<UInt8>, from start: Int, to end: Int, into line: inout TextLine) {
    var index = start
    while index < end {
      let byte = byte(index, of: words)
      switch byte {
      case 0: line.put(UInt8(ascii: " "))
      // Of what terminals do not take as it is, nothing is kept: not even what would be a letter elsewhere.
      case 0x20...0x7E: line.put(byte)
      case _ where isContinuation(byte): break
      default: line.put(UInt8(ascii: "?"))
      }
      index &+= 1
    }
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  private static func byte(_ index: Int, of words: Span<UInt8>) -> UInt8 {
    index >= 0 && index < words.count ? words[index] : 0
  }
}
