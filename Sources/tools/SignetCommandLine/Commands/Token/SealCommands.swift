import ArgumentParser
import Glibc
import SignetBytes
import SignetLanguage
import SignetMemory
import SignetSealedStream
import SignetSessionTokens
import SignetWords

struct SealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seal", abstract: say("Seal standard input so that only this session opens it, while its token lives."),
    discussion: say(
      """
      For what a program leaves in a file until later in the same session. It is gone for good when the session ends, and when your \
      fingerprints are locked by five misses or `signet lock`.
      """))

  @OptionGroup var helper: HelperOptions

  func run() throws {
    let key = try SessionTokens(socket: helper.socket).withSession { client, token throws(SessionTokenError) in
      try client.sealingKey(for: token)
    }
    var stream = SealingStream(key)
    try SecretOutput.write(stream.head.span)
    var input = try PartInput(size: SealedStream.part)
    repeat {
      try input.next()
      try SecretOutput.write(stream.seal(input.part, isLast: input.isLast).span)
    } while !input.isLast
  }
}

struct UnsealCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unseal", abstract: say("Open what `signet token seal` sealed in this session, from standard input."),
    discussion: say("Use what it prints only if it succeeds: where something was cut off, that is noticed at the end."))

  @OptionGroup var helper: HelperOptions

  func run() throws {
    var input = try PartInput(size: UnsealingStream.Head.limit)
    try input.next()
    let head = try orDamaged { () throws(SealedStream.Failure) in try UnsealingStream.Head(Array(copying: input.part)) }
    let key = try SessionTokens(socket: helper.socket).withSession { client, token throws(SessionTokenError) in
      try client.sealingKey(for: token, wrapped: head.wrapped)
    }
    var stream: UnsealingStream
    do throws(SealedStream.Failure) { stream = try UnsealingStream(key, head) } catch { throw failure(error) }
    var rest = Array(copying: input.part.extracting(droppingFirst: head.length))
    var isRead = input.isLast
    let size = SealedStream.part + SealedStream.overhead
    while !stream.isOver {
      if !isRead, rest.count < size {
        var more = try PartInput(size: size - rest.count)
        try more.next()
        rest += Array(copying: more.part)
        isRead = more.isLast
      }
      let plain: SecretBytes
      do throws(SealedStream.Failure) { plain = try stream.unseal(Array(rest.prefix(size))) } catch { throw failure(error) }
      rest.removeFirst(min(size, rest.count))
      try SecretOutput.write(plain.span)
    }
    guard rest.isEmpty else { throw failure(.damaged) }
  }

  private func orDamaged<Value>(_ body: () throws(SealedStream.Failure) -> Value) throws(CommandFailure) -> Value {
    do throws(SealedStream.Failure) { return try body() } catch { throw failure(error) }
  }

  private func failure(_ error: SealedStream.Failure) -> CommandFailure {
    switch error {
    case .foreign: CommandFailure(.refused, ObstacleText.notSealed)
    case .damaged: CommandFailure(.refused, ObstacleText.sealDamaged)
    case .exhausted: CommandFailure(.refused, ObstacleText.noMemory)
    }
  }
}

/// Standard input in parts of one size, of which the last may be shorter or empty.
private struct PartInput: ~Copyable {
  private var buffer: SecretBytes
  private let size: Int
  private(set) var isLast = false

  init(size: Int) throws(CommandFailure) {
    self.size = size
    buffer = try orExhausted(SecretBytes(capacity: size))
  }

  var part: Span<UInt8> {
    @_lifetime(borrow self) get { buffer.span }
  }

  mutating func next() throws(CommandFailure) {
    let size = size
    let count = unsafe buffer.replace { buffer in
      unsafe SecretInput.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<size]))
    }
    guard count >= 0 else { throw CommandFailure(.refused, ObstacleText.inputUnread(errno)) }
    isLast = count < size
  }
}
