/// Why a reader's operation ended without a verdict. `poorTemplate`: the enrolled finger shows too little to be recognised ever.
public enum ReaderFailure: UInt8, Sendable {
  case notFound = 1, busy, removed, unsupported, storageFull, duplicate, tooHot, cancelled, unusableTemplate, notOpen, other
  case poorTemplate
}
