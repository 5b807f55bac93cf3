// SignetPasskey is what a security key says and understands (CTAP 2.1, of the FIDO Alliance), without keys, people and I/O: CBOR, the
// packets of CTAPHID, requests and answers. What it is told comes from whichever program opened the device: nothing of it is believed.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for signet-passkey.
#if !hasFeature(Embedded)
  import SignetBytes
#endif

/// How a command ends (CTAP 2.1, section 8.2).
public enum Status: UInt8, Error, Sendable {
  case success = 0x00
  case invalidCommand = 0x01
  case invalidParameter = 0x02
  case invalidLength = 0x03
  case unexpectedType = 0x11
  case invalidCBOR = 0x12
  case missingParameter = 0x14
  case limitExceeded = 0x15
  case credentialExcluded = 0x19
  case unsupportedAlgorithm = 0x26
  case operationDenied = 0x27
  case keyStoreFull = 0x28
  case unsupportedOption = 0x2B
  case invalidOption = 0x2C
  case keepaliveCancel = 0x2D
  case noCredentials = 0x2E
  case userActionTimeout = 0x2F
  case notAllowed = 0x30
  case pinInvalid = 0x31
  case pinAuthInvalid = 0x33
  case authorizationRequired = 0x36
  case uvBlocked = 0x3C
  case invalidSubcommand = 0x3E
  case uvInvalid = 0x3F
  case unauthorizedPermission = 0x40
  case other = 0x7F
}

/// The device, as it is told to everybody who asks.
public enum Device {
  /// The longest message (CTAP 2.1, section 11.2.4): what a first packet and 128 more carry.
  public static let messageLimit = 7609
  /// The model's own number, the same on every machine: "Signet passkey 1" in ASCII.
  public static let model: [UInt8] = Array("Signet passkey 1".utf8)
  /// Bytes of a credential's name.
  public static let credentialLength = 32
  /// How many names a list of credentials may have.
  public static let listLimit = 64
}
