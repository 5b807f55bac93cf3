import SignetAuthentication
import SignetLanguage

extension Key {
  private static let minute: UInt64 = 60
  private static let day: UInt64 = 86_400

  /// Every key there is, in the order of signet.conf(5).
  public static let all: [Key] = [
    Key("strikes", .number(1...100), \.limits.strikes) {
      say(
        $0, one: "\($0) miss in a row, over all programs, lock a user's fingerprints",
        other: "\($0) misses in a row, over all programs, lock a user's fingerprints")
    },
    Key("tries", .number(0...100), \.limits.missesPerEvaluation, service: \.tries) {
      $0 == 0
        ? say("no finger is asked for, the passcode at once")
        : say(
          $0, one: "after \($0) miss in one attempt the passcode is asked for",
          other: "after \($0) misses in one attempt the passcode is asked for")
    },
    Key("poor_scans", .number(1...100), \.limits.poorScansPerEvaluation, service: \.poorScans) {
      say(
        $0, one: "\($0) poor scan end an attempt, and are charged as a miss",
        other: "\($0) poor scans end an attempt, and are charged as a miss")
    },
    Key(
      "allow", .choice(say("off, finger, finger_or_passcode or passcode")), \.allows, service: \.allows
    ) {
      switch $0 {
      case .off: say("Signet asks for nothing: a login goes on to the next module")
      case .finger: say("a finger proves who it is, and Signet takes no passcode")
      case .fingerOrPasscode: say("a finger or the passcode proves who it is")
      case .passcode: say("no finger is asked for")
      }
    },
    Key("prompt", .choice(say("either, finger_first or passcode_first")), \.prompt, service: \.prompt) {
      switch $0 {
      case .either:
        say(
          "one prompt takes a finger or the passcode where the terminal can be asked so; else the passcode is asked for, and where it is left empty, the finger"
        )
      case .fingerFirst: say("the finger is asked for, and then the passcode")
      case .passcodeFirst: say("the passcode is asked for, and where it is left empty, the finger")
      }
    },
    Key("finger_for", .choice(say("own or anyone")), \.fingerFor) {
      $0 == .own
        ? say("a finger is asked for where it can be the owner's only: their own login, local and in the foreground")
        : say("a finger is asked for whoever asks, from wherever: for a machine with one person")
    },
    Key("seat_services", .services, \.seatServices) {
      $0.isEmpty
        ? say("no service of the system asks for a finger") : say("services of the system that may ask for a finger at the seat")
    },
    Key("reader_seat", .seat, \.readerSeat) { _ in say("the seat of the fingerprint readers") },
    Key("readers", .readers, \.readers) {
      $0.isEmpty
        ? say("a finger is asked for on each reader that has one of the user's, on all of them at once")
        : say("a finger is asked for on these readers only")
    },
    Key("lid", .choice(say("auto, passcode or ignore")), \.lid) {
      switch $0 {
      case .auto: say("while the lid is closed, a reader that is known to be built in is not used")
      case .passcode: say("while the lid is closed, no finger is asked for")
      case .ignore: say("a closed lid changes nothing")
      }
    },
    Key("finger_timeout", .duration(1...3600), \.fingerTimeout, service: \.fingerTimeout) {
      say("a finger is waited for \(Duration.write($0)) at most, however long a program wants to wait")
    },
    Key("passcode_after_boot", .yesOrNo, \.rules.afterBoot) {
      $0
        ? say("the passcode is required once after a start of the machine")
        : say("a finger is enough after a start of the machine")
    },
    Key("passcode_after_inactivity", .durationOrOff(minute...366 * day), \.rules.inactivity) { seconds in
      seconds.map { say("the passcode is required after \(Duration.write($0)) without an unlock") }
        ?? say("a finger is enough however long nothing was unlocked")
    },
    Key("passcode_after_age", .durationOrOff(minute...366 * day), \.rules.passcodeAge) { seconds in
      seconds.map { say("the passcode is required \(Duration.write($0)) after it was last used") }
        ?? say("a finger is enough however long ago the passcode was used")
    },
    Key("passcode_after_age_unless_finger_within", .duration(0...366 * day), \.rules.fingerprintAge) {
      $0 == 0
        ? say("no finger puts passcode_after_age off")
        : say("a finger in the last \(Duration.write($0)) puts passcode_after_age off")
    },
    Key("passcode_after_lock", .yesOrNo, \.rules.afterLock) {
      $0 ? say("the passcode is required after `signet lock`") : say("a finger is enough after `signet lock`")
    },
    Key("passcode_delays", .rising(1...day, atMost: 8), \.rules.delays) { times in
      guard let last = times.last else { return say("Signet does not slow wrong passcodes down") }
      let free = PasscodeRules().freeAttempts
      return say("after \(free) wrong passcodes in a row: wait so long, then \(Duration.write(last)) after each further one")
    },
    Key("lock_with_session", .yesOrNo, \.locksWithSession) {
      $0 ? say("locking the session does what `signet lock` does") : say("a locked session opens for the finger")
    },
    Key("vault_close_with_session", .yesOrNo, \.vaultClosesWithSession) {
      $0
        ? say("a user's vault closes when their last session ends, until the passcode")
        : say("a user's vault stays open when their last session ends")
    },
    Key("vault_passcode_memory", .powerOfTwo(16...256), \.vaultPasscodeMemory) {
      say("a guess at the passcode of a vault takes \($0) MiB of memory, from the next passcode that is set")
    },
    Key("release_authtok", .yesOrNo, \.keepsLoginSecret) {
      $0
        ? say("a passcode typed at a service of authtok_services is kept as the login secret")
        : say("a user who wants a login secret stores it: `signet vault add --login-secret`")
    },
    Key("authtok_services", .loginServices, \.loginSecretServices) {
      $0.isEmpty ? say("no service gets the login secret") : say("a finger hands the login secret to these, as PAM_AUTHTOK")
    },
    Key("application_consent", .choice(say("keep, ask or off")), \.applicationConsent) {
      switch $0 {
      case .keep: say("a program that wants what another one stored needs your consent, once for each item")
      case .ask: say("a program that wants what another one stored needs your consent, each time")
      case .off: say("each of your programs may have what another one stored")
      }
    },
    Key("token", .yesOrNo, \.getsToken, service: \.getsToken) {
      $0
        ? say("a login gets a token for its session")
        : say("a login gets no token, and its session is none that Signet knows of")
    },
    Key("token_lifetime", .duration(minute...day), \.tokenLifetime) {
      say("the token of a session lives \(Duration.write($0)) at most")
    },
    Key("token_idle", .durationOrOff(minute...day), \.tokenIdle) { seconds in
      seconds.map { say("the token of a session ends after \(Duration.write($0)) without use") }
        ?? say("the token of a session lives on without use")
    },
    Key("tpm", .yesOrNo, \.usesTPM) {
      $0
        ? say("a TPM seals the key of fingers and vaults, where there is one")
        : say("the key of fingers and vaults is a file that root can read")
    },
    Key("tpm_pcrs", .registers, \.tpmPCRs) { pcrs in
      say("the TPM opens it while PCR \(pcrs.map(String.init).joined(separator: ", ")) has the value that it had")
    },
    Key("finger_after_restart", .yesOrNo, \.rules.fingerAfterRestart) {
      $0
        ? say(
          "the first finger after a start of the machine opens the vault, where the TPM alone has the key and no time asks for the passcode"
        )
        : say("after a start of the machine only the passcode opens the vault")
    },
    Key("passcode_service", .service, \.passcodeService) { _ in say("the PAM service that checks passcodes") },
    Key("passcode_confdir", .directory, \.passcodeConfdir) {
      $0.isEmpty ? say("the file of that service is where PAM's files are") : say("where the file of that service is")
    },
    Key("reader_user", .user, \.readerUser) { _ in say("the user that signet-reader runs as") },
    Key("virtual_reader", .virtualReader, all: \.virtualReaders) { _ in
      say("for tests: whoever can write to this socket has every finger")
    },
  ]
}
