/// Why a reader's operation ended without a verdict. `poorTemplate`: the enrolled finger shows too little to be recognised ever.
/// `cancelledUnseen`: cancelled, where the reader would not have told of a finger that it compared.
/// `busy`: with another call of signet-reader's own; `heldByOther`: a program that is no part of Signet has the reader.
public enum ReaderFailure: UInt8, Sendable {
  case notFound = 1, busy, removed, unsupported, storageFull, duplicate, tooHot, cancelled, unusableTemplate, notOpen, other
  case poorTemplate
  case heldByOther
  case cancelledUnseen
}
