import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetClient

/// Scripts of packets and moments. Times begin at 1,000.
@Suite struct ExchangeTests {
  private var login = Exchange(.login, at: 1_000)
  private var command = Exchange(.command, at: 1_000)

  // MARK: signetd is starting

  @Test mutating func `a start is no silence, for twenty seconds`() throws {
    for moment in stride(from: Int64(2_000), to: 21_000, by: 500) {
      login.starting(at: moment)
      try login.nothingCame(at: moment + 499)
    }
    login.starting(at: 21_000)
    #expect(throws: ClientError.silent) { try login.nothingCame(at: 22_000) }
  }

  @Test mutating func `a signetd that has come to the end of its start has its whole time`() throws {
    login.starting(at: 2_000)
    // It may have begun to run a moment ago.
    try login.nothingCame(at: 2_900)
    try login.nothingCame(at: 3_799)
    #expect(throws: ClientError.silent) { try login.nothingCame(at: 3_800) }
  }

  @Test mutating func `once signetd has spoken, nothing is a start`() throws {
    _ = try login.received(.heartbeat, at: 1_100)
    login.starting(at: 1_900)
    #expect(throws: ClientError.silent) { try login.nothingCame(at: 2_100) }
  }

  @Test mutating func `a start before signetd spoke gives it no more time after`() throws {
    login.starting(at: 1_900)
    _ = try login.received(.heartbeat, at: 2_000)
    #expect(throws: ClientError.silent) { try login.nothingCame(at: 3_000) }
  }

  // MARK: What comes

  @Test mutating func `a login by finger is shown and then decided`() throws {
    #expect(try login.received(.heartbeat, at: 1_100) == .heartbeat)
    #expect(try login.received(.touch, at: 1_200) == .show(.touchReader, value: 0, detail: 0))
    #expect(try login.received(.heldReader, at: 1_200) == .show(.readerBusy, value: 0, detail: 5))
    #expect(try login.received(.byFinger, at: 1_300) == .deliver(.verdict(.success, .fingerprint)))
  }

  @Test mutating func `who wants the finger before the passcode may be asked for the passcode once more`() throws {
    #expect(login.fingerWanted(at: 1_100) == .wait)
    #expect(try login.received(.wanted, at: 1_200) == .deliver(.passcodeWanted(.userFallback)))
    #expect(login.fingerWanted(at: 1_300) == .send(.fallback))
    #expect(try login.received(.touch, at: 1_400) == .show(.touchReader, value: 0, detail: 0))
    #expect(try login.received(.wanted, at: 1_500) == .deliver(.passcodeWanted(.userFallback)))
    #expect(try login.passcodeTyped(at: 1_600) == .send(.passcode))
    #expect(throws: ClientError.malformed) { try login.received(.wanted, at: 1_700) }
  }

  @Test mutating func `who goes on listening is asked for the finger beside the passcode, and either is taken`() throws {
    #expect(login.following() == .wait)
    _ = try login.received(.wanted, at: 1_000)
    #expect(login.following() == .send(.follow))
    #expect(login.following() == .wait)
    #expect(try login.received(.touch, at: 90_000) == .show(.touchReader, value: 0, detail: 0))
    #expect(login.isAsking)
    var (byFinger, crossed) = (login, login)
    #expect(try byFinger.received(.byFinger, at: 90_100) == .deliver(.verdict(.success, .fingerprint)))
    #expect(try crossed.passcodeTyped(at: 90_100) == .send(.passcode))
    #expect(try crossed.received(.byFinger, at: 90_200) == .deliver(.verdict(.success, .fingerprint)))
    #expect(try login.passcodeTyped(at: 90_100) == .send(.passcode))
    #expect(try login.received(.byPasscode, at: 90_200) == .deliver(.verdict(.success, .passcode)))
  }

  @Test mutating func `no success comes while the passcode is asked for and no finger was`() throws {
    _ = try login.received(.wanted, at: 1_000)
    var deaf = login
    #expect(throws: ClientError.malformed) { try deaf.received(.touch, at: 1_100) }
    _ = login.following()
    var hasted = login
    #expect(throws: ClientError.malformed) { try hasted.received(.byFinger, at: 1_100) }
    #expect(throws: ClientError.malformed) { try login.received(.byPasscode, at: 1_100) }
  }

  @Test mutating func `a login by passcode is asked, answered and then decided`() throws {
    #expect(login.keyPressed(at: 1_100) == .send(.fallback))
    #expect(try login.received(.wanted, at: 1_200) == .deliver(.passcodeWanted(.userFallback)))
    #expect(login.isAsking)
    #expect(try login.passcodeTyped(at: 9_000) == .send(.passcode))
    #expect(!login.isAsking)
    #expect(try login.received(.byPasscode, at: 9_100) == .deliver(.verdict(.success, .passcode)))
  }

  @Test mutating func `a failure is a verdict, before and after the passcode and while it is asked for`() throws {
    var (asking, answered) = (login, login)
    _ = try asking.received(.wanted, at: 1_000)
    _ = try answered.received(.wanted, at: 1_000)
    _ = try answered.passcodeTyped(at: 1_000)
    for var exchange in [login, asking, answered] {
      #expect(try exchange.received(.failure, at: 1_000) == .deliver(.verdict(.authenticationFailed, .none)))
    }
  }

