import SignetCoreFoundation

// Passwords that Apple's systems share between a site and its applications. There is no such sharing here: what asks for one is
// told so, and only what needs no sharing is there.

/// An attribute of a shared password.
public nonisolated(unsafe) let kSecSharedPassword: CFString = "spwd"

/// A password that is hard to guess and can be typed: four groups of three letters and digits, as on Apple's systems.
public func SecCreateSharedWebCredentialPassword() -> CFString? {
  // Without those that are taken for another.
  let signs = Array("abcdefghkmnopqrstuvxyABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  var random = SystemRandomNumberGenerator()
  let groups = (0..<4).map { _ in String((0..<3).compactMap { _ in signs.randomElement(using: &random) }) }
  return groups.joined(separator: "-") as CFString
}

/// Calls back with the error `errSecUnimplemented`.
public func SecAddSharedWebCredential(
  _ server: CFString, _ account: CFString, _ password: CFString?, _ completion: @escaping @Sendable (CFError?) -> Void
) {
  DispatchQueue.global().async { completion(notShared()) }
}

/// Calls back with the error `errSecUnimplemented`.
public func SecRequestSharedWebCredential(
  _ server: CFString?, _ account: CFString?, _ completion: @escaping @Sendable (CFArray?, CFError?) -> Void
) {
  DispatchQueue.global().async { completion(nil, notShared()) }
}

private func notShared() -> CFError {
  NSError(
    domain: NSOSStatusErrorDomain, code: Int(errSecUnimplemented),
    userInfo: [NSLocalizedDescriptionKey: "There are no passwords here that a site shares with its applications."])
}
