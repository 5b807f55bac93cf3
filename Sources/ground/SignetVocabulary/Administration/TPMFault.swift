/// Why a TPM does not open the device key. The numbers are for the wire and never change.
public enum TPMFault: UInt8, CaseIterable, Sendable {
  /// There is none, or it cannot be reached.
  case missing = 1
  /// Its library is not installed.
  case noLibrary
  /// The firmware, or what it starts, is not what it was when the key was sealed.
  case wrongPCR
  /// Its storage was cleared.
  case cleared
  /// It is another one.
  case replaced
  /// It refuses, with a code.
  case refused
  /// It did not answer in time.
  case silent
  /// The file was altered.
  case damaged
  /// The file is gone.
  case gone
}
