/// How a TPM is reached: a TCTI as in tss2-tctildr(3), its name, a colon and what it is given.
public enum TPMTransport {
  /// The kernel's own, through which several programs may talk to the TPM.
  public static let kernels = prefix + "/dev/tpmrm0"

  private static let prefix = "device:"

  /// The path of the node; `nil` where the transport is no device of the kernel's.
  public static func node(of transport: String) -> String? {
    // Bytes: to compare texts takes the tables of Unicode, which signet-tpm does without.
    guard transport.utf8.starts(with: prefix.utf8) else { return nil }
    return String(Substring(transport.utf8.dropFirst(prefix.utf8.count)))
  }
}
