import ArgumentParser
import SignetBytes
import SignetJSON
import SignetLanguage
import SignetMemory
import SignetSessionTokens
import SignetVocabulary
import SignetWords

struct AccessTokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jwt", abstract: say("Print a signed access token for a service, good for five minutes."),
    discussion: say(
      """
      The service verifies it with the keys of `signet token jwks`, without asking this machine. It is a JWT by RFC 9068 that says \
      who you are, for whom it is, and whether your finger or your passcode opened this session.
      """))

  @Option(
    name: .long, help: ArgumentHelp(say("The service that is to accept it, by the name that it expects."), valueName: "name"))
  var audience: String
  @Flag(
    name: .long,
    help: ArgumentHelp(say("Print a refresh token, too, which `signet token refresh` exchanges for the next access token.")))
  var refreshable = false
  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    let isText = audience.unicodeScalars.allSatisfy { ForeignText.isHarmless($0.value) }
    guard (1...FieldLimit.audience).contains(audience.utf8.count), isText else {
      throw ValidationError(say("--audience takes a name of 1 to \(FieldLimit.audience) bytes, without control characters."))
    }
  }

  func run() throws {
    let confirmation = key.confirmation
    let issued = try SessionTokens(socket: helper.socket).withSession { client, token throws(SessionTokenError) in
      try client.issue(for: token, audience: audience, isRefreshable: refreshable, confirmation: confirmation)
    }
    try issued.write(json: output.json)
  }
}

struct RefreshTokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh", abstract: say("Exchange a refresh token, from standard input, for the next access token."),
    discussion: say(
      "The refresh token is used up by that; the next one is printed. One that is used twice ends all of its chain."))

  @OptionGroup var key: KeyOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let refresh = try SessionTokens.fromInput(bytes: FieldLimit.refreshToken)
    let confirmation = key.confirmation
    let issued = try SessionTokens(socket: helper.socket).with(token: refresh) { client, token throws(SessionTokenError) in
      try client.refresh(token, confirmation: confirmation)
    }
    try issued.write(json: output.json)
  }
}

struct EndRefreshCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: say("Make a refresh token, from standard input, and all of its chain useless."))

  @OptionGroup var helper: HelperOptions

  func run() throws {
    let refresh = try SessionTokens.fromInput(bytes: FieldLimit.refreshToken)
    try SessionTokens(socket: helper.socket).with(token: refresh) { client, token throws(SessionTokenError) in
      try client.endRefresh(token)
    }
    Report.say(DoneText.refreshEnded)
  }
}

struct KeySetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jwks", abstract: say("Print the keys that verify this machine's access tokens."),
    discussion: say("A JSON Web Key Set (RFC 7517). It is no secret. Keys change: fetch them again each hour."))

  @Flag(
    name: .long, help: ArgumentHelp(say("Print an object with `issuer`, which the tokens name as `iss`, and `jwks`, the set.")))
  var withIssuer = false
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let nothing = try orExhausted(SecretBytes(capacity: 1))
    let text = try SessionTokens(socket: helper.socket).with(token: nothing) { client, _ throws(SessionTokenError) in
      try client.keySet()
    }
    if withIssuer { return Report.say(text) }
    guard let set = try? JSONReader.object(Array(text.utf8), limit: 1 << 16)["jwks"] else { throw CommandFailure.unexpectedReply }
    Report.say(String(decoding: set.encoded, as: UTF8.self))
  }
}

struct IntrospectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "introspect", abstract: say("Tell whose session a token is, which comes from standard input."),
    discussion: say("For a local service to which a program sent the token of its session. Always JSON, by RFC 7662."))

  @OptionGroup var helper: HelperOptions

  func run() throws {
    let token = try SessionTokens.fromInput(bytes: FieldLimit.token)
    do throws(CommandFailure) {
      let row = try SessionTokens(socket: helper.socket).with(token: token) { client, token throws(SessionTokenError) in
        try client.introspect(token)
      }
      try Report.json(IntrospectionRecord(row))
    } catch {
      guard error == CommandFailure(Refusal.noOpenSession) else { throw error }
      try Report.json(IntrospectionRecord(nil))
      throw CommandFailure(.refused, "")
    }
  }
}

extension IssuedTokens {
  /// The access token on a line, and the refresh token on the next where there is one.
  fileprivate func write(json: Bool) throws(CommandFailure) {
    var line = try SecretLine(capacity: 8192)
    try line.add(json ? "{\"accessToken\": \"" : "")
    try line.add(accessToken.span)
    if json { try line.add("\", \"expiresIn\": \(lifetime)") }
    if refreshToken.count > 0 {
      try line.add(json ? ", \"refreshToken\": \"" : "\n")
      try line.add(hexadecimal: refreshToken.span)
      if json { try line.add("\"") }
    }
    try line.add(json ? "}\n" : "\n")
    try line.write()
  }
}

/// The key that a token is bound to.
struct KeyOptions: ParsableArguments {
  @Option(
    name: .customLong("jkt"),
    help: ArgumentHelp(say("The thumbprint (RFC 7638, base64url) of the key that it is bound to."), valueName: "thumbprint"))
  var thumbprint: String?

  func validate() throws {
    if let thumbprint, Thumbprint.bytes(thumbprint) == nil {
      throw ValidationError(say("--jkt: a thumbprint has 43 characters of base64url."))
    }
  }

  /// Empty for none.
  var confirmation: [UInt8] { thumbprint.flatMap(Thumbprint.bytes) ?? [] }
}

/// A thumbprint of RFC 7638 in its usual form.
enum Thumbprint {
  static func bytes(_ text: String) -> [UInt8]? {
    guard text.utf8.count == 43 else { return nil }
    var bits: UInt32 = 0
    var count = 0
    var bytes: [UInt8] = []
    for letter in text.utf8 {
      guard let value = value(letter) else { return nil }
      bits = bits << 6 | value
      count += 6
      guard count >= 8 else { continue }
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
    return bytes.count == FieldLimit.thumbprint && bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
  }

  private static func value(_ letter: UInt8) -> UInt32? {
    switch letter {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(letter - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(letter - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(letter - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "-"): 62
    case UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
