import ArgumentParser
import SignetBytes

/// A word that is no command, and the command that it looks like.
struct MistypedCommand {
  private let word: String
  private let nearest: String

  /// `nil` where every command of the line is one, or the first that is not looks like none.
  init?(_ line: ArraySlice<String>) {
    var commands = SignetCommand.configuration.subcommands
    var rest = line
    while let word = rest.popFirst() {
      // The one option with a value that stands before a command.
      if word == "--socket" { rest = rest.dropFirst() }
      if word.hasPrefix("-") { continue }
      if let next = commands.first(where: { $0.configuration.commandName == word }) {
        commands = next.configuration.subcommands
        continue
      }
      let names = commands.compactMap { $0.configuration.commandName }
      guard let nearest = MistypedCommand.nearest(to: word, among: names) else { return nil }
      (self.word, self.nearest) = (word, nearest)
      return
    }
    return nil
  }

  /// A message of ArgumentParser's about it, with what was meant.
  func explained(_ text: String) -> String {
    let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let isAbout = lines[0].hasPrefix("Error: ") && lines[0].includes("nexpected argument") && lines[0].includes("'\(word)'")
    guard isAbout else { return text }
    return (["Error: Unexpected argument '\(word)'. Did you mean '\(nearest)'?"] + lines.dropFirst()).joined(separator: "\n")
  }

  /// Of which it is a beginning, or from which it differs in no more than a third of its letters.
  static func nearest(to word: String, among names: [String]) -> String? {
    if word.count >= 2, let name = names.first(where: { $0.hasPrefix(word) }) { return name }
    let near = names.map { (name: $0, distance: distance(Array(word), Array($0))) }.min { $0.distance < $1.distance }
    return near.flatMap { $0.distance <= max(1, word.count / 3) ? $0.name : nil }
  }

  /// How many letters have to be put in, left out, changed, or exchanged with the next one.
  private static func distance(_ word: [Character], _ name: [Character]) -> Int {
    // A name is short, and what is much longer is none.
    guard word.count <= 32 else { return .max }
    var (before, last, row) = ([Int](), [Int](), Array(0...name.count))
    for (i, letter) in word.enumerated() {
      (before, last, row) = (last, row, [i + 1])
      for (j, other) in name.enumerated() {
        var cost = min(last[j] + (letter == other ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, letter == name[j - 1], word[i - 1] == other { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
    }
    return row[name.count]
  }
}
