import SignetBytes
import SignetMemory
import SignetVocabulary

/// What signetd sends to signet-tpm, once.
public struct TPMRequest: ~Copyable, Sendable {
  public enum Kind: UInt8, Sendable {
    /// To seal a device key for the values that the PCRs have now.
    case seal = 1
    /// To open what was sealed.
    case unseal = 2
  }

  public let kind: Kind
  /// Bit n is PCR n; 0 where what was sealed says it.
  public let pcrs: UInt32
  /// The key, or what was sealed.
  public let bytes: SecretBytes

  /// Bytes of a device key.
  public static var keyLength: Int { 32 }
  /// The longest that a sealed key may be.
  public static var sealedLimit: Int { 2048 }
  /// The PCRs that a TPM has.
  public static var knownPCRs: UInt32 { 0xFF_FFFF }

  public init(sealing key: consuming SecretBytes, pcrs: UInt32) {
    (kind, self.pcrs) = (.seal, pcrs)
    bytes = key
  }

  public init(unsealing sealed: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes(copying: sealed)
    (kind, pcrs) = (.unseal, 0)
    bytes = copy
  }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    let pcrs = kind == .seal ? try fields.uint32() : 0
    guard kind == .unseal || pcrs > 0, pcrs & ~TPMRequest.knownPCRs == 0 else { throw .badValue }
    let content = kind == .seal ? try fields.bytes(TPMRequest.keyLength) : try fields.string(limit: TPMRequest.sealedLimit)
    try fields.end()
    let copy = try SecretBytes(copying: content)
    (self.kind, self.pcrs) = (kind, pcrs)
    bytes = copy
  }

  public borrowing func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    switch kind {
    case .seal:
      guard bytes.count == TPMRequest.keyLength else { throw .badValue }
      try packet.put(UInt64(pcrs), size: 4)
      try packet.put(raw: bytes.span)
    case .unseal: try packet.put(bytes.span, limit: TPMRequest.sealedLimit)
    }
  }
}

/// What signet-tpm answers, once.
public struct TPMAnswer: ~Copyable, Sendable {
  public enum Kind: UInt8, Sendable {
    case sealed = 11
    case unsealed = 12
    case failed = 13
  }

  public let kind: Kind
  /// What was sealed, or the key; empty after a failure.
  public let bytes: SecretBytes
  /// Why not; `nil` after a success.
  public let fault: TPMFault?
  /// The code that the TPM or its library gave.
  public let code: UInt32

  public init(_ kind: Kind, _ bytes: Span<UInt8>) throws(FormatError) {
    let copy = try SecretBytes(copying: bytes)
    (self.kind, fault, code) = (kind, nil, 0)
    self.bytes = copy
  }

  public init(failing fault: TPMFault, code: UInt32) throws(FormatError) {
    let none: [UInt8] = []
    let empty = try SecretBytes(copying: none.span)
    (kind, self.fault, self.code) = (.failed, fault, code)
    bytes = empty
  }

  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard let kind = Kind(rawValue: try fields.header()) else { throw .badValue }
    let fault = kind == .failed ? try fields.fault() : nil
    let code = kind == .failed ? try fields.uint32() : 0
    let content: Span<UInt8>
    switch kind {
    case .sealed: content = try fields.string(limit: TPMRequest.sealedLimit)
    case .unsealed: content = try fields.bytes(TPMRequest.keyLength)
    case .failed: content = try fields.bytes(0)
    }
    try fields.end()
    let copy = try SecretBytes(copying: content)
    (self.kind, self.fault, self.code) = (kind, fault, code)
    bytes = copy
  }

  public borrowing func write(into packet: inout SecretBytes) throws(FormatError) {
    try packet.begin(kind.rawValue)
    switch kind {
    case .sealed: try packet.put(bytes.span, limit: TPMRequest.sealedLimit)
    case .unsealed:
      guard bytes.count == TPMRequest.keyLength else { throw .badValue }
      try packet.put(raw: bytes.span)
    case .failed:
      guard let fault else { throw .badValue }
      try packet.put(fault.rawValue)
      try packet.put(UInt64(code), size: 4)
    }
  }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func fault() throws(FormatError) -> TPMFault {
    guard let fault = TPMFault(rawValue: try byte()) else { throw .badValue }
    return fault
  }
}

extension SecretBytes {
  fileprivate init(copying bytes: Span<UInt8>) throws(FormatError) {
    guard var copy = SecretBytes(capacity: max(bytes.count, 1)), copy.append(bytes) else { throw .tooLong }
    self = copy
  }
}
