#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// What signetd sends to signet-tpm, once.
public struct TPMRequest: ~Copyable, Sendable {
  public enum Kind: UInt8, CaseIterable, Sendable {
    /// To seal a device key for the values that the PCRs have now.
    case seal = 1
    /// To open what was sealed.
    case unseal = 2
    /// To read the counter, and to count.
    case count = 3
    /// To make a key that signs, and that never leaves the TPM.
    case makeSigningKey = 4
    /// To sign with such a key.
    case sign = 5
    /// To make a key that agrees with others' as well.
    case makeAgreeingKey = 6
    /// To tell what such a key and another's public one agree on.
    case agree = 7
  }

  /// What is to be done with the TPM's counter.
  public struct Count: Equatable, Sendable {
    /// Where the TPM keeps it.
    public var index: UInt32
    /// Up to which value to count.
    public var target: UInt64
    /// Whether to make it where it is not there.
    public var makes: Bool

    public init(index: UInt32, target: UInt64, makes: Bool) {
      self.index = index
      self.target = target
      self.makes = makes
    }
  }

  public let kind: Kind
  /// Bit n is PCR n; 0 where what was sealed says it.
  public let pcrs: UInt32
  /// For the counter only.
  public let count: Count?
  /// For `sign` the SHA-256 of what is to be signed, for `agree` the other's public key (x and y); otherwise empty.
  public let input: [UInt8]
  /// The key, what was sealed, the authorization value of the counter, or what the TPM made of the key that signs; otherwise empty.
  public let bytes: SecretBytes

  /// Bytes of a device key.
  public static var keyLength: Int { 32 }
  /// The longest that a sealed key may be.
  public static var sealedLimit: Int { 2048 }
  /// Bytes of what is signed.
  public static var digestLength: Int { 32 }
  /// The PCRs that a TPM has.
  public static var knownPCRs: UInt32 { 0xFF_FFFF }

  public init(sealing key: consuming SecretBytes, pcrs: UInt32) {
    (kind, self.pcrs, count, input) = (.seal, pcrs, nil, [])
    bytes = key
  }

  public init(unsealing sealed: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes.copy(of: sealed)
    (kind, pcrs, count, input) = (.unseal, 0, nil, [])
    bytes = copy
  }

  public init(counting count: Count, authorization: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes.copy(of: authorization)
    (kind, pcrs, self.count, input) = (.count, 0, count, [])
    bytes = copy
  }

  /// `agrees`: one that takes part in key exchanges, too.
  public init(makingSigningKey: Void, agrees: Bool = false) throws(FormatError) {
    let empty = try SecretBytes.copy(of: Span())
    (kind, pcrs, count, input) = (agrees ? .makeAgreeingKey : .makeSigningKey, 0, nil, [])
    bytes = empty
  }

  /// `key`: what the TPM made of the key.
  public init(signing digest: [UInt8], with key: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes.copy(of: key)
    (kind, pcrs, count, input) = (.sign, 0, nil, digest)
    bytes = copy
  }

  /// `key`: what the TPM made of the key.
  public init(agreeingOn point: [UInt8], with key: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes.copy(of: key)
    (kind, pcrs, count, input) = (.agree, 0, nil, point)
    bytes = copy
  }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    var form = Form(kind, bytes: Span())
    try form.pass(&fields)
    try fields.end()
    let copy = try SecretBytes.copy(of: form.bytes)
    (self.kind, pcrs, count, input) = (kind, form.pcrs, form.count, form.input)
    bytes = copy
  }

  public borrowing func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    var form = Form(kind, bytes: bytes.span)
    (form.pcrs, form.count, form.input) = (pcrs, count, input)
    try form.pass(&packet)
  }

  /// What follows the header, with bytes that are lent.
  private struct Form: FieldForm, ~Escapable {
    let kind: Kind
    var pcrs: UInt32 = 0
    var count: Count?
    var input: [UInt8] = []
    var bytes: Span<UInt8>

    @_lifetime(copy bytes)
    init(_ kind: Kind, bytes: Span<UInt8>) {
      self.kind = kind
      self.bytes = bytes
    }

    @_lifetime(self: copy self, copy fields)
    mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
      switch kind {
      case .seal:
        pcrs = try fields.passed(pcrs)
        guard pcrs > 0, pcrs & ~TPMRequest.knownPCRs == 0 else { throw .badValue }
        bytes = try fields.passed(bytes, count: TPMRequest.keyLength)
      case .unseal: bytes = try fields.passed(bytes, limit: TPMRequest.sealedLimit)
      case .count:
        count = Count(
          index: try fields.passed(count?.index ?? 0), target: try fields.passed(count?.target ?? 0),
          makes: try fields.passed(count?.makes ?? false))
        bytes = try fields.passed(bytes, count: TPMRequest.keyLength)
      case .makeSigningKey, .makeAgreeingKey: break
      case .sign, .agree:
        input = try fields.passed(input, count: kind == .sign ? TPMRequest.digestLength : TPMAnswer.pointLength)
        bytes = try fields.passed(bytes, limit: TPMRequest.sealedLimit)
      }
    }
  }
}

