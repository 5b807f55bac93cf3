import SignetLanguage

/// What ArgumentParser says of a command line, in the user's language. It has English words only, so they are recognised as it
/// writes them, line by line; what is not, as in another version of it, stays English.
public enum ParserText {
  public static func translated(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(separator: "\n")
  }

  private static var heads: [Sentence] {
    // Translators: what stands before the lines of a help text. Keep blanks and colons at the end.
    ["OVERVIEW: ", "USAGE: ", "ARGUMENTS:", "OPTIONS:", "SUBCOMMANDS:", "Usage: ", "Help:  ", "Error: "]
  }

  private static var ends: [Sentence] { ["Show the version.", "Show help information."] }

  private static func line(_ line: String) -> String {
    // A group of commands, whose name has been said in the user's language.
    if line.hasSuffix(" SUBCOMMANDS:") { return line.dropLast(" SUBCOMMANDS:".count) + ":" }
    for head in heads where line.hasPrefix(head.english) {
      let rest = String(line.dropFirst(head.english.count))
      return say(head) + (mistake(rest) ?? standard(rest))
    }
    for end in ends where line.hasSuffix(end.english) { return line.dropLast(end.english.count) + say(end) }
    if let command = between("  See '", line, "' for detailed help.") { return "  " + say("See '\(command)' for detailed help.") }
    if let command = between("  See '", line, "' for more information.") {
      return "  " + say("See '\(command)' for more information.")
    }
    return standard(line)
  }

  /// Which values an option may have, and which it has where it is not given.
  private static func standard(_ line: String) -> String {
    for mark in ["(values: ", "(default: "] {
      guard line.hasSuffix(")"), let start = line.range(of: mark) else { continue }
      let (before, content) = (line[..<start.lowerBound], String(line[start.upperBound...].dropLast()))
      if mark == "(default: " { return before + say("(default: \(content))") }
      guard let split = content.range(of: "; default: ") else { return before + say("(values: \(content))") }
      return before + say("(values: \(content[..<split.lowerBound]); default: \(content[split.upperBound...]))")
    }
    return line
  }

  /// What is wrong with what was typed.
  private static func mistake(_ text: String) -> String? {
    if text == "Missing required subcommand." { return say("Missing required subcommand.") }
    if let (option, nearest) = pair("Unknown option '", text, "'. Did you mean '", "'?") {
      return say("Unknown option '\(option)'. Did you mean '\(nearest)'?")
    }
    if let option = between("Unknown option '", text, "'") { return say("Unknown option '\(option)'") }
    if let name = between("Missing expected argument '", text, "'") { return say("Missing expected argument '\(name)'") }
    if let option = between("Missing value for '", text, "'") { return say("Missing value for '\(option)'") }
    if let (word, nearest) = pair("Unexpected argument '", text, "'. Did you mean '", "'?") {
      return say("Unexpected argument '\(word)'. Did you mean '\(nearest)'?")
    }
    if let word = between("Unexpected argument '", text, "'") { return say("Unexpected argument '\(word)'") }
    if let (count, words) = pair("", text, " unexpected arguments: '", "'"), let count = Int(count) {
      return say(
        count, one: "\(count) unexpected arguments: '\(words)'", other: "\(count) unexpected arguments: '\(words)'")
    }
    if let (option, value) = pair("The option '", text, "' does not take any value, but '", "' was specified.") {
      return say("The option '\(option)' does not take any value, but '\(value)' was specified.")
    }
    return badValue(text)
  }

  private static func badValue(_ text: String) -> String? {
    if let (value, option) = pair("The value '", text, "' is invalid for '", "'. Please provide one of the following:") {
      return say("The value '\(value)' is invalid for '\(option)'. Please provide one of the following:")
    }
    if let (value, rest) = pair("The value '", text, "' is invalid for '", "."),
      let (option, choice) = pair("", rest, "'. Please provide one of ", "")
    {
      return say("The value '\(value)' is invalid for '\(option)'. Please provide one of \(choice).")
    }
    guard let (value, option) = pair("The value '", text, "' is invalid for '", "'") else { return nil }
    return say("The value '\(value)' is invalid for '\(option)'")
  }

  private static func between(_ before: String, _ text: String, _ after: String) -> String? {
    guard text.hasPrefix(before), text.hasSuffix(after), text.count >= before.count + after.count else { return nil }
    return String(text.dropFirst(before.count).dropLast(after.count))
  }

  private static func pair(_ before: String, _ text: String, _ middle: String, _ after: String) -> (String, String)? {
    guard let both = between(before, text, after), let split = both.range(of: middle) else { return nil }
    return (String(both[..<split.lowerBound]), String(both[split.upperBound...]))
  }
}

extension String {
  /// Where another text first stands in it: Foundation, which has this, is not in every program of ours.
  fileprivate func range(of other: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
      start = index(after: start)
    }
    return nil
  }
}
