// SignetVocabulary has the nouns that all parts of Signet share: verdicts, policies, reasons, prompts, fingers, items, events.
// Values only: no bytes, no files, no decisions. The files of this folder are compiled twice: normally, and in Embedded Swift
// inside the PAM module; its folders only normally.

/// The bounds of what is said and stored, in bytes. A field over its bound is refused, never cut.
public enum FieldLimit {
  /// The longest template. A virtual image reader's has about 12 KiB, a match-on-chip reader's below 1 KiB.
  public static var template: Int { 96 * 1024 }
  /// The longest user name: login.defs and useradd(8) allow 32, directory services more.
  public static var user: Int { 256 }
  /// The longest PAM service name, terminal name, finger or reader name.
  public static var name: Int { 128 }
  /// The longest remote host name, as `HOST_NAME_MAX` and DNS have it.
  public static var host: Int { 256 }
  /// The longest path of a program in an event; a longer one is shortened by who records it.
  public static var program: Int { 256 }
  /// The longest passcode: `PAM_MAX_RESP_SIZE` of pam_conv(3).
  public static var passcode: Int { 512 }
  /// The longest explanation of a reader's failure.
  public static var explanation: Int { 1024 }
  /// The longest path of a file in a refusal.
  public static var path: Int { 1024 }
  /// A session token: 256 bits.
  public static var token: Int { 32 }
  /// A session's identifier: 8 hexadecimal digits.
  public static var sessionIdentifier: Int { 8 }
  /// What stands for the fingers that are enrolled, where there are any.
  public static var domainState: Int { 32 }
  /// A refresh token: the number of its chain, and 256 bits.
  public static var refreshToken: Int { 40 }
  /// The longest name of a service for which an access token is, mostly a URL.
  public static var audience: Int { 512 }
  /// The longest access token.
  public static var accessToken: Int { 3840 }
  /// The thumbprint of a key: SHA-256.
  public static var thumbprint: Int { 32 }
  /// The longest key that signetd wrapped for a session's programs.
  public static var wrappedKey: Int { 128 }
}
