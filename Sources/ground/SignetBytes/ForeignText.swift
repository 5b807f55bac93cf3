/// The one rule about which characters of others' words may be shown, on terminals and in logs, prompts and JSON. Text of such
/// characters cannot move the cursor, turn the direction of writing, hide a part of itself or fake a line.
///
/// Each place decides what it does with other characters: replace them, leave the text out, or write them as numbers.
public enum ForeignText {
  /// Whether a scalar may be shown as it is. These may not: control characters, line and paragraph separators, format characters
  /// (they turn the direction of text or have no width), other invisible characters, surrogates, noncharacters, and private
  /// use, which each terminal shows in its own way.
  public static func isHarmless(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x20...0x7E: true
    case 0...0x9F, 0xAD, 0x34F, 0x600...0x605, 0x61C, 0x6DD, 0x70F, 0x890...0x891, 0x8E2: false
    case 0x17B4...0x17B5, 0x180B...0x180F, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F: false
    case 0xD800...0xF8FF, 0xFDD0...0xFDEF, 0xFEFF, 0xFFF0...0xFFFB: false
    case 0x110BD, 0x110CD, 0x13430...0x1343F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A: false
    // Tags, more selectors of variants, and from plane 15 on private use.
    case 0xE0000...0xE0FFF, 0xF0000...: false
    default: scalar & 0xFFFE != 0xFFFE
    }
  }

  /// Whether the bytes are UTF-8 in which every scalar is harmless.
  public static func isHarmless(_ text: Span<UInt8>) -> Bool {
    var index = 0
    while index >= 0, index < text.count {
      let lead = text[index]
      if lead < 0x80 {
        guard isHarmless(UInt32(lead)) else { return false }
        index &+= 1
        continue
      }
      let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
      guard lead >= 0xC2, lead <= 0xF4, length <= text.count &- index else { return false }
      var scalar = UInt32(lead) & (0xFF &>> UInt32(truncatingIfNeeded: length &+ 1))
      var next = 1
      while next < length, index &+ next >= 0, index &+ next < text.count {
        let byte = text[index &+ next]
        guard byte & 0xC0 == 0x80 else { return false }
        scalar = scalar &<< 6 | UInt32(byte & 0x3F)
        next &+= 1
      }
      // Not in more bytes than it needs: the same scalar has one form.
      guard length == 2 || scalar >= (length == 3 ? 0x800 : 0x10000), isHarmless(scalar) else { return false }
      index &+= length
    }
    return true
  }
}
