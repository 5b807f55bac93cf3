import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetMemory
#endif

/// A pinentry that asks one question. Whoever has an event loop watches `descriptor` and calls `step()`; others call `wait`.
/// It is ended with the value. Use it from one thread at a time.
public struct Pinentry: ~Copyable {
  private let process: PinentryProcess
  private var conversation: PinentryConversation

  /// For poll(2): readable once pinentry has said something.
  public var descriptor: Int32 { process.output }

  /// Starts the program. The question is asked as the answers of pinentry are read.
  public init(
    _ question: PinentryQuestion, program: String, environment: [String] = PinentryProgram.environment(),
    options: [String] = PinentryProgram.options()
  ) throws(AssuanError) {
    let conversation = try PinentryConversation(question, options: options)
    process = try PinentryProcess(program, environment: environment, terminal: Pinentry.terminal(of: options))
    self.conversation = conversation
  }

  private static func terminal(of options: [String]) -> String? {
    options.first { $0.hasPrefix("ttyname=") }.map { String($0.dropFirst("ttyname=".count)) }
  }

  /// Takes what pinentry has said so far; the answer, once there is one.
  public mutating func step() -> PinentryAnswer? {
    do throws(AssuanError) {
      while let byte = try process.readByte() {
        switch try conversation.take(byte) {
        case .wait: continue
        case .send(let text): try process.write(text)
        case .end(let answer): return answer
        }
      }
      return nil
    } catch { return .unavailable }
  }

  /// Waits for the answer, for as long as it takes.
  public mutating func wait() -> PinentryAnswer {
    while true {
      if let answer = step() { return answer }
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&ready, 1, -1)
    }
  }

  /// What was typed, after `confirmed`; pinentry is ended.
  public consuming func takeSecret() -> SecretBytes {
    process.end()
    return conversation.takeSecret()
  }
}
