import SignetClient

/// A text in lines that fit onto a terminal: those of some languages have letters of two columns, or no blanks to break at, of which
/// ArgumentParser knows nothing.
enum FittedText {
  /// - Parameter text: unbroken, a help text as ArgumentParser has it for a terminal without end.
  static func broken(_ text: String, columns: Int) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(Array($0), columns, margin(Array($0))) }
      .joined(separator: "\n")
  }

  /// One line behind a label, in rows that begin below what is behind the label; where that leaves too little, near the left.
  static func labelled(_ label: String, _ text: String, columns: Int) -> String {
    // What has a row to itself begins further left where it has no room.
    let isAlone = label.allSatisfy { $0 == " " } && label.columns + text.columns > columns
    let head = isAlone ? String(label.prefix(4)) : label
    let letters = Array(head + text)
    let command = command(in: letters).map { String(letters[$0...]).columns } ?? 0
    return line(letters, columns, head.columns + command <= columns ? head.columns : 4)
  }

  /// The same with all lines as wide as that at most, whatever is in them.
  static func cell(_ text: String, columns: Int) -> [String] {
    guard text.columns > columns else { return [text] }
    return broken(text, columns: columns).split(separator: "\n").flatMap { line in
      var (parts, rest) = ([String](), String(line))
      while rest.columns > columns {
        let part = rest.prefix(columns: columns)
        guard !part.isEmpty else { break }
        parts.append(part)
        rest = String(rest.unicodeScalars.dropFirst(part.unicodeScalars.count))
      }
      return parts + [rest]
    }
  }

  private static func line(_ letters: [Character], _ columns: Int, _ margin: Int) -> String {
    let margin = margin < columns / 2 ? margin : 4
    let command = command(in: letters).flatMap { String(letters[$0...]).columns <= columns - margin ? $0 : nil } ?? letters.count
    var (lines, start, room) = ([String](), 0, columns)
    while let end = end(of: letters[start...], from: start == 0 ? margin : start, to: command, room) {
      lines.append(String(letters[start..<end]))
      start = letters[end...].firstIndex { $0 != " " } ?? letters.count
      room = columns - margin
    }
    lines.append(String(letters[start...]))
    return lines.joined(separator: "\n" + String(repeating: " ", count: margin))
  }

  /// Where a line goes on in the next one: below its first word, or below what is said of an option.
  private static func margin(_ letters: [Character]) -> Int {
    let first = letters.firstIndex { $0 != " " } ?? 0
    guard (1...8).contains(first) else { return first }
    let gap = letters.indices.dropFirst(first).first { letters[$0] == " " && $0 + 1 < letters.count && letters[$0 + 1] == " " }
    return gap.flatMap { gap in letters[gap...].firstIndex { $0 != " " } } ?? first
  }

  /// Where a command begins that ends the line: in two rows it could not be copied.
  private static func command(in letters: [Character]) -> Int? {
    let colons = letters.indices.filter { letters[$0] == "：" || letters[$0] == ":" && letters[($0 + 1)...].first == " " }
    guard let colon = colons.last, let start = letters[(colon + 1)...].firstIndex(where: { $0 != " " }) else { return nil }
    let text = String(letters[start...])
    return text.hasPrefix("signet ") || text.hasPrefix("sudo ") ? start : nil
  }

  /// Where to break, not behind `limit`; `nil` where all of it fits, or there is no place to.
  private static func end(of letters: ArraySlice<Character>, from first: Int, to limit: Int, _ room: Int) -> Int? {
    var (width, last): (Int, Int?) = (0, nil)
    for index in letters.indices {
      if index > first, index <= limit, isBreakable(letters[index - 1], letters[index]) {
        if width > room { return last ?? index }
        last = index
      }
      width += String(letters[index]).columns
    }
    return width > room ? last : nil
  }

  /// Chinese and Japanese are broken between any two letters, but not before what closes nor behind what opens.
  private static func isBreakable(_ left: Character, _ right: Character) -> Bool {
    if left == " " || right == " " { return right == " " && left != " " }
    guard !"、。，．：；！？）」』】ー・ゃゅょっ…,.:;!?)".contains(right), !"（「『【(`".contains(left) else { return false }
    return isIdeograph(left) || isIdeograph(right)
  }

  private static func isIdeograph(_ letter: Character) -> Bool {
    letter.unicodeScalars.first.map { (0x2E80...0x9FFF).contains($0.value) || (0xFF00...0xFFEF).contains($0.value) } ?? false
  }
}
