/// Why signetd refuses a request of the command line.
public enum Refusal: UInt8, Sendable {
  case permissionDenied = 1, unknownUser, notEnrolled, readerUnavailable, readerBusy, duplicateFinger, storageFull
  case passcodeFailed, passcodeNotSet, stateUnusable, cancelled, notFound, failed
  /// Too many wrong passcodes: none is looked at for a while.
  case passcodeDelayed
  /// There is such an item already.
  case duplicateItem
  /// No more items fit.
  case vaultFull
  /// The vault does not open: no passcode yet, another passcode, or its files are at fault.
  case vaultUnavailable
  /// The fingers changed, and nothing opens the item any more.
  case fingersChanged
}
