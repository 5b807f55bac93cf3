import Glibc
import SignetAuthentication
import SignetTestKit
import Testing

@testable import DaemonPasscodes

/// Who waits for whom while a passcode is checked.
@Suite struct PasscodeTurnTests {
  private let checker = PasscodeChecker(path: "/nonexistent", service: "signet-passcode", confdir: "")

  private func isFree(_ uid: UInt32, _ lane: PasscodeSource.Lane) -> Bool {
    switch checker.turn(of: uid, in: lane) {
    case .some: true
    case .none: false
    }
  }

  @Test(arguments: PasscodeSource.Lane.allCases) func `a check holds up its own lane of its user, and nobody else`(
    lane: PasscodeSource.Lane
  ) throws {
    guard let turn = checker.turn(of: 1000, in: lane) else { throw TestKitError("nobody has the turn") }
    for other in PasscodeSource.Lane.allCases {
      #expect(isFree(1000, other) == (other != lane))
      #expect(isFree(1001, other))
    }
    _ = consume turn
    #expect(isFree(1000, lane))
  }

  @Test func `the end of a check wakes who waits for the turn`() throws {
    guard let turn = checker.turn(of: 1000, in: .allCases[0]) else { throw TestKitError("nobody has the turn") }
    let waiter = checker.turns.join()
    var watched = pollfd(fd: waiter.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&watched, 1, 0) == 0)
    _ = consume turn
    #expect(poll(&watched, 1, 0) == 1)
  }
}
