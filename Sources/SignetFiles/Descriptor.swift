import Glibc

/// A file descriptor, closed when the value ends.
public struct Descriptor: ~Copyable, Sendable {
  /// Its number; not to be closed by others.
  public let raw: Int32

  /// Takes it over.
  public init(_ raw: Int32) { self.raw = raw }

  deinit { if raw >= 0 { close(raw) } }
}
