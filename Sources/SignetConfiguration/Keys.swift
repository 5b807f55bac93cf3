import SignetAuthentication

extension Key {
  private static let minute: UInt64 = 60
  private static let day: UInt64 = 86_400

  /// Every key there is, in the order of signet.conf(5).
  public static let all: [Key] = [
    Key("strikes", .number(1...100), \.limits.strikes) {
      "misses in a row that lock a user's fingerprints, over all programs"
        + ($0 == LockoutLimits().strikes ? "" : " (Touch ID: \(LockoutLimits().strikes))")
    },
    Key("tries", .number(0...100), \.limits.missesPerEvaluation, service: \.tries) {
      $0 == 0 ? "no finger is asked for, only the passcode" : "misses in one attempt before the passcode is asked for"
    },
    Key("poor_scans", .number(1...100), \.limits.poorScansPerEvaluation, service: \.poorScans) { _ in
      "poor scans in one attempt before it fails and is charged as a miss"
    },
    Key("passcode_after_boot", .yesOrNo, \.rules.afterBoot) {
      $0 ? "the passcode is required once after the machine was started" : "a finger is enough after the machine was started"
    },
    Key("passcode_after_inactivity", .durationOrOff(minute...366 * day), \.rules.inactivity) {
      $0 == nil
        ? "a finger is enough however long nothing was unlocked" : "the passcode is required after so long without an unlock"
    },
    Key("passcode_after_age", .durationOrOff(minute...366 * day), \.rules.passcodeAge) {
      $0 == nil
        ? "a finger is enough however long ago the passcode was" : "the passcode is required so long after it was last used"
    },
    Key("passcode_after_age_unless_finger_within", .duration(0...366 * day), \.rules.fingerprintAge) {
      $0 == 0 ? "a recent finger does not put passcode_after_age off" : "a finger so recent puts passcode_after_age off"
    },
    Key("passcode_after_lock", .yesOrNo, \.rules.afterLock) {
      $0 ? "the passcode is required after `signet lock`" : "a finger is enough after `signet lock`"
    },
    Key("passcode_delays", .rising(1...day, atMost: 8), \.rules.delays) {
      $0.isEmpty
        ? "wrong passcodes are not slowed down by Signet"
        : "the waits after the fifth wrong passcode in a row and those that follow; the last is repeated"
    },
    Key("lock_with_session", .yesOrNo, \.locksWithSession) {
      $0 ? "locking the session does what `signet lock` does" : "locking the session leaves the finger to unlock it"
    },
    Key("passcode_service", .service, \.passcodeService) { _ in "the PAM service that checks passcodes" },
    Key("passcode_confdir", .directory, \.passcodeConfdir) {
      $0.isEmpty ? "the file of that service is where PAM's files are" : "where the file of that service is"
    },
    Key("reader_user", .user, \.readerUser) { _ in "whom signet-reader runs as" },
    Key("virtual_reader", .virtualReader, all: \.virtualReaders) { _ in
      "for tests: whoever can write to this socket has every finger"
    },
  ]
}
