/// What came of one of the prints that fprintd keeps, when a user's were to be taken over.
public enum ImportOutcome: Hashable, Sendable {
  /// It is a finger of Signet's from now on.
  case taken
  /// Signet has this finger on this reader, and keeps its own.
  case enrolledAlready
  /// Its reader is not connected, and only with that can anybody tell what the print is worth.
  case readerMissing
  /// It was made for a user of this name, or for none.
  case otherUser(String)
  /// It is of another finger or reader than its file's place says.
  case misplaced
  /// libfprint makes nothing of it on this reader. The words are signet-reader's.
  case unusable(String)
  /// A file or a folder that signetd does not read.
  case unreadable(SystemError)
}
