/// What sudoers(5) says of sudo's own prompt: asterisks for what is typed (`pwfeedback`), or an end to its patience (`passwd_timeout`).
/// Only sudo itself can keep that.
///
/// Read as far as it needs to be to choose who asks: a setting for some users or hosts counts as one for all.
package struct Sudoers {
  private let machine: Machine
  private var hasFeedback = false
  private var hasTimeout = false
  /// Files may name each other without end.
  private var filesLeft = 64

  package init(_ machine: Machine = Machine()) {
    self.machine = machine
    read("/etc/sudoers")
  }

  package var hasPromptOfItsOwn: Bool { hasFeedback || hasTimeout }

  private mutating func read(_ path: String) {
    guard filesLeft > 0, let text = machine.text(path) else { return }
    filesLeft -= 1
    for line in Sudoers.lines(of: text) {
      let words = line.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
      guard let first = words.first, words.count == 2 else { continue }
      let rest = words[1].trimmed
      switch first {
      case "@include", "#include": read(Sudoers.path(rest, beside: path))
      case "@includedir", "#includedir": readFolder(Sudoers.path(rest, beside: path))
      case _ where first.hasPrefix("Defaults"): takeSettings(rest)
      default: continue
      }
    }
  }

  /// Files with a dot in their names, or a tilde at the end, are none of sudo's.
  private mutating func readFolder(_ path: String) {
    for name in machine.names(path) ?? [] where !name.contains(".") && !name.hasSuffix("~") { read("\(path)/\(name)") }
  }

  private mutating func takeSettings(_ settings: Substring) {
    for setting in settings.split(separator: ",").map(\.trimmed) {
      switch setting {
      case "pwfeedback": hasFeedback = true
      case "!pwfeedback": hasFeedback = false
      case "!passwd_timeout": hasTimeout = false
      default:
        let sides = setting.split(separator: "=", maxSplits: 1).map(\.trimmed)
        guard sides.count == 2, sides[0] == "passwd_timeout" else { continue }
        // In minutes, with a fraction.
        hasTimeout = sides[1].contains { ("1"..."9").contains($0) }
      }
    }
  }

  /// Without comments. A backslash at the end goes on in the next line, but not that of a comment.
  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n").map(withoutComment).reduce(into: [String]()) { lines, part in
      if let last = lines.last, last.hasSuffix("\\") {
        lines[lines.count - 1] = String(last.dropLast()) + part
      } else {
        lines.append(String(part))
      }
    }.map { Substring($0).trimmed }
  }

  /// A `#` that is quoted or escaped begins no comment, nor does that of a uid in a list (`Defaults:#1000`) or of an older include.
  private static func withoutComment(_ line: Substring) -> Substring {
    if line.trimmed.hasPrefix("#include") { return line }
    var (isQuoted, before) = (false, Character(" "))
    for index in line.indices {
      let this = line[index]
      let isOfUid = ":,!>".contains(before) && line[index...].dropFirst().first?.isNumber == true
      if this == "#", !isQuoted, before != "\\", !isOfUid { return line[..<index] }
      if this == "\"", before != "\\" { isQuoted.toggle() }
      before = this
    }
    return line
  }

  private static func path(_ name: Substring, beside file: String) -> String {
    let name = name.filter { $0 != "\"" }
    if name.hasPrefix("/") { return String(name) }
    return file.prefix(through: file.lastIndex(of: "/") ?? file.startIndex) + name
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let start = drop { $0 == " " || $0 == "\t" }
    let end = start.lastIndex { $0 != " " && $0 != "\t" }
    return end.map { start[...$0] } ?? ""
  }
}
