/// Where the key is that signs access tokens. The numbers are for the wire and never change.
public enum TokenKeyHome: UInt8, CaseIterable, Sendable {
  /// There is none yet, or nobody can tell.
  case none = 0
  /// In a file, under the device key.
  case file
  /// In the TPM, which does not give it away.
  case tpm
}
