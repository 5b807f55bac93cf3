import Glibc

/// A file descriptor, closed when the value ends.
public struct Descriptor: ~Copyable, Sendable {
  /// Its number. Nothing else may close it.
  public let raw: Int32

  /// Takes over an open descriptor.
  public init(_ raw: Int32) { self.raw = raw }

  deinit { if raw >= 0 { close(raw) } }
}
