import SignetBytes
import SignetMemory
import SignetVocabulary

/// A template as libfprint reads it, on its way between signetd, which keeps it sealed, and signet-reader, which needs it for
/// one scan. It is wiped when nobody holds it any more, and is in no array, which nobody could wipe.
public final class ClearTemplate: Equatable, Sendable {
  private let bytes: SecretBytes?

  /// 1 to `FieldLimit.template`.
  public let count: Int

  /// Takes over a buffer; `tooLong` where no packet carries it.
  public init(_ bytes: consuming SecretBytes) throws(FormatError) {
    guard bytes.count >= 1, bytes.count <= FieldLimit.template else { throw .tooLong }
    count = bytes.count
    self.bytes = consume bytes
  }

  /// What one is read into.
  static let blank = ClearTemplate()

  private init() {
    count = 0
    bytes = nil
  }

  /// Copies bytes; `tooLong` where no packet carries them, or there is no memory.
  public convenience init(copying bytes: borrowing Span<UInt8>) throws(FormatError) {
    guard bytes.count >= 1, bytes.count <= FieldLimit.template, var copy = SecretBytes(capacity: bytes.count) else {
      throw .tooLong
    }
    _ = copy.append(bytes)
    try self.init(copy)
  }

  /// Lends the bytes.
  public func withBytes<Result, Failure>(
    _ use: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ClearTemplate.lend(bytes, to: use)
  }

  /// Of a parameter, because a span may not come from an object's property.
  private static func lend<Result, Failure>(
    _ bytes: borrowing SecretBytes?, to use: (borrowing Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch bytes {
    case .some(let bytes): try use(bytes.span)
    case nil: try use(Span())
    }
  }

  public static func == (left: ClearTemplate, right: ClearTemplate) -> Bool {
    left.withBytes { left in
      right.withBytes { right in left.count == right.count && left.indices.allSatisfy { left[$0] == right[$0] } }
    }
  }
}

extension FieldPass where Self: ~Copyable & ~Escapable {
  /// A template: its length in four bytes, 1 to `FieldLimit.template`, then its bytes.
  @_lifetime(self: copy self)
  mutating func passed(_ template: ClearTemplate) throws(FormatError) -> ClearTemplate {
    let count = try passed(UInt32(template.count))
    guard count >= 1, count <= FieldLimit.template else { throw .tooLong }
    return try passed(
      template, read: { fields throws(FormatError) in try ClearTemplate(copying: try fields.bytes(Int(count))) },
      write: { packet, template throws(FormatError) in
        try template.withBytes { bytes throws(FormatError) in try packet.put(raw: bytes) }
      })
  }
}
