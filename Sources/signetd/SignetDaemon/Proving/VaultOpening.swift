import DaemonPasscodes
import DaemonService
import DaemonVaults
import SignetVocabulary

/// Besides the verdict, a verified passcode opens the vault.
extension PasscodeDialog {
  /// Opens the vault in this thread: for after the verdict, when nobody waits for scrypt.
  func openVault(_ passcode: consuming VerifiedPasscode, _ opening: PendingOpening, keepsLoginSecret: Bool) {
    let vault = attempt.prover.vault
    report(vault.open(passcode, opening, creates: hasFingers, keepsLoginSecret: keepsLoginSecret))
  }

  /// The same while the client waits, for what needs the vault next. False where the client cancelled.
  func openVaultFirst(
    _ passcode: consuming VerifiedPasscode, _ opening: PendingOpening, creates: Bool
  ) throws(Interruption) -> Bool {
    let creates = creates || hasFingers
    let opened = try attempt.client.wait(with: passcode) { [vault = attempt.prover.vault] passcode in
      vault.open(passcode, opening, creates: creates, keepsLoginSecret: false)
    }
    if let opened { report(opened) }
    return opened != nil
  }

  /// Asks for the passcode, and opens the vault with it. `nil` where both were done, else why not.
  package func proveAndOpen(_ reason: PasscodeReason, createsVault: Bool) throws(Interruption) -> Outcome? {
    switch try prove(reason) {
    case .refused(let outcome): return outcome
    case .right(let right):
      let opening = right.opening
      let passcode = right.passcode
      guard settle(right.guess) else { return .unavailable }
      return try openVaultFirst(passcode, opening, creates: createsVault) ? nil : .cancelled
    }
  }

  func report(_ opened: Vault.Opened) {
    let fields = [(name: "user", value: attempt.user.name)]
    switch opened.opening {
    case .none: break
    case .opened: Log.write(.info, "vault opened", fields)
    case .created: Log.write(.info, "vault made", fields)
    case .rewrapped: attempt.record(.vaultRewrapped)
    case .overtaken: Log.write(.notice, "vault closed: it was locked while it was opened", fields)
    case .failed(let error):
      attempt.record(.vaultUnopened(error.cause))
      Log.write(.error, "the vault stays closed: \(error.description)", fields)
    }
    if opened.hasStoredLoginSecret { attempt.record(.loginSecretStored) }
  }
}