/// What signet-tpm answers, once.
public struct TPMAnswer: ~Copyable, Sendable {
  public enum Kind: UInt8, CaseIterable, Sendable {
    case sealed = 11
    case unsealed = 12
    case failed = 13
    case counted = 14
    case signingKey = 15
    case signed = 16
    case agreed = 17
  }

  public let kind: Kind
  /// What was sealed, the key, what the TPM made of a key that signs, a signature (r and s), or what was agreed on (x of a point); otherwise
  /// empty.
  public let bytes: SecretBytes
  /// The public half of a key that signs (x and y); otherwise empty.
  public let point: [UInt8]
  /// What the counter has; otherwise 0.
  public let value: UInt64
  /// Why not; `nil` after a success.
  public let fault: TPMFault?
  /// The code that the TPM or its library gave.
  public let code: UInt32

  /// Bytes of a public key, and of a signature.
  public static var pointLength: Int { 64 }
  public static var signatureLength: Int { 64 }
  /// Bytes of what two keys agree on.
  public static var sharedLength: Int { 32 }

  public init(_ kind: Kind, _ bytes: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes.copy(of: bytes)
    (self.kind, fault, code, value, point) = (kind, nil, 0, 0, [])
    self.bytes = copy
  }

  public init(signingKey key: Span<UInt8>, point: [UInt8]) throws(FormatError) {
    let copy = try SecretBytes.copy(of: key)
    (kind, fault, code, value, self.point) = (.signingKey, nil, 0, 0, point)
    bytes = copy
  }

  public init(counted value: UInt64) throws(FormatError) {
    let empty = try SecretBytes.copy(of: Span())
    (kind, fault, code, self.value, point) = (.counted, nil, 0, value, [])
    bytes = empty
  }

  public init(failing fault: TPMFault, code: UInt32) throws(FormatError) {
    let empty = try SecretBytes.copy(of: Span())
    (kind, self.fault, self.code, value, point) = (.failed, fault, code, 0, [])
    bytes = empty
  }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    var form = Form(kind, bytes: Span())
    try form.pass(&fields)
    try fields.end()
    let copy = try SecretBytes.copy(of: form.bytes)
    (self.kind, fault, code, value, point) = (kind, kind == .failed ? form.fault : nil, form.code, form.value, form.point)
    bytes = copy
  }

  public borrowing func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    var form = Form(kind, bytes: bytes.span)
    (form.code, form.value, form.point) = (code, value, point)
    if let fault { form.fault = fault }
    try form.pass(&packet)
  }

  /// What follows the header, with bytes that are lent.
  private struct Form: FieldForm, ~Escapable {
    let kind: Kind
    var fault = TPMFault.missing
    var code: UInt32 = 0
    var value: UInt64 = 0
    var point: [UInt8] = []
    var bytes: Span<UInt8>

    @_lifetime(copy bytes)
    init(_ kind: Kind, bytes: Span<UInt8>) {
      self.kind = kind
      self.bytes = bytes
    }

    @_lifetime(self: copy self, copy fields)
    mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
      switch kind {
      case .sealed: bytes = try fields.passed(bytes, limit: TPMRequest.sealedLimit)
      case .unsealed: bytes = try fields.passed(bytes, count: TPMRequest.keyLength)
      case .failed:
        fault = try fields.passed(fault)
        code = try fields.passed(code)
      case .counted: value = try fields.passed(value)
      case .signingKey:
        point = try fields.passed(point, count: TPMAnswer.pointLength)
        bytes = try fields.passed(bytes, limit: TPMRequest.sealedLimit)
      case .signed: bytes = try fields.passed(bytes, count: TPMAnswer.signatureLength)
      case .agreed: bytes = try fields.passed(bytes, count: TPMAnswer.sharedLength)
      }
    }
  }
}

extension SecretBytes {
  // No initializer: in one that assigns `self`, within the module of the type, the compiler wipes a value that is none yet.
  fileprivate static func copy(of bytes: Span<UInt8>) throws(FormatError) -> SecretBytes {
    guard var copy = SecretBytes(capacity: max(bytes.count, 1)), copy.append(bytes) else { throw .tooLong }
    return copy
  }
}
