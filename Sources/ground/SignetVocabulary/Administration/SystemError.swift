/// What the system did not do, or why a file of ours cannot be used. The sentence, with the way out, is SignetWords'
/// `FaultText`; `description` is for the log.
public indirect enum SystemError: Error, Hashable, Sendable {
  /// A call failed: which, about which file or thing, and its errno.
  case call(SystemCall, String, code: Int32)
  case notDirectory(String)
  case notRegularFile(String)
  /// It belongs to somebody whose files are not believed.
  case foreignOwner(String, uid: UInt32)
  case writableByOthers(String)

  // A user's strikes: until they are written anew, the fingerprints are locked.
  case strikesMissing(String)
  /// Torn or altered.
  case strikesTorn(String)
  /// Older than what was written last.
  case strikesOlder(String)
  case strikesUnreadable(SystemError)

  // A template.
  /// Written by another version of Signet.
  case templateVersion(String)
  /// Torn, altered, or another user's.
  case templateTorn(String)
  /// The file of another finger or reader.
  case templateMisplaced(String)
  /// It was enrolled under another name of the uid: see SignetWords' `FormerOwner`.
  case templateOfOther(String, uid: UInt32, owner: String)
  /// It does not open under the device key, which is the second file.
  case templateUnopened(String, key: String)

  // The device key: without it no enrolled finger and no vault can be used.
  case deviceKeyMissing(String)
  case deviceKeyDamaged(String)
  case deviceKeyUnreadable(SystemError)
  /// The TPM does not open it: the file, why, and the code that the TPM gave.
  case deviceKeySealed(String, TPMFault, code: UInt32)

  /// The state on disk is not that which the TPM's counter stands for, or nobody can know: the file, and why. Until the passcode
  /// the fingerprints are locked.
  case stateUnpinned(String, PinFault)

  /// The errno of a call that failed.
  public var code: Int32? {
    if case .call(_, _, let code) = self { code } else { nil }
  }
}

/// What the system was asked to do. The numbers are for the wire and never change.
public enum SystemCall: UInt8, CaseIterable, Sendable {
  case open = 1, read, write, create, rename, remove, sync, stat, lock, makeDirectory
  /// A program.
  case start
  /// A record, which does not fit its form.
  case encode
  /// A template or a key.
  case seal
  case makeKey
  case socket, bind, listen, changeMode, watchSignals, secretMemory
}
