import CLinux
import CPAM

/// The host's own passcode prompt, held by a child of the host, so that a finger can be waited for meanwhile: the host has no terminal
/// of its own, and its conversation returns only with an answer.
///
/// The child knows the host's memory as it was, and nothing that it changes there comes back: its answer does, through a pipe.
/// The host must have one thread, for a lock that another one holds would never be free in the child. Whoever asks calls `end()`.
struct PromptAside: ~Copyable {
  private var child: pid_t = -1
  /// For poll(2): readable when the child has its answer, or has died. -1 where nobody is asked.
  private(set) var descriptor: Int32 = -1

  /// A status and the answer with its zero, in one write(2) that no other interrupts (pipe(7)).
  private static var capacity: Int { FieldLimit.passcode &+ 2 }

  /// Asks, unless the question stands already; false where no child can be had.
  mutating func ask(_ prompt: borrowing TextLine, in transaction: borrowing Transaction) -> Bool {
    guard child < 0 else { return true }
    var ends = InlineArray<2, Int32>(repeating: -1)
    var span = ends.mutableSpan
    let made = unsafe span.withUnsafeMutableBufferPointer { buffer in
      unsafe buffer.baseAddress.map { unsafe clinux_pipe($0) } ?? -1
    }
    guard made == 0 else { return false }
    child = clinux_fork_unseen()
    if child == 0 {
      PromptAside.answer(prompt, in: transaction, to: ends[1])
      _exit(0)
    }
    _ = close(ends[1])
    descriptor = ends[0]
    if child < 0 { end() }
    return child >= 0
  }

  /// In the child.
  private static func answer(_ prompt: borrowing TextLine, in transaction: borrowing Transaction, to pipe: Int32) {
    guard var packet = SecretBytes(capacity: capacity) else { return }
    do throws(Failure) {
      let typed = try Conversation(transaction: copy transaction).askPasscode(prompt)
      _ = packet.append(Status.answered.rawValue)
      switch consume typed {
      case .some(let typed): put(typed, into: &packet)
      case .none: break
      }
    } catch {
      let status = if case .passcodeTooLong = error { Status.tooLong } else { Status.failed }
      _ = packet.append(status.rawValue)
    }
    _ = unsafe packet.span.withUnsafeBytes { bytes in unsafe write(pipe, bytes.baseAddress, bytes.count) }
  }

  private static func put(_ typed: borrowing SecretBytes, into packet: inout SecretBytes) { _ = packet.append(typed.span) }

  private enum Status: UInt8 { case answered = 1, tooLong, failed }

  /// Takes what poll(2) announced. The answer has a zero behind it, and is the last one.
  mutating func takeAnswer(into passcode: inout SecretBytes?) -> TypedLine {
    defer { end() }
    let pipe = descriptor
    guard var packet = SecretBytes(capacity: PromptAside.capacity) else { return .end }
    _ = unsafe packet.replace { buffer in unsafe read(pipe, buffer.baseAddress, buffer.count) }
    let bytes = packet.span
    guard !bytes.isEmpty, let status = Status(rawValue: bytes[0]) else { return .end }
    switch status {
    case .tooLong: return .tooLong
    case .failed: return .end
    case .answered:
      guard bytes.count > 1 else { return .empty }
      guard packet.last == 0, var line = SecretBytes(capacity: PromptAside.capacity),
        line.append(bytes.extracting(last: max(0, bytes.count &- 1)))
      else { return .end }
      passcode = consume line
      return .line
    }
  }

  /// Takes the question back.
  mutating func end() {
    if child > 0 { clinux_end_unseen(child) }
    if descriptor >= 0 { _ = close(descriptor) }
    (child, descriptor) = (-1, -1)
  }
}
