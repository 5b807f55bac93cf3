import SignetPinentry
import SignetVocabulary
import Testing

@testable import SignetPrompting

/// What is shown, asked and sent at each event, without a bus or a pinentry.
@Suite struct PromptStateTests {
  private func state(_ words: [String] = [], notifications: Bool? = true) throws -> PromptState {
    var state = PromptState(try PromptArguments(parsing: ["--application", "mail", "--reason", "read the post"] + words))
    if let notifications { #expect(state.take(.notifications(areThere: notifications)) == []) }
    return state
  }

  private static let touch = PromptState.Event.show(.touchReader, value: 0, detail: [])
  private static let miss = PromptState.Event.show(.notRecognised, value: 2, detail: [])

  private static let card = Card(
    summary: "mail wants your finger", lines: ["read the post", "Touch the fingerprint reader"], cancel: "Cancel", passcode: nil)
  private static let missed = Card(
    summary: "mail wants your finger",
    lines: ["read the post", "Fingerprint not recognised, 2 attempts left", "Touch the fingerprint reader"], cancel: "Cancel",
    passcode: "Enter Passcode")

  private func question(_ actions: [PromptState.Action]) throws -> PinentryQuestion {
    guard case .ask(let question) = try #require(actions.last) else { throw Unasked() }
    return question
  }
  private struct Unasked: Error {}

  @Test func `a finger is asked for once, and the passcode is offered after a miss`() throws {
    var state = try state()
    #expect(state.take(Self.touch) == [.notify(Self.card)])
    #expect(state.take(Self.touch) == [])
    #expect(state.take(.chosen(.passcode)) == [])
    #expect(state.take(Self.miss) == [.notify(Self.missed)])
    #expect(state.take(.chosen(.passcode)) == [.withdraw, .send(.fallback)])
    #expect(state.take(.chosen(.passcode)) == [])
  }

  @Test func `who may not fall back is never offered the passcode`() throws {
    var state = try state(["--no-fallback"])
    _ = state.take(Self.touch)
    guard case .notify(let card)? = state.take(Self.miss).last else { throw Unasked() }
    #expect(card.passcode == nil)
    #expect(state.take(.chosen(.passcode)) == [])
  }

  @Test func `before it is known where to show, nothing is; then the latest is`() throws {
    var state = try state(notifications: nil)
    #expect(state.take(Self.touch) == [])
    #expect(state.take(Self.miss) == [])
    #expect(state.take(.notifications(areThere: true)) == [.notify(Self.missed)])
  }

  @Test(arguments: [PromptState.Event.chosen(.cancel), .dismissed])
  func `cancelling is told to signetd, whose answer is the caller's`(event: PromptState.Event) throws {
    var state = try state()
    _ = state.take(Self.touch)
    #expect(state.take(event) == [.send(.cancel), .end(.handedBack)])
    #expect(state.take(.passcodeWanted(.misses)) == [])
  }

  @Test(arguments: [PromptState.Event.over, .callerGone])
  func `nothing is sent when signetd has decided, or the caller has gone`(event: PromptState.Event) throws {
    var state = try state()
    _ = state.take(Self.touch)
    #expect(state.take(event) == [.end(.handedBack)])
  }

  @Test func `the passcode is asked for by pinentry, in the place of the notification`() throws {
    var state = try state(["--cancel-title", "Not now"])
    _ = state.take(Self.touch)
    let actions = state.take(.passcodeWanted(.userFallback))
    #expect(actions.first == .withdraw)
    let question = try question(actions)
    #expect(question.kind == .secret && question.description == "mail wants your passcode\nread the post")
    #expect(question.prompt == "Passcode:" && question.cancel == "Not now" && question.error.isEmpty)
    #expect(state.take(.answered(.confirmed)) == [.sendPasscode])
  }

  @Test func `a wrong passcode is asked for again, and said to be wrong`() throws {
    var state = try state()
    _ = state.take(.passcodeWanted(.misses))
    _ = state.take(.answered(.confirmed))
    #expect(state.take(.show(.wrongPasscode, value: 2, detail: [])) == [])
    #expect(try question(state.take(.passcodeWanted(.wrongPasscode))).error == "Wrong passcode, 2 attempts left")
  }

  @Test func `an answer that can be no passcode is never sent; the third ends it`() throws {
    var state = try state()
    _ = state.take(.passcodeWanted(.misses))
    #expect(state.take(.answered(.confirmed)) == [.sendPasscode])
    #expect(try question(state.take(.notAPasscode(isEmpty: true))).error == "No passcode was entered")
    _ = state.take(.answered(.confirmed))
    #expect(try question(state.take(.notAPasscode(isEmpty: false))).error == "No passcode is as long as that")
    _ = state.take(.answered(.confirmed))
    #expect(state.take(.notAPasscode(isEmpty: true)) == [.send(.cancel), .end(.handedBack)])
  }

  @Test func `cancelling the passcode cancels the request, and no pinentry is nobody to ask`() throws {
    var cancelled = try state()
    _ = cancelled.take(.passcodeWanted(.misses))
    #expect(cancelled.take(.answered(.cancelled)) == [.send(.cancel), .end(.handedBack)])
    var lonely = try state()
    _ = lonely.take(.passcodeWanted(.misses))
    #expect(lonely.take(.answered(.unavailable)) == [.end(.nobodyToAsk)])
  }

  @Test func `a question of signetd's after a failed reader says why`() throws {
    var state = try state()
    #expect(state.take(.show(.readerUnavailable, value: 0, detail: [])) == [])
    #expect(try question(state.take(.passcodeWanted(.readerUnavailable))).error == "The fingerprint reader is not available")
  }

  // MARK: Without notifications

  @Test func `pinentry has one button before a miss, which cancels, and two after it`() throws {
    var state = try state(notifications: false)
    let first = try question(state.take(Self.touch))
    #expect(first.kind == .message && first.ok == "Cancel")
    #expect(first.description == "mail wants your finger\nread the post\nTouch the fingerprint reader")
    let second = try question(state.take(Self.miss))
    #expect(second.kind == .confirmation && second.ok == "Enter Passcode" && second.cancel == "Cancel")
    #expect(state.take(.answered(.confirmed)) == [.send(.fallback)])

    var other = try self.state(notifications: false)
    _ = other.take(Self.touch)
    #expect(other.take(.answered(.confirmed)) == [.send(.cancel), .end(.handedBack)])
  }

  @Test func `without either of them there is nobody to ask`() throws {
    var state = try state(notifications: false)
    _ = state.take(Self.touch)
    #expect(state.take(.answered(.unavailable)) == [.end(.nobodyToAsk)])
  }

  @Test func `a server that goes away leaves the finger to pinentry`() throws {
    var state = try state()
    _ = state.take(Self.touch)
    #expect(try question(state.take(.notifications(areThere: false))).kind == .message)
  }

  // MARK: Consent

  @Test func `consent is asked for with both names, with the finger and with the passcode`() throws {
    var state = try state()
    #expect(state.take(.show(.consent, value: 0, detail: Array("mutt\nbank".utf8))) == [])
    guard case .notify(let card)? = state.take(Self.touch).first else { throw Unasked() }
    let words = card.lines[1]
    #expect(words.contains("mutt") && words.contains("bank"))
    #expect(try question(state.take(.passcodeWanted(.consent))).description.contains(words))
  }

  // MARK: Others' words

  @Test func `what a program calls itself and says is one harmless, short line`() throws {
    let arguments = try PromptArguments(parsing: [
      "--application", "evil\n\u{1B}[2J\u{202E}" + String(repeating: "x", count: 100), "--reason", " a \t b\n\nc\u{7}",
      "--fallback-title", "", "--cancel-title", String(repeating: "y", count: 99),
    ])
    #expect(arguments.application.hasPrefix("evil \u{FFFD}[2J\u{FFFD}xxx") && arguments.application.count == 64)
    #expect(arguments.reason == "a b c\u{FFFD}")
    #expect(arguments.fallbackTitle == "Enter Passcode" && arguments.cancelTitle.count == 32)
  }

  @Test func `markup of others is text, where the server takes markup`() {
    let card = Card(summary: "", lines: ["<img src='x'/> & \"more\""], cancel: "", passcode: nil)
    #expect(card.body(isMarkup: true) == "&lt;img src=&apos;x&apos;/&gt; &amp; &quot;more&quot;")
    #expect(card.body(isMarkup: false) == "<img src='x'/> & \"more\"")
  }

  @Test(arguments: [["--reason"], ["--unknown", "x"], ["word"]])
  func `a bad command line is refused`(words: [String]) {
    #expect(throws: PromptArguments.Refusal.self) { try PromptArguments(parsing: words) }
  }
}
