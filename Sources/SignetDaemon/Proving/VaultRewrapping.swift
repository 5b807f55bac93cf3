import DaemonPasscodes
import DaemonVaults
import SignetVocabulary

/// A vault gets a new passcode: the present one is checked by the PAM stack, and the one before has to open the vault. The two
/// are one guess, which the wrong one of them makes wrong.
extension PasscodeDialog {
  /// What came of it: nothing of the vault where the present passcode was not right, or the client did not wait.
  package struct Rewrapping {
    package var opening: Vault.Opening?
    /// Why the present passcode, or the guess as a whole, does not count.
    package var refused: Outcome?
  }

  /// How sure it is that the old passcode is known to who asks.
  package enum OldPasscode {
    /// It was asked for: whoever does not know it has guessed.
    case asked
    /// The module before has left it, or root has set the new one without it: then nobody has guessed.
    case left
  }

  /// `renewsLoginSecret`: whether a login secret that is released to logins becomes the new passcode.
  package func rewrap(
    to present: consuming TypedPasscode, from old: consuming TypedPasscode, _ kind: OldPasscode, renewsLoginSecret: Bool
  ) throws(Interruption) -> Rewrapping {
    let isGuess = kind == .asked || !old.isEmpty
    let right: RightPasscode
    switch try check(present) {
    case .refused(let outcome): return Rewrapping(refused: outcome)
    case .right(let checked): right = checked
    }
    let opening = right.opening
    let passcode = right.passcode
    let guess = right.guess
    let opened: Vault.Opened?
    do throws(Interruption) {
      opened = try attempt.client.wait(with: Passcodes(present: passcode, old: old)) { [vault = attempt.prover.vault] both in
        vault.change(to: both.present, from: both.old, opening, renewsLoginSecret: renewsLoginSecret)
      }
    } catch {
      recordLeave(guess.before)
      throw error
    }
    let isRight = !isGuess || isOldRight(opened)
    let refused = isRight ? (settle(guess) ? nil : Outcome.unavailable) : try settleWrong(guess, as: .wrong)
    if let opened, kind == .left { report(opened) }
    return Rewrapping(opening: opened?.opening, refused: refused)
  }

  /// A cancel tells nothing of the old passcode: it might have been a wrong guess.
  private func isOldRight(_ opened: Vault.Opened?) -> Bool { opened.map { $0.opening != .failed(.wrongPasscode) } ?? false }

  private struct Passcodes: ~Copyable, Sendable {
    let present: VerifiedPasscode
    let old: TypedPasscode
  }
}
