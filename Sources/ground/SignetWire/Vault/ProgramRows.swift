#if !hasFeature(Embedded)
  import SignetBytes
  import SignetVocabulary
#endif

/// A row of `vaultList`, as a program reads it that asks for nothing else.
public enum VaultListing: Equatable, Sendable {
  case item(ItemRow)
  /// A file of the vault is at fault.
  case problem

  /// `nil` for a packet that is no such row.
  public init?(_ packet: Span<UInt8>) {
    var fields = ByteReader(packet)
    do throws(FormatError) {
      guard try fields.header() == ReplyKind.row.rawValue else { return nil }
      switch AdministrationReply.Row(rawValue: try fields.byte()) {
      case .item:
        self = .item(try fields.passed(.blank))
        try fields.end()
      case .vaultProblem: self = .problem
      default: return nil
      }
    } catch { return nil }
  }
}

extension SessionRow {
  /// A row of `sessions`; `nil` for a packet that is none.
  public init?(packet: Span<UInt8>) {
    var fields = ByteReader(packet)
    do throws(FormatError) {
      guard try fields.header() == ReplyKind.row.rawValue,
        AdministrationReply.Row(rawValue: try fields.byte()) == .session
      else { return nil }
      self = try fields.passed(.blank)
      try fields.end()
    } catch { return nil }
  }
}
