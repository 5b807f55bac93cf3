// The standard library's `contains`, `firstRange` and `replacing` of a text bring its engine of regular expressions with them, which is
// 2 MB in each program.

extension StringProtocol {
  /// Where the text stands first in this one, byte by byte; `nil` where it does not.
  public func place(of text: some StringProtocol) -> Range<Index>? { utf8.place(of: text.utf8) }

  /// Whether the text stands in this one, byte by byte.
  public func includes(_ text: some StringProtocol) -> Bool { place(of: text) != nil }
}

extension Collection<UInt8> {
  /// Where these bytes stand first; `nil` where they do not.
  public func place(of bytes: some Collection<UInt8>) -> Range<Index>? {
    var rest = self[...]
    while true {
      if rest.starts(with: bytes) { return rest.startIndex..<rest.index(rest.startIndex, offsetBy: bytes.count) }
      guard rest.popFirst() != nil else { return nil }
    }
  }
}
