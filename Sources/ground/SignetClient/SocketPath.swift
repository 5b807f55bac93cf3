import CLinux

/// The path of a socket, kept to connect to it more than once: what a C string of somebody else's said.
package struct SocketPath: Sendable {
  // The size of sun_path. Of a longer path nothing ends it, and no connection is made.
  var bytes = InlineArray<108, UInt8>(repeating: 0)

  package init(_ path: UnsafePointer<CChar>) {
    var span = bytes.mutableSpan
    var index = 0
    while index < 108 {
      let byte = unsafe UInt8(bitPattern: path[index])
      span[index] = byte
      if byte == 0 { return }
      index &+= 1
    }
  }

  /// Lends it as a C string.
  package func withCString<Value: ~Copyable>(
    _ body: (UnsafePointer<CChar>) throws(ClientError) -> Value
  ) throws(ClientError) -> Value {
    let span = bytes.span
    guard span[107] == 0 else { throw .noHelper(ENAMETOOLONG) }
    return try unsafe span.withUnsafeBytes { (all) throws(ClientError) -> Value in
      guard let start = all.baseAddress else { throw .noHelper(ENAMETOOLONG) }
      return try unsafe body(start.assumingMemoryBound(to: CChar.self))
    }
  }
}
