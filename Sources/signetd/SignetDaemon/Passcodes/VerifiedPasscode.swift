import DaemonService
import SignetMemory

/// A passcode that the PAM stack said yes to. Opening the vault uses it up; until then it is the one place where it lies.
package struct VerifiedPasscode: ~Copyable, Sendable {
  /// Whose it is.
  package let user: User
  package let bytes: SecretBytes

  /// Only the check may say so.
  package init(checked passcode: consuming TypedPasscode, of user: User) {
    self.user = user
    bytes = passcode.bytes
  }
}
