import SignetVocabulary
import SignetWire
import Testing

@testable import SignetClient

/// What may happen to an exchange, in any order.
private enum Event: CaseIterable {
  case heartbeat, touch, wanted, byFinger, byPasscode, failure, done, refused, row, nonsense
  case crowded
  case key, typed, cancel, broken, silence

  var reply: Reply? {
    switch self {
    case .heartbeat: .heartbeat
    case .touch: .touch
    case .wanted: .wanted
    case .byFinger: .byFinger
    case .byPasscode: .byPasscode
    case .failure: .failure
    case .done: .done
    case .refused: .refused
    case .row: .row
    case .nonsense: .nonsense
    case .crowded: .crowded
    case .key, .typed, .cancel, .broken, .silence: nil
    }
  }
}

/// An exchange and what it has said so far.
private struct Story {
  var exchange: Exchange
  var now: Int64 = 0
  var sent: [RequestKind] = []
  var questions = 0
  /// signetd has decided, or the exchange has failed or was cancelled.
  var isOver = false
  var wasDecided = false
  /// signetd has answered.
  var hasBegun = false

  init(_ terms: Exchange.Terms) { exchange = Exchange(terms, at: 0) }

  /// Lets it happen; an action, or the error that it ended with.
  mutating func tell(_ event: Event) -> Result<Exchange.Action, ClientError> {
    now += 10
    do throws(ClientError) {
      if let reply = event.reply { return .success(try exchange.received(reply, at: now)) }
      switch event {
      case .key: return .success(exchange.keyPressed(at: now))
      case .typed: return .success(try exchange.passcodeTyped(at: now))
      case .cancel: return .success(exchange.cancelled(at: now))
      case .broken: throw exchange.fail(.closed(0))
      default:
        now += 10_000
        if exchange.asksAgain(at: now) { return .success(.wait) }
        try exchange.nothingCame(at: now)
        return .success(.wait)
      }
    } catch { return .failure(error) }
  }
}

/// Every order of events up to a length, and what holds in each.
@Suite struct OrderTests {
  @Test func `in no order does a login succeed but by a packet that says so, or send anything twice or too late`() {
    #expect(walk(Story(.login), passcodes: 1, depth: 5) > 700_000)
  }

  @Test func `nor does a verification`() { #expect(walk(Story(.verification), passcodes: 0, depth: 4) > 50_000) }

  @Test func `nor does a command`() { #expect(walk(Story(.command), passcodes: 2, depth: 5) > 700_000) }

  /// Follows every order from here; how many ends there are.
  private func walk(_ story: Story, passcodes: Int, depth: Int) -> Int {
    if depth == 0 { return 1 }
    var count = 0
    for event in Event.allCases {
      var (next, twin) = (story, story)
      let outcome = next.tell(event)
      guard outcome == twin.tell(event) else {
        Issue.record("\(event) has two outcomes")
        return count
      }
      check(outcome, of: event, after: story, &next, passcodes: passcodes)
      count += walk(next, passcodes: passcodes, depth: depth - 1)
    }
    return count
  }

  private func check(
    _ outcome: Result<Exchange.Action, ClientError>, of event: Event, after story: Story, _ next: inout Story, passcodes: Int
  ) {
    switch outcome {
    case .failure: next.isOver = true
    default: if event.reply != nil, event != .crowded { next.hasBegun = true }
    }
    switch outcome {
    case .failure: break
    case .success(.wait), .success(.heartbeat): break
    case .success(.pause):
      require(event == .crowded && !story.isOver, "pauses though nobody is busy")
      require(!story.hasBegun, "asks twice for what was begun")
    case .success(.show): require(!story.isOver && event == .touch, "shows what did not come")
    case .success(.send(let kind)):
      next.sent.append(kind)
      require(!story.isOver || kind == .cancel, "sends \(kind) after the end")
      require(!story.wasDecided, "sends \(kind) after the verdict")
      require(kind == .passcode || !story.sent.contains(kind), "sends \(kind) twice")
      require(next.sent.filter { $0 == .passcode }.count <= story.questions, "sends a passcode that was not asked for")
      if kind == .cancel { next.isOver = true }
    case .success(.deliver(let message)):
      require(!story.isOver, "\(message) after the end")
      check(message, of: event, after: story, &next, passcodes: passcodes)
    }
  }

  private func check(
    _ message: Exchange.Message, of event: Event, after story: Story, _ next: inout Story, passcodes: Int
  ) {
    switch message {
    case .passcodeWanted:
      next.questions += 1
      require(event == .wanted && next.questions <= passcodes, "asks too often")
    case .typed, .evaluated: require(false, "only a descriptor tells that, or a context")
    case .verdict(.success, let method):
      require(event == (method == .fingerprint ? .byFinger : .byPasscode), "a success by \(event)")
      require((method == .passcode) == story.sent.contains(.passcode), "a success by what was not asked for last")
      (next.isOver, next.wasDecided) = (true, true)
    case .verdict:
      require(event == .failure, "a failure by \(event)")
      (next.isOver, next.wasDecided) = (true, true)
    case .reply(let kind):
      require(kind == [.done: .done, .refused: .refused, .row: .row][event], "\(kind) by \(event)")
      if kind != .row { (next.isOver, next.wasDecided) = (true, true) }
    }
  }

  /// As `#expect`, at a price that a million orders can pay.
  private func require(_ condition: Bool, _ failure: @autoclosure () -> String) {
    if !condition { Issue.record("\(failure())") }
  }
}
