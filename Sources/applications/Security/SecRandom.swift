import SignetCoreFoundation

/// Where random bytes come from. There is one source, the kernel's.
public final class SecRandomRef: Sendable {
  fileprivate init() {}
}

/// The kernel's source of random bytes, which is meant where `nil` is given, too.
public let kSecRandomDefault: SecRandomRef! = SecRandomRef()

/// Fills memory with random bytes that nobody can guess.
///
/// - Returns: `errSecSuccess`; anything else, and the bytes are not to be used.
@discardableResult
public func SecRandomCopyBytes(_ source: SecRandomRef?, _ count: Int, _ bytes: UnsafeMutableRawPointer) -> Int32 {
  guard count >= 0 else { return errSecParam }
  var done = 0
  while done < count {
    // The kernel gives no more at once.
    let part = min(count - done, 256)
    guard unsafe getentropy(bytes + done, part) == 0 else { return errSecInternalComponent }
    done += part
  }
  return errSecSuccess
}
