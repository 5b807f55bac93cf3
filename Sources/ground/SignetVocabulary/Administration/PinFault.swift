/// Why the state on disk does not count as the newest. The numbers are for the wire and never change.
public enum PinFault: UInt8, CaseIterable, Sendable {
  /// The TPM has counted on since: an older copy was put back.
  case older = 1
  /// The file that has the count is gone, or there was none yet.
  case missing
  /// It does not open.
  case damaged
  /// The TPM's counter is gone.
  case uncounted
  /// The TPM has counted less than the file says.
  case ahead
  /// This user's passcode was not entered since one of these was found.
  case unaccepted
  /// Other fingers are enrolled than those that were there last.
  case fingers
}
