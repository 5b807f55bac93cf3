import Testing

@testable import SignetReader

/// What is told about the finger, for every order in which drivers report it.
@Suite struct FingerWatchTests {
  private var watch = FingerWatch()

  @Test mutating func `armed is told once, when the reader needs a finger`() {
    #expect(begin() == [])
    #expect(watch.changed(to: .needed) == [.armed])
    #expect(watch.changed(to: []) == [])
    #expect(watch.changed(to: .needed) == [])
    #expect(watch.waitedLong() == [])
  }

  @Test mutating func `a finger that the call itself finds is told before the reader is armed`() {
    #expect(watch.callBegins([]) == [])
    #expect(watch.changed(to: .needed) == [])
    #expect(watch.changed(to: [.needed, .present]) == [.finger])
    #expect(watch.callRuns() == [.armed])
  }

  @Test mutating func `a finger that lies there already is told when the call begins`() {
    #expect(watch.callBegins(.present) == [.finger])
    #expect(watch.callRuns() == [])
    #expect(watch.changed(to: [.needed, .present]) == [.armed])
  }

  @Test mutating func `a driver that says nothing is armed after a while`() {
    #expect(begin() == [])
    #expect(watch.waitedLong() == [.armed])
    #expect(watch.waitedLong() == [])
  }

  @Test mutating func `an enrolling is armed at its first stage at the latest`() {
    #expect(begin() == [])
    #expect(watch.scanned() == [.armed])
    #expect(watch.waitedLong() == [] && watch.scanned() == [])
  }

  @Test mutating func `each touch is told once`() {
    #expect(begin(.needed) == [.armed])
    #expect(watch.changed(to: [.needed, .present]) == [.finger])
    #expect(watch.changed(to: .present) == [])
    #expect(watch.changed(to: [.needed, .present]) == [])
    #expect(watch.changed(to: .needed) == [.fingerOff])
    #expect(watch.changed(to: [.needed, .present]) == [.finger])
  }

  @Test mutating func `a finger that is gone while the call goes on was lifted`() {
    #expect(begin(.present) == [.finger])
    #expect(watch.changed(to: []) == [])
    #expect(watch.isOffDoubtful)
    #expect(watch.loopWentOn() == [.fingerOff])
    #expect(watch.loopWentOn() == [])
    #expect(watch.callEnded(waitsForLift: true) == [])
  }

  @Test mutating func `the end of a call does not lift the finger`() {
    #expect(begin(.present) == [.finger])
    #expect(watch.changed(to: []) == [])
    #expect(watch.callEnded(waitsForLift: false) == [])
    #expect(watch.loopWentOn() == [])
  }

  @Test mutating func `a call that waits for the lift ends with it`() {
    #expect(begin(.present) == [.finger])
    #expect(watch.changed(to: []) == [])
    #expect(watch.callEnded(waitsForLift: true) == [.fingerOff])
    #expect(watch.loopWentOn() == [])
  }

  @Test mutating func `a driver that asks for the next touch has not seen the finger lifted`() {
    #expect(begin(.needed) == [.armed])
    #expect(watch.changed(to: .present) == [.finger])
    #expect(watch.changed(to: .needed) == [])
    #expect(watch.loopWentOn() == [])
    #expect(watch.changed(to: .present) == [.finger])
  }

  @Test mutating func `a finger that is back before the loop went on is a touch of its own, and the lift is not told`() {
    #expect(begin(.present) == [.finger])
    #expect(watch.changed(to: []) == [])
    #expect(watch.changed(to: .present) == [.finger])
    #expect(watch.loopWentOn() == [])
  }

  @Test mutating func `the second call of an operation asks for no finger again`() {
    #expect(begin(.needed) == [.armed])
    #expect(watch.callEnded(waitsForLift: false) == [])
    #expect(begin(.needed) == [])
  }

  /// A call that begins and runs with this status.
  private mutating func begin(_ status: FingerStatus = []) -> [FingerWatch.Word] {
    watch.callBegins(status) + watch.callRuns()
  }
}
