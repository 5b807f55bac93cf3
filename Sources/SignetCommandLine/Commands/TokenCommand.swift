import ArgumentParser
import CLinux
import Glibc
import SignetMemory
import SignetWords

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Print the token of this session.",
    discussion: "The token is a secret: whoever has it can act as this session. It does not go through signetd.")

  @OptionGroup var output: OutputOptions

  func run() throws {
    guard var line = SecretBytes(capacity: 4096), var token = SecretBytes(capacity: 256) else {
      throw CommandFailure(.refused, ObstacleText.noMemory)
    }
    try SessionKeyring.read(into: &token)
    let before: StaticString = output.json ? "{\"token\": \"" : ""
    let after: StaticString = output.json ? "\"}\n" : "\n"
    guard line.append(before), line.append(token.span), line.append(after) else {
      throw CommandFailure(.refused, ObstacleText.tokenTooLong)
    }
    // write(2), not print: standard output's buffer is not wiped.
    let written = unsafe line.span.withUnsafeBytes { unsafe write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    guard written == line.count else {
      throw CommandFailure(.refused, ObstacleText.tokenUnwritten(errno))
    }
  }
}

extension SecretBytes {
  fileprivate mutating func append(_ text: StaticString) -> Bool {
    append(unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
