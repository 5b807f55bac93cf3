import ArgumentParser
import Glibc
import SignetDigest
import SignetLanguage
import SignetWords

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: say("Sign standard input with a key, and write the signature to standard output."),
    discussion: say(
      """
      ECDSA of SHA-256, in the form that `openssl dgst -sha256 -verify` reads. The input may have any length; it is read to its end before \
      anything is asked for.
      """))

  @OptionGroup var key: NamedKey
  @OptionGroup var helper: HelperOptions

  func run() throws {
    guard !SecretOutput.isTerminal else { throw CommandFailure(.refused, KeyUseText.noTerminal) }
    // Before somebody waits for an input that is signed by nothing.
    let found = try OwnKeys.one(key.name, at: helper.socket)
    let signature = try OwnKeys.sign(
      digest: try SignCommand.digestOfInput(), with: found.name, reason: KeyUseText.signing(key.name), at: helper.socket)
    try SecretOutput.write(signature.der.span)
  }

  private static func digestOfInput() throws(CommandFailure) -> [UInt8] {
    var digest = SHA256.Parts()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(STDIN_FILENO, $0.baseAddress, $0.count) }
      if count > 0 { digest.add(buffer.span.extracting(first: count)) }
      if count == 0 { return digest.digest() }
      guard count > 0 || CallersDescriptor.isRetried(STDIN_FILENO, Int16(POLLIN)) else {
        throw CommandFailure(.refused, ObstacleText.inputUnread(errno))
      }
    }
  }
}
