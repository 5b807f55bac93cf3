import SignetMemory

/// A password, in memory that is locked and wiped. It is never printed. What a request carries of it is a copy, which lives
/// as long as the request.
public final class Password: Sendable {
  /// The most bytes it may have.
  public static let maximumSize = 4096

  private let bytes: SecretBytes

  /// `nil` for an empty text, one above `maximumSize` bytes, or where there is no memory.
  public init?(_ text: String) {
    let utf8 = Array(text.utf8)
    guard !utf8.isEmpty, utf8.count <= Password.maximumSize, var bytes = SecretBytes(capacity: utf8.count),
      bytes.append(utf8.span)
    else { return nil }
    self.bytes = bytes
  }

  /// A copy.
  var text: String { copied(bytes) }
}

private func copied(_ bytes: borrowing SecretBytes) -> String {
  // The bytes stay where they are while the copy is made.
  unsafe bytes.span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}

extension Password: CustomStringConvertible, CustomReflectable {
  public var description: String { "(password)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
