import SignetBytes
import SignetMemory
import SignetSessionTokens
import SignetVocabulary
import SignetWords

/// What the commands about tokens ask of signetd.
struct SessionTokens {
  let socket: String

  private var client: SessionTokenClient { SessionTokenClient(path: socket) }

  /// Asks for something that this session's token gives.
  func withSession<Answer: ~Copyable>(
    _ body: (SessionTokenClient, borrowing SecretBytes) throws(SessionTokenError) -> Answer
  ) throws(CommandFailure) -> Answer {
    var digits = try orExhausted(SecretBytes(capacity: 256))
    try TokenKeyring.read(into: &digits, from: socket)
    return try with(token: try SessionTokens.decoded(digits.span), body)
  }

  /// The same for a token that the caller has.
  func with<Answer: ~Copyable>(
    token: borrowing SecretBytes, _ body: (SessionTokenClient, borrowing SecretBytes) throws(SessionTokenError) -> Answer
  ) throws(CommandFailure) -> Answer {
    do throws(SessionTokenError) { return try body(client, token) } catch {
      switch error {
      case .refused(let refusal): throw CommandFailure(refusal)
      case .client(let error): throw CommandFailure(error, socket: socket)
      case .unusable: throw CommandFailure(.usage, ObstacleText.argumentTooLong)
      }
    }
  }

  /// A token from its hexadecimal digits.
  static func decoded(_ digits: Span<UInt8>) throws(CommandFailure) -> SecretBytes {
    guard let token = SecretBytes(hexadecimal: digits) else { throw CommandFailure(.usage, ObstacleText.noTokenOfSignet) }
    return token
  }

  /// A token of so many bytes from standard input: never from an argument, which everybody can see.
  static func fromInput(bytes: Int) throws(CommandFailure) -> SecretBytes {
    let form = SecretInput.Form(isLoginSecret: false, lengths: 0...(bytes * 2), isTrimmed: true)
    let input = try SecretInput.read(form)
    guard input.span.count == bytes * 2 else { throw CommandFailure(.usage, ObstacleText.noTokenOfSignet) }
    return try decoded(input.span)
  }
}

/// A line of output that has secrets in it, put together in memory that is wiped.
struct SecretLine: ~Copyable {
  private var line: SecretBytes

  init(capacity: Int) throws(CommandFailure) { line = try orExhausted(SecretBytes(capacity: capacity)) }

  mutating func add(_ text: String) throws(CommandFailure) { try add(Array(text.utf8).span) }

  mutating func add(_ bytes: Span<UInt8>) throws(CommandFailure) {
    guard line.append(bytes) else { throw CommandFailure(.refused, ObstacleText.tokenTooLong) }
  }

  mutating func add(hexadecimal bytes: Span<UInt8>) throws(CommandFailure) {
    for index in bytes.indices {
      for digit in [bytes[index] >> 4, bytes[index] & 15] {
        guard line.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10) else {
          throw CommandFailure(.refused, ObstacleText.tokenTooLong)
        }
      }
    }
  }

  func write() throws(CommandFailure) { try SecretOutput.write(line.span) }
}
