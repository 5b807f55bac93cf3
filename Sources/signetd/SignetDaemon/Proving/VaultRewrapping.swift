import DaemonPasscodes
import DaemonVaults
import SignetVocabulary

/// Gives a vault a new passcode. The PAM stack checks the present passcode, and the one before has to open the vault. Both
/// together count as one guess: if either is wrong, the guess is wrong.
extension PasscodeDialog {
  /// The outcome. `opening` is `nil` where the present passcode was wrong, or the client did not wait.
  package struct Rewrapping {
    package var opening: Vault.Opening?
    /// Why the present passcode, or the guess as a whole, does not count.
    package var refused: Outcome?
  }

  /// Where the old passcode comes from, and so whether a wrong one is a guess.
  package enum OldPasscode {
    /// The user was asked for it. A wrong one is a guess.
    case asked
    /// The PAM module before ours passed it on. It is empty where root set the new passcode, and then nobody has guessed.
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
      recordLeave(guess)
      throw error
    }
    let isRight = !isGuess || isOldRight(opened)
    let refused = isRight ? (settle(guess) ? nil : Outcome.unavailable) : try settleWrong(guess, as: .wrong)
    if let opened, kind == .left { report(opened) }
    return Rewrapping(opening: opened?.opening, refused: refused)
  }

  /// False also where the client cancelled: the old passcode may have been a wrong guess.
  private func isOldRight(_ opened: Vault.Opened?) -> Bool { opened.map { $0.opening != .failed(.wrongPasscode) } ?? false }

  private struct Passcodes: ~Copyable, Sendable {
    let present: VerifiedPasscode
    let old: TypedPasscode
  }
}
