import Glibc

/// What the demo prints: headings, what a user does, what a user sees.
enum Story {
  static func chapter(_ title: String) { say("\n\(title)") }

  /// What the user types.
  static func types(_ command: String) { say("  $ \(command)") }

  /// What the user does.
  static func does(_ action: String) { say("      (\(action))") }

  /// What stands on the user's screen.
  static func sees(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy({ $0 == " " }) { say("  | \(line)") }
  }

  static func concludes(_ text: String) { say("  => \(text)") }

  /// Unbuffered: the lines of programs that the demo starts stand between these.
  private static func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }
}

/// The demo did not go as it should.
struct Surprise: Error, CustomStringConvertible {
  var description: String
}

func expect(_ condition: Bool, _ what: String) throws {
  guard condition else { throw Surprise(description: what) }
}
