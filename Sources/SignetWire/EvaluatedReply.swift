#if !hasFeature(Embedded)
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
#endif

/// How an application's evaluation ended.
public struct EvaluatedReply: Equatable, Sendable {
  public var verdict: Verdict
  /// What proved it; `none` unless the verdict is `success`.
  public var method: EvidenceMethod

  public init(_ verdict: Verdict, _ method: EvidenceMethod = .none) {
    self.verdict = verdict
    self.method = method
  }

  /// Reads a packet.
  public init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    guard try fields.header() == ReplyKind.evaluated.rawValue else { throw .badValue }
    let verdict = Verdict(rawValue: try fields.byte())
    guard let method = EvidenceMethod(rawValue: try fields.byte()) else { throw .badValue }
    try fields.end()
    guard (verdict == .success) == (method != .none) else { throw .badValue }
    self.init(verdict, method)
  }

  public func write(into packet: inout SecretBytes) throws(FormatError) {
    guard (verdict == .success) == (method != .none) else { throw .badValue }
    try packet.begin(ReplyKind.evaluated.rawValue)
    try packet.put(verdict.rawValue)
    try packet.put(method.rawValue)
  }
}
