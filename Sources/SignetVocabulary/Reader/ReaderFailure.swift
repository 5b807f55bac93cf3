/// Why a reader's operation ended without a verdict.
public enum ReaderFailure: UInt8, Sendable {
  case notFound = 1, busy, removed, unsupported, storageFull, duplicate, tooHot, cancelled, unusableTemplate, notOpen, other
}
