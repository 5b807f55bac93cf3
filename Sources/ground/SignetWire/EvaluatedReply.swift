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
}

extension EvaluatedReply: MessageForm {
  package static var kind: UInt8 { ReplyKind.evaluated.rawValue }

  package init() { self.init(.authenticationFailed) }

  package mutating func pass(_ fields: inout some AnyFieldPass) throws(FormatError) {
    verdict = try fields.passed(verdict)
    method = try fields.passed(method)
    guard (verdict == .success) == (method != .none) else { throw .badValue }
  }
}
