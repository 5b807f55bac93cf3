extension String {
  /// The text in at most `limit` bytes. Of a longer one both ends are kept: where a path begins says whose it is, where it ends what it
  /// is.
  package func shortened(to limit: Int) -> String {
    if utf8.count <= limit { return self }
    let head = first(bytes: (limit - 3) / 3)
    return head + "..." + last(bytes: limit - 3 - head.utf8.count)
  }

  /// The same beside another text, for somebody who has to tell them apart: where both would look alike, the piece where they first
  /// differ is kept as well.
  package func shortened(to limit: Int, beside other: String) -> String {
    let text = shortened(to: limit)
    guard utf8.count > limit, self != other, text == other.shortened(to: limit) else { return text }
    let different = String(dropFirst(zip(self, other).prefix { $0 == $1 }.count))
    let head = first(bytes: limit / 5) + "..." + different.first(bytes: limit / 3) + "..."
    return head + last(bytes: limit - head.utf8.count)
  }

  /// As many whole characters as fit.
  private func first(bytes: Int) -> String {
    var end = utf8.index(startIndex, offsetBy: bytes, limitedBy: endIndex) ?? endIndex
    while String.Index(end, within: self) == nil { utf8.formIndex(before: &end) }
    return String(self[..<end])
  }

  private func last(bytes: Int) -> String {
    var start = utf8.index(endIndex, offsetBy: -bytes, limitedBy: startIndex) ?? startIndex
    while String.Index(start, within: self) == nil { utf8.formIndex(after: &start) }
    return String(self[start...])
  }
}
