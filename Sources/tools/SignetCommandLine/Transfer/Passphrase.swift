import SignetMemory
import SignetWords

/// The passphrase of a file, from the terminal.
enum Passphrase {
  static func ask() throws(CommandFailure) -> SecretBytes { try ask(TransferText.passphrase) }

  /// Asked for twice, so that nobody seals a file by a slip.
  static func new() throws(CommandFailure) -> SecretBytes {
    let first = try ask(TransferText.newPassphrase)
    guard SecretInput.areEqual(first, try ask(TransferText.passphraseAgain)) else {
      throw CommandFailure(.refused, TransferText.secondDiffers)
    }
    return first
  }

  private static func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
    // A terminal's line has 4,096 bytes at most.
    var answer = try orExhausted(SecretBytes(capacity: 4096))
    switch try TerminalQuestion.ask(question, .hidden, into: &answer) {
    case nil: throw CommandFailure(.refused, TransferText.noTerminal)
    case .line:
      answer.removeLast()
      return answer
    case .nothing, .empty, .end: throw CommandFailure(.refused, TransferText.noPassphrase)
    case .tooLong: throw CommandFailure(.refused, ObstacleText.lineTooLong)
    }
  }
}
