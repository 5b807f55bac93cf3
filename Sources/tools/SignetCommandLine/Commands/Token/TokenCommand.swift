import ArgumentParser
import SignetLanguage

struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: say("Print the token of this session, or what it gives."),
    discussion: say(
      "What is printed is a secret: whoever has it can act as this session. signet-auth(7) says which is for what."),
    subcommands: [
      ShowTokenCommand.self, AccessTokenCommand.self, RefreshTokenCommand.self, EndRefreshCommand.self, KeySetCommand.self,
      IntrospectCommand.self, SealCommand.self, UnsealCommand.self,
    ], defaultSubcommand: ShowTokenCommand.self)
}
