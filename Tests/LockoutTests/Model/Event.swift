import SignetTestKit

/// What can happen to a user and their machine, as attackers, accidents and users bring it about.
enum Event: Equatable, CaseIterable {
  /// A login arms the reader, where it may.
  case begin
  case touchRight, touchWrong, touchPoor
  /// Verdicts of a scan that is over.
  case lateMatch, lateMiss
  case cancel
  /// The same on a reader that tells of no finger.
  case cancelUnseen
  /// The reader is pulled, or dies, while it is armed.
  case loseReader
  /// kill -9 of signetd, or a power cut that the machine's clocks survive.
  case kill
  case reboot
  case sleepAnHour, sleepTwoDays
  case setClockBack, setClockForward
  /// A virtual machine's memory is put back to an hour ago; its disk is not.
  case restoreMemory
  case passcodeRight, passcodeWrong
  /// The check is killed before its answer.
  case passcodeKilled
  /// The same from elsewhere: at the login screen, over a network, by another user, by one more user each time, and by somebody
  /// whom nobody knows.
  case seatRight, seatWrong, remoteWrong, strangerRight, strangerWrong, strangerKilled, newStrangerWrong, unknownWrong
  case lock
  /// The record on disk is lost or torn.
  case tearRecord
  case reset
}

extension Event {
  /// How likely each event is. Events that clear strikes are rare, so that strikes add up.
  private static let urn: [Event] =
    allCases + [.begin, .begin, .begin, .begin, .begin, .begin, .touchWrong, .touchWrong, .touchWrong, .touchPoor]
    + [.touchPoor, .cancel, .cancelUnseen, .cancelUnseen, .kill, .loseReader, .passcodeWrong, .passcodeWrong, .touchRight]
    + [.strangerWrong, .strangerWrong, .newStrangerWrong, .newStrangerWrong, .newStrangerWrong, .seatWrong]

  static func random(_ count: Int, from generator: inout SeededGenerator) -> [Event] {
    (0..<count).map { _ in urn[Int(generator.next() % UInt64(urn.count))] }
  }
}
