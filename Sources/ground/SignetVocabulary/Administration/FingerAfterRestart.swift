/// Whether the first finger after a restart opens the vault (`finger_after_restart` in signet.conf(5)), or why the passcode has to.
/// The numbers are for the wire and never change.
public enum FingerAfterRestart: UInt8, CaseIterable, Error, Sendable {
  /// signet.conf does not ask for it.
  case off = 0
  /// A finger opens it.
  case ready
  /// The next passcode makes it so.
  case unwritten
  /// The slot does not open: it was altered, or is another user's or machine's.
  case damaged
  /// The slot is of another passcode or other fingers: an older copy.
  case outdated
  /// The device key is not the TPM's alone.
  case withoutTPM
  /// The TPM's counter does not vouch for the user's state.
  case unpinned
  /// signet.conf asks for the passcode after some time, which no clock tells across a restart.
  case timed
}
