import CLinux
import Glibc
import SignetClient
import SignetMemory
import SignetPinentry
import SignetVocabulary

/// A pinentry for gpg-agent: it answers the question for a kept passphrase from the vault, once in a conversation, and hands
/// everything else to the real pinentry line by line. What gpg-agent shows of a wrong passphrase is then the real one's to show.
struct PinentryServer: ~Copyable {
  private let real: PinentryProcess?
  private var state = PinentryServerState()
  /// What gpg-agent said last, and what the real pinentry said.
  private var command: AssuanLine
  private var reply: AssuanLine

  private init(_ words: [String]) throws(AssuanError) {
    let command = try AssuanLine()
    let reply = try AssuanLine()
    if let display = PinentryServer.display(words) { unsafe setenv("DISPLAY", display, 1) }
    real = PinentryProgram.path().flatMap { path in
      try? PinentryProcess(path, words, environment: PinentryProgram.environment(), terminal: nil)
    }
    self.command = command
    self.reply = reply
  }

  private static func display(_ words: [String]) -> String? {
    guard let first = words.first else { return nil }
    return first == "--display" ? words.dropFirst().first : String(first.dropFirst("--display=".count))
  }

  /// Serves one conversation. `words`: the command line, which is the real pinentry's, too.
  static func run(_ words: [String]) -> AskpassStatus {
    do throws(AssuanError) {
      var server = try PinentryServer(words)
      try server.serve()
      return .done
    } catch { return .refused }
  }

  private mutating func serve() throws(AssuanError) {
    if real == nil { try say("OK") } else { try relayAnswer() }
    while try readCommand() {
      let step = PinentryServer.step(command, &state)
      try act(step)
      if step == .end { return }
    }
  }

  private static func step(_ line: borrowing AssuanLine, _ state: inout PinentryServerState) -> PinentryServerState.Step {
    state.take(line.span)
  }

  private mutating func act(_ step: PinentryServerState.Step) throws(AssuanError) {
    switch step {
    case .relay, .end: try relay()
    case .tellPid: try say("D \(getpid())\nOK")
    case .release(let name):
      switch OwnerVault(application: "gpg-agent").read(name) {
      case .released(let value): try say(value)
      case .cancelled: try say("ERR \(AssuanErrorCode.cancelledByPinentry) Operation cancelled")
      case .nothing:
        // What the user types comes by here.
        hideMemory()
        try relay()
      }
    }
  }

  // MARK: gpg-agent

  /// False at the end of what it says.
  private mutating func readCommand() throws(AssuanError) -> Bool {
    while true {
      var byte: UInt8 = 0
      let count = unsafe read(STDIN_FILENO, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .ended }
      guard count == 1 else { return false }
      if try command.take(byte) { return true }
    }
  }

  private func say(_ text: String) throws(AssuanError) { guard Output.write(text + "\n") else { throw .ended } }

  private func say(_ value: borrowing SecretBytes) throws(AssuanError) {
    guard var line = SecretBytes(capacity: 3 * AssuanLimit.data) else { throw .exhausted }
    try AssuanText.escape(value.span, into: &line)
    // One line has so much of it; an escape is never cut.
    var rest = line.span
    while !rest.isEmpty {
      var end = min(rest.count, AssuanLimit.line - 2)
      if end < rest.count { while rest[end - 1] == UInt8(ascii: "%") || rest[end - 2] == UInt8(ascii: "%") { end -= 1 } }
      guard Output.write("D "), Output.write(rest.extracting(first: end)), Output.write("\n") else { throw .ended }
      rest = rest.extracting(droppingFirst: end)
    }
    try say("OK")
  }

  // MARK: The real pinentry

  private mutating func relay() throws(AssuanError) {
    guard let real else { return try say(state.answerWithoutPinentry) }
    try PinentryServer.send(command, to: real)
    try relayAnswer()
  }

  private static func send(_ line: borrowing AssuanLine, to real: PinentryProcess) throws(AssuanError) {
    try real.write(line.span)
    try real.write([UInt8(ascii: "\n")].span)
  }

  /// Until it is the agent's turn again. It may be asked something in return, whose answer has several lines.
  private mutating func relayAnswer() throws(AssuanError) {
    guard let real, var data = SecretBytes(capacity: AssuanLimit.data) else { throw .exhausted }
    while true {
      try readReply(of: real)
      data.removeAll()
      let kind = try AssuanReply(in: reply, data: &data)
      guard Output.write(reply.span), Output.write("\n") else { throw .ended }
      reply.clear()
      switch kind {
      case .ok, .error: return
      case .data, .note: continue
      case .inquiry:
        repeat {
          guard try readCommand() else { throw .ended }
          try PinentryServer.send(command, to: real)
        } while !PinentryServerState.endsInquiry(command.span)
      }
    }
  }

  /// The next line of the real pinentry. A signal that ends this process ends that one first: gpg-agent cancels so.
  private mutating func readReply(of real: PinentryProcess) throws(AssuanError) {
    let held = HeldSignals()
    while true {
      while let byte = try real.readByte() { if try reply.take(byte) { return } }
      var ready = [real.output, held.descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      _ = unsafe poll(&ready, nfds_t(ready.count), -1)
      if ready[1].revents != 0 {
        real.end()
        throw .ended
      }
    }
  }
}
