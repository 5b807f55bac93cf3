import Glibc
import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

/// A secret that is to be stored. It comes from standard input or a hidden question, never from an argument or the
/// environment: other processes see those, and shells keep them.
struct SecretInput: ~Copyable {
  /// What the secret may be.
  struct Form {
    /// As the question on a terminal calls it.
    var name: String
    /// In bytes.
    var lengths: ClosedRange<Int>
    var mayHoldZero: Bool
    /// Whether one newline at the end of standard input is left out.
    var isTrimmed: Bool

    static func item(isTrimmed: Bool, mayBeEmpty: Bool) -> Form {
      Form(name: "Secret", lengths: (mayBeEmpty ? 0 : 1)...ItemLimit.value, mayHoldZero: true, isTrimmed: isTrimmed)
    }

    /// What PAM takes as a passcode.
    static let loginSecret = Form(
      name: "Login secret", lengths: 1...FieldLimit.passcode, mayHoldZero: false, isTrimmed: true)
  }

  private let bytes: SecretBytes
  private let count: Int

  /// As a request tells it.
  var length: UInt32 { UInt32(count) }

  var span: Span<UInt8> {
    @_lifetime(borrow self) get { bytes.span.extracting(first: count) }
  }

  /// Standard input to its end, or where that is a terminal what is typed twice.
  static func read(_ form: Form) throws(CommandFailure) -> SecretInput {
    let isTyped = isatty(STDIN_FILENO) == 1
    let secret = isTyped ? try SecretInput(typedAs: form.name) : try SecretInput(pipedAs: form)
    try secret.check(form)
    if !isTyped, !form.isTrimmed, secret.isLineByMistake {
      Report.complain("The secret ends in a newline, which is part of it; --trim leaves it out.")
    }
    return secret
  }

  /// Reads no more than decides that it is too much.
  private init(pipedAs form: Form) throws(CommandFailure) {
    var bytes = try orExhausted(SecretBytes(capacity: form.lengths.upperBound + 2))
    let count = unsafe bytes.replace { buffer in unsafe SecretInput.fill(buffer) }
    guard count >= 0 else {
      throw CommandFailure(.refused, "standard input: \(ErrorText.of(errno)). Nothing was stored.")
    }
    let endsInNewline = count > 0 && bytes.span[count - 1] == UInt8(ascii: "\n")
    self.count = form.isTrimmed && endsInNewline ? count - 1 : count
    self.bytes = bytes
  }

  private static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = unsafe Glibc.read(STDIN_FILENO, rest.baseAddress, rest.count)
      if count == 0 { break }
      if count > 0 { filled += count } else if !Descriptor.isRetried(STDIN_FILENO, Int16(POLLIN)) { return -1 }
    }
    return filled
  }

  private init(typedAs name: String) throws(CommandFailure) {
    let first = try SecretInput.ask(name + ": ")
    let second = try SecretInput.ask(name + " again: ")
    guard SecretInput.areEqual(first, second) else {
      throw CommandFailure(.refused, "the second was not the same. Nothing was stored.")
    }
    count = first.count - 1
    bytes = first
  }

  private static func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
    // A terminal's line has 4,096 bytes at most.
    var answer = try orExhausted(SecretBytes(capacity: 4096))
    switch try TerminalQuestion.ask(question, .hidden, into: &answer) {
    case nil: throw CommandFailure(.refused, "there is no terminal to ask for the secret on. Give it on standard input.")
    case .answered: return answer
    case .declined: throw CommandFailure(.refused, "no secret was given. Nothing was stored.")
    case .tooLong:
      throw CommandFailure(.refused, "a terminal takes no line of more than 4094 bytes. Give the secret on standard input.")
    }
  }

  private static func areEqual(_ left: borrowing SecretBytes, _ right: borrowing SecretBytes) -> Bool {
    left.span.isEqual(to: right.span)
  }

  private func check(_ form: Form) throws(CommandFailure) {
    let name = form.name.lowercased()
    if count < form.lengths.lowerBound {
      let hint = form.mayHoldZero ? " Where that is meant: --allow-empty" : ""
      throw CommandFailure(.refused, "the \(name) is empty. Nothing was stored.\(hint)")
    }
    if count > form.lengths.upperBound {
      throw CommandFailure(.refused, "the \(name) is longer than \(form.lengths.upperBound) bytes. Nothing was stored.")
    }
    if !form.mayHoldZero, span.indices.contains(where: { span[$0] == 0 }) {
      throw CommandFailure(.refused, "the \(name) has a zero byte, which no passcode can have. Nothing was stored.")
    }
  }

  /// Whether it looks like a line that `echo` wrote: text whose only newline is its end.
  private var isLineByMistake: Bool { span.indices.first { span[$0] == UInt8(ascii: "\n") } == count - 1 && count > 0 }
}

extension Dialogue {
  /// Stores a secret; the request tells its length.
  static func store(
    _ request: VaultRequest, _ secret: consuming SecretInput, at socket: String
  ) throws(CommandFailure) {
    var dialogue = try Dialogue(request, at: socket)
    guard try dialogue.next() == .askValue else { throw .unexpectedReply }
    try dialogue.send(value: secret)
    try dialogue.follow()
  }

  /// Sends the secret in parts; it is wiped when this returns.
  mutating func send(value secret: consuming SecretInput) throws(CommandFailure) {
    var start = 0
    while start < secret.span.count {
      let end = min(start + PacketLimit.valuePart, secret.span.count)
      let part = secret.span.extracting(start..<end)
      try send { packet throws(FormatError) in try ValueRequest(part: part).write(into: &packet) }
      start = end
    }
  }
}
