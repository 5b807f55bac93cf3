/// Where the device key is, under which fingers and vaults are sealed. The numbers are for the wire and never change.
public enum KeyHome: UInt8, CaseIterable, Sendable {
  /// There is none yet.
  case none = 0
  case file
  case tpm
  /// The TPM has it and does not open it.
  case locked
  /// A passcode brought it back, and the TPM does not have it.
  case memory
  /// As `tpm`, but the TPM lets no counter be made, so that an older copy of the disk does not show.
  case tpmUncounted

  /// Whether nothing keeps it from being as safe as this machine can have it.
  public var isInOrder: Bool { self == .none || self == .file || self == .tpm }
}
