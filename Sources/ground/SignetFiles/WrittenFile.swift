import Glibc
import SignetVocabulary

/// A file that was written, and is not on disk yet.
public struct WrittenFile: ~Copyable {
  let descriptor: Descriptor
  let path: String

  /// Returns once its contents are on disk.
  public func sync() throws(SystemError) {
    guard fsync(descriptor.raw) == 0 else { throw .last(.sync, path) }
  }
}
