import CLinux
import CPAM

/// The words that the host was started with.
enum CommandLine {
  /// Fills `words` with them, each ended by a zero (proc(5)); false where there are none.
  static func fill(_ words: inout SecretBytes) -> Bool { unsafe words.fill(fromFileAt: c("/proc/self/cmdline")) }
}

extension SecretBytes {
  /// Reads a file of proc(5), as much of it as there is room for; false where there is nothing to be had.
  @unsafe mutating func fill(fromFileAt path: UnsafePointer<CChar>) -> Bool {
    let file = unsafe clinux_open(path, O_RDONLY | O_CLOEXEC, 0)
    guard file >= 0 else { return false }
    let count = unsafe replace { buffer in unsafe read(file, buffer.baseAddress, buffer.count) }
    _ = close(file)
    return count > 0
  }
}

extension Transaction {
  /// What the user is about to approve, where the host has a command for that: who, where, and the command as they typed it.
  func approval() -> TextLine? {
    guard isSudo, !isSilent, var words = SecretBytes(capacity: 4096), CommandLine.fill(&words) else { return nil }
    var line = TextLine()
    guard line.put(foreign: item(PAM_USER, limit: 128)) else { return nil }
    line.put(", ")
    // A name that is no plain text is nothing to show.
    if line.put(foreign: item(PAM_TTY, limit: 32)) { line.put(": ") }
    TypedCommand.put(words.span, limit: 60, into: &line)
    return line
  }
}
