import ArgumentParser
import SignetMemory

struct ShowTokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print the token of this session.",
    discussion: "The token is a secret: whoever has it can act as this session. It does not go through signetd.")

  @OptionGroup var output: OutputOptions

  func run() throws {
    var token = try orExhausted(SecretBytes(capacity: 256))
    try SessionKeyring.read(into: &token)
    var line = try SecretLine(capacity: 4096)
    if output.json { try line.add("{\"token\": \"") }
    try line.add(token.span)
    try line.add(output.json ? "\"}\n" : "\n")
    try line.write()
  }
}
