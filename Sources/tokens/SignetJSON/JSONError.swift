/// Why bytes are not JSON that is taken.
public enum JSONError: Error, Equatable, Sendable {
  /// They are no JSON text from this byte on.
  case malformed(offset: Int)
  /// An object has this name twice.
  case duplicateName(String)
  /// Arrays and objects stand in one another more than `JSONReader.maximumDepth` deep.
  case tooDeep
  /// They are more than the caller allows.
  case tooLarge
}
