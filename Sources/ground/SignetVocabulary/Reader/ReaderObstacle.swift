/// What keeps a reader that is there from being used.
public enum ReaderObstacle: UInt8, CaseIterable, Sendable {
  case none = 0
  /// A program that is no part of Signet has it.
  case heldByOther
  /// A closed lid covers it: signetd knows that, signet-reader does not.
  case lidClosed
}
