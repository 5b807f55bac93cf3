import CLinux

/// The words of a sudo(8) that asks for somebody: whether they want it to ask in a way of their own.
///
/// They are the caller's, and decide how a prompt looks, never who gets in. Where they are not understood the answer is yes, and sudo
/// asks as it always does.
public struct SudoWords: ~Copyable, ~Escapable {
  private let bytes: Span<UInt8>
  /// Where the present word begins, and where it ends.
  private var (start, end) = (0, 0)

  /// `words`: as /proc/PID/cmdline has them, each ended by a zero; the first is sudo's own name. What was cut off at the end is not
  /// looked at, because sudo's own options stand before the command.
  public static func wantOwnPrompt(_ words: Span<UInt8>) -> Bool {
    var words = SudoWords(words)
    return words.wantOwnPrompt()
  }

  @_lifetime(copy bytes)
  private init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  private mutating func wantOwnPrompt() -> Bool {
    end = -1
    guard advance() else { return true }
    while advance() {
      guard byte(0) == UInt8(ascii: "-") else {
        // A variable for the command, or the command.
        if has(UInt8(ascii: "=")) { continue }
        return false
      }
      if byte(1) == UInt8(ascii: "-") {
        if end &- start == 2 { return false }
        if isAny(of: "--as --be --no --pro --st ") { return true }
        if !has(UInt8(ascii: "=")), isAny(of: "--au --ch --cl --com --g --ho --ot --ro --ty --u ") { _ = advance() }
      } else if lettersWantOwnPrompt() {
        return true
      }
    }
    return false
  }

  /// Letters in one word; the value of the last one may be the next word.
  private mutating func lettersWantOwnPrompt() -> Bool {
    var index = 1
    while index < end &- start {
      switch byte(index) {
      // -A askpass, -B bell, -n never asks, -p a prompt, -S standard input.
      case UInt8(ascii: "A"), UInt8(ascii: "B"), UInt8(ascii: "n"), UInt8(ascii: "p"), UInt8(ascii: "S"): return true
      case UInt8(ascii: "a"), UInt8(ascii: "C"), UInt8(ascii: "c"), UInt8(ascii: "D"), UInt8(ascii: "g"), UInt8(ascii: "h"),
        UInt8(ascii: "R"), UInt8(ascii: "r"), UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: "U"), UInt8(ascii: "u"):
        if index == end &- start &- 1 { _ = advance() }
        return false
      default: index &+= 1
      }
    }
    return false
  }

  /// Whether the word begins as one of these does: long options may be cut to what tells them apart (getopt_long(3)). Each has a blank
  /// behind it.
  private func isAny(of starts: StaticString) -> Bool {
    var (index, position, isSame) = (0, 0, true)
    while index < starts.utf8CodeUnitCount {
      let letter = unsafe starts.utf8Start[index]
      if letter == UInt8(ascii: " ") {
        if isSame { return true }
        (position, isSame) = (0, true)
      } else {
        isSame = isSame && byte(position) == letter
        position &+= 1
      }
      index &+= 1
    }
    return false
  }

  private func has(_ letter: UInt8) -> Bool {
    var index = 0
    while index < end &- start {
      if byte(index) == letter { return true }
      index &+= 1
    }
    return false
  }

  /// A byte of the present word; 0 behind its end.
  private func byte(_ index: Int) -> UInt8 {
    let place = start &+ index
    guard place >= 0, place < end, place < bytes.count else { return 0 }
    return bytes[place]
  }

  /// Goes to the next word.
  private mutating func advance() -> Bool {
    start = end &+ 1
    guard start >= 0, start < bytes.count else { return false }
    end = start
    while end >= 0, end < bytes.count, bytes[end] != 0 { end &+= 1 }
    return true
  }
}
