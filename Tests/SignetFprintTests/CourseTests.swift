import SignetBusProgram
import SignetVocabulary
import Testing

@testable import SignetFprint

/// What signetd says, in the interface's words.
@Suite struct CourseTests {
  @Test func `a touch is the only end that says something of a finger`() {
    for (verdict, word) in [(Verdict.success, StatusWord.match), (.authenticationFailed, .noMatch), (.biometryLockout, .noMatch)]
    {
      var course = VerifyCourse()
      #expect(course.shown(.touchReader, 0) == [.started])
      #expect(course.ended(verdict) == [.status(word, isDone: true)])
      #expect(course.isOver && course.ended(.success) == [])
    }
    for number in UInt8.min...UInt8.max where number != Verdict.success.rawValue {
      var course = VerifyCourse()
      _ = course.shown(.touchReader, 0)
      #expect(!course.ended(Verdict(rawValue: number)).contains(.status(.match, isDone: true)), "\(number)")
    }
  }

  @Test func `a miss ends it, whatever comes after`() {
    var course = VerifyCourse()
    _ = course.shown(.touchReader, 0)
    #expect(course.shown(.notRecognised, 2) == [.status(.noMatch, isDone: true)])
    #expect(course.isOver && course.ended(.success) == [] && course.shown(.scanAgain, 0) == [])
  }

  @Test func `a finger that lay there already is answered after the call is`() {
    var course = VerifyCourse()
    #expect(course.ended(.success) == [.started, .status(.match, isDone: true)])
  }

  @Test func `before it is started, the call says why it is not`() {
    let reasons: [(Prompt?, Verdict, BusError)] = [
      (.locked, .biometryLockout, .locked), (nil, .biometryNotEnrolled, .noFinger), (nil, .biometryNotAvailable, .notHere),
      (.readerBusy, .biometryNotAvailable, .busy),
    ]
    for (prompt, verdict, error) in reasons {
      var course = VerifyCourse()
      if let prompt { #expect(course.shown(prompt, 0) == []) }
      #expect(course.ended(verdict) == [.refused(error)] && course.isOver)
    }
  }

  @Test func `a reader that goes is disconnected, and a wait that is over begins again`() {
    var course = VerifyCourse()
    _ = course.shown(.touchReader, 0)
    _ = course.shown(.timedOut, 0)
    #expect(course.ended(.biometryNotAvailable) == [.again])
    #expect(course.shown(.touchReader, 0) == [])
    _ = course.shown(.readerUnavailable, 0)
    #expect(course.ended(.biometryNotAvailable) == [.status(.disconnected, isDone: true)])
  }

  @Test func `each user has a share, and gets it back`() {
    var shares = AskingShares()
    func take(_ uid: UInt32, at now: Int64) -> Bool { shares.take(uid, at: now) }
    for _ in 1...4 { #expect(take(1000, at: 0)) }
    #expect(!take(1000, at: 0) && take(1001, at: 0))
    shares.giveBack(1000)
    #expect(take(1000, at: 0))
    shares.giveBack(1001)
    for _ in 2...200 {
      #expect(take(1001, at: 0))
      shares.giveBack(1001)
    }
    #expect(!take(1001, at: 0) && take(1001, at: 1_000))
  }

  @Test func `the command line is whole or refused`() throws {
    let arguments = try BusArguments(
      parsing: ["--bus", "unix:path=/b", "--socket", "/s", "--idle-exit", "5"], bus: "", idleExit: 30)
    #expect(arguments.bus == "unix:path=/b" && arguments.socket == "/s" && arguments.idleExit == 5)
    for words in [["--bus"], ["--socket", ""], ["--idle-exit", "0"], ["--idle-exit", "x"], ["--other", "1"]] {
      #expect(throws: BusArguments.Refusal.self) { try BusArguments(parsing: words, bus: "", idleExit: 30) }
    }
  }
}
