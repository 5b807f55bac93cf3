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
    /// Whether PAM has to take it as a passcode, which has no zero byte.
    var isLoginSecret: Bool
    /// In bytes.
    var lengths: ClosedRange<Int>
    /// Whether one newline at the end of standard input is left out.
    var isTrimmed: Bool

    static func item(isTrimmed: Bool, mayBeEmpty: Bool) -> Form {
      Form(isLoginSecret: false, lengths: (mayBeEmpty ? 0 : 1)...ItemLimit.value, isTrimmed: isTrimmed)
    }

    /// What PAM takes as a passcode.
    static let loginSecret = Form(isLoginSecret: true, lengths: 1...FieldLimit.passcode, isTrimmed: true)
  }

  private let bytes: SecretBytes
  private let count: Int

  /// As a request tells it.
  var length: UInt32 { UInt32(count) }

  var span: Span<UInt8> {
    @_lifetime(borrow self) get { bytes.span.extracting(first: count) }
  }

  /// What is there already.
  init(_ value: consuming SecretBytes) {
    count = value.count
    bytes = value
  }

  /// Whether it is asked for.
  static var isTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// Standard input to its end, or where that is a terminal what is typed twice.
  static func read(_ form: Form) throws(CommandFailure) -> SecretInput {
    let secret = isTyped ? try SecretInput(typedAs: form) : try SecretInput(pipedAs: form)
    try secret.check(form)
    if !isTyped, !form.isTrimmed, secret.isLineByMistake {
      Report.complain(DoneText.endsInNewline)
    }
    return secret
  }

  /// Reads no more than decides that it is too much.
  private init(pipedAs form: Form) throws(CommandFailure) {
    var bytes = try orExhausted(SecretBytes(capacity: form.lengths.upperBound + 2))
    let count = unsafe bytes.replace { buffer in unsafe SecretInput.fill(buffer) }
    guard count >= 0 else {
      throw CommandFailure(.refused, ObstacleText.inputUnread(errno))
    }
    let endsInNewline = count > 0 && bytes.span[count - 1] == UInt8(ascii: "\n")
    self.count = form.isTrimmed && endsInNewline ? count - 1 : count
    self.bytes = bytes
  }

  /// Reads until the buffer is full or the input ends; negative where it cannot be read.
  static func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    var filled = 0
    while filled < buffer.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
      let count = unsafe Glibc.read(STDIN_FILENO, rest.baseAddress, rest.count)
      if count == 0 { break }
      if count > 0 { filled += count } else if !CallersDescriptor.isRetried(STDIN_FILENO, Int16(POLLIN)) { return -1 }
    }
    return filled
  }

  private init(typedAs form: Form) throws(CommandFailure) {
    let first = try SecretInput.ask(form.isLoginSecret ? QuestionText.loginSecret : QuestionText.secret)
    let second = try SecretInput.ask(form.isLoginSecret ? QuestionText.loginSecretAgain : QuestionText.secretAgain)
    guard SecretInput.areEqual(first, second) else {
      throw CommandFailure(.refused, ObstacleText.secondDiffers)
    }
    count = first.count - 1
    bytes = first
  }

  private static func ask(_ question: String) throws(CommandFailure) -> SecretBytes {
    // A terminal's line has 4,096 bytes at most.
    var answer = try orExhausted(SecretBytes(capacity: 4096))
    switch try TerminalQuestion.ask(question, .hidden, into: &answer) {
    case nil: throw CommandFailure(.refused, ObstacleText.noTerminalForSecret)
    case .line: return answer
    case .nothing, .empty, .end: throw CommandFailure(.refused, ObstacleText.noSecret)
    case .tooLong: throw CommandFailure(.refused, ObstacleText.lineTooLong)
    }
  }

  static func areEqual(_ left: borrowing SecretBytes, _ right: borrowing SecretBytes) -> Bool {
    left.span.isEqual(to: right.span)
  }

  private func check(_ form: Form) throws(CommandFailure) {
    let isLogin = form.isLoginSecret
    if count < form.lengths.lowerBound {
      throw CommandFailure(.refused, isLogin ? ObstacleText.loginSecretEmpty : ObstacleText.secretEmpty)
    }
    if count > form.lengths.upperBound {
      throw CommandFailure(.refused, isLogin ? ObstacleText.loginSecretTooLong : ObstacleText.secretTooLong)
    }
    if isLogin, span.indices.contains(where: { span[$0] == 0 }) {
      throw CommandFailure(.refused, ObstacleText.loginSecretZeroByte)
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
