// SignetPinentry speaks Assuan, the line protocol of pinentry and gpg-agent (the manual of libassuan, "Client requests" and
// "Server responses"): reading and writing its lines, and running pinentry to ask the user for something. What pinentry says is
// foreign input, and so is what gpg-agent says.
#if !hasFeature(Embedded)
  import SignetMemory
#endif

/// Why a conversation in Assuan is over before its end.
public enum AssuanError: Error, Equatable, Sendable {
  /// The line is longer than the protocol allows, or there are more lines than anybody needs.
  case tooLong
  /// It is none of the protocol's lines, or an escape in it is none.
  case malformed
  /// The other side closed the pipe, or reading or writing failed.
  case ended
  /// No memory for a buffer.
  case exhausted
}

/// The bounds of what is accepted.
public enum AssuanLimit {
  /// The longest line without its end, in bytes: ASSUAN_LINELENGTH of libassuan, less CR and LF.
  public static let line = 1000
  /// The most bytes of all D lines of one answer, unescaped: room for every passphrase that gpg-agent takes (255 bytes) and every
  /// passcode (`FieldLimit.passcode`).
  public static let data = 2048
  /// The most lines before a command is answered; pinentry says a few status lines at most.
  public static let linesOfAnswer = 200
}

/// One line as it comes, byte by byte. It may have a passcode in it, so it is kept as one.
public struct AssuanLine: ~Copyable {
  private var bytes: SecretBytes
  private var isWhole = false

  public init() throws(AssuanError) {
    // One more for the CR that may stand before the LF.
    guard let bytes = SecretBytes(capacity: AssuanLimit.line + 1) else { throw .exhausted }
    self.bytes = bytes
  }

  /// Takes the next byte; true where it ends the line, which `span` has until the next byte comes.
  public mutating func take(_ byte: UInt8) throws(AssuanError) -> Bool {
    if isWhole { clear() }
    guard byte != 0 else { throw .malformed }
    if byte == UInt8(ascii: "\n") {
      guard span.count <= AssuanLimit.line else { throw .tooLong }
      isWhole = true
      return true
    }
    // A CR ends a line together with the LF, and stands nowhere else.
    guard !endsInReturn else { throw .malformed }
    guard bytes.append(byte) else { throw .tooLong }
    return false
  }

  /// Wipes it.
  public mutating func clear() {
    bytes.removeAll()
    isWhole = false
  }

  /// The line without its end.
  public var span: Span<UInt8> {
    @_lifetime(borrow self) get { bytes.span.extracting(first: endsInReturn ? bytes.count - 1 : bytes.count) }
  }

  private var endsInReturn: Bool { bytes.count > 0 && bytes.span[bytes.count - 1] == UInt8(ascii: "\r") }
}