  @Test mutating func `what proved a success must be what was asked for last`() throws {
    var (asking, answered) = (login, login)
    _ = try asking.received(.wanted, at: 1_000)
    _ = try answered.received(.wanted, at: 1_000)
    _ = try answered.passcodeTyped(at: 1_000)
    #expect(throws: ClientError.malformed) { try login.received(.byPasscode, at: 1_000) }
    #expect(throws: ClientError.malformed) { try asking.received(.byFinger, at: 1_000) }
    #expect(throws: ClientError.malformed) { try answered.received(.byFinger, at: 1_000) }
  }

  @Test mutating func `a command is answered by rows and done`() throws {
    #expect(try command.received(.row, at: 1_000) == .deliver(.reply(.row)))
    #expect(try command.received(.done, at: 1_000) == .deliver(.reply(.done)))
    #expect(try command.received(.row, at: 1_000) == .wait)
  }

  @Test mutating func `signetd may refuse while the passcode is asked for, and do nothing else`() throws {
    _ = try command.received(.wanted, at: 1_000)
    for reply in [Reply.done, .row, .wanted, .touch, .byFinger] {
      var exchange = command
      #expect(throws: ClientError.malformed) { try exchange.received(reply, at: 1_000) }
    }
    #expect(try command.received(.refused, at: 1_000) == .deliver(.reply(.refused)))
  }

  @Test(arguments: [Reply.done, .refused, .row, .nonsense, Reply([1]), Reply([2, 64]), Reply(Packet.heartbeat + [0])])
  func `what belongs to other requests is no answer to a login`(reply: Reply) {
    var exchange = Exchange(.login, at: 0)
    #expect(throws: ClientError.malformed) { try exchange.received(reply, at: 0) }
  }

  @Test(arguments: [Reply.byFinger, .byPasscode, .failure, .nonsense, Reply(Packet.done + [0])])
  func `a verdict is no answer to a command`(reply: Reply) {
    var exchange = Exchange(.command, at: 0)
    #expect(throws: ClientError.malformed) { try exchange.received(reply, at: 0) }
  }

  @Test func `the passcode is asked for no more often than the program allows`() throws {
    for (terms, count) in [(Exchange.Terms.verification, 0), (.login, 1), (.command, 2)] {
      var exchange = Exchange(terms, at: 0)
      for _ in 0..<count {
        _ = try exchange.received(.wanted, at: 0)
        _ = try exchange.passcodeTyped(at: 0)
      }
      #expect(throws: ClientError.malformed) { try exchange.received(.wanted, at: 0) }
    }
  }

  // MARK: Time

  @Test mutating func `signetd may be silent for so long, and anything it says begins that anew`() throws {
    #expect(try login.wait(at: 1_000) == 900)
    #expect(try login.wait(at: 1_600) == 300)
    try login.nothingCame(at: 1_899)
    _ = try login.received(.heartbeat, at: 1_899)
    #expect(try login.wait(at: 1_900) == 899)
    try login.nothingCame(at: 2_798)
    #expect(throws: ClientError.silent) { try login.nothingCame(at: 2_799) }
  }

  @Test mutating func `whoever talks for ever is given up at the limit`() throws {
    for now in stride(from: Int64(1_000), to: 33_000, by: 500) { _ = try login.received(.heartbeat, at: now) }
    #expect(try login.wait(at: 32_999) == 1)
    #expect(throws: ClientError.overdue) { try login.wait(at: 33_000) }
  }

  @Test mutating func `the user may take any time to type, and checking the passcode has a limit of its own`() throws {
    _ = try login.received(.wanted, at: 1_500)
    #expect(try login.wait(at: 1_000_000) == -1)
    try login.nothingCame(at: 1_000_000)
    _ = try login.passcodeTyped(at: 1_000_000)
    #expect(try login.wait(at: 1_000_000) == 900)
    for now in stride(from: Int64(1_000_000), to: 1_060_000, by: 500) { _ = try login.received(.heartbeat, at: now) }
    #expect(throws: ClientError.overdue) { try login.wait(at: 1_060_000) }
  }

  @Test mutating func `a program that was stopped gives signetd its whole time again`() throws {
    login.resumed(at: 20_000)
    #expect(try login.wait(at: 20_000) == 900)
    try login.nothingCame(at: 20_899)
  }

  @Test mutating func `a cancelled command ends with the connection, or when its time is up`() throws {
    var broken = command
    #expect(command.cancelled(at: 5_000) == .send(.cancel))
    #expect(try command.wait(at: 5_999) == 1)
    #expect(try command.received(.done, at: 5_999) == .wait)
    #expect(throws: ClientError.cancelled) { try command.wait(at: 6_000) }
    _ = broken.cancelled(at: 5_000)
    #expect(broken.fail(.closed(0)) == .closed(0))
    #expect(broken.cancelled(at: 5_000) == .wait)
  }

  @Test mutating func `a cancelled login is not waited for`() {
    #expect(login.cancelled(at: 1_000) == .send(.cancel))
    #expect(throws: ClientError.cancelled) { try login.wait(at: 1_000) }
  }

  // MARK: Keys

  @Test mutating func `the key asks for the passcode once, and keys are of no use then until there is a question`() throws {
    #expect(login.watchesKeys)
    #expect(login.keyPressed(at: 1_000) == .send(.fallback))
    #expect(!login.watchesKeys)
    #expect(login.keyPressed(at: 1_000) == .wait)
    _ = try login.received(.wanted, at: 1_000)
    #expect(login.watchesKeys)
    #expect(login.keyPressed(at: 1_000) == .wait)
  }
}
