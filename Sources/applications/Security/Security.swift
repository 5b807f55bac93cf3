// Security has the names of Apple's module of that name for passwords and keys in the keychain, which here is signetd's vault of the user.
// What Apple's keychain refuses is refused with the same result; what cannot be here is never pretended. It gives out Foundation,
// and what of Core Foundation its calls are written with.
@_exported import SignetCoreFoundation

/// Why a call of the keychain did not do it: what the call returns.
struct KeychainError: Error, Equatable {
  let status: OSStatus
  /// For who writes the program, where the status' own words do not say it.
  let detail: String?

  init(_ status: OSStatus, _ detail: String? = nil) { (self.status, self.detail) = (status, detail) }

  fileprivate var object: CFError {
    let text = detail ?? SecCopyErrorMessageString(status, nil).map { $0 as String }
    return NSError(
      domain: NSOSStatusErrorDomain, code: Int(status), userInfo: text.map { [NSLocalizedDescriptionKey: $0] } ?? [:])
  }
}

/// What a call gives. Where it fails that is `nil`, and the reason goes where the program wants it, which owns it.
func given<Value>(
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?, _ body: () throws(KeychainError) -> Value
) -> Value? {
  do throws(KeychainError) { return try body() } catch let failure {
    unsafe error?.pointee = unsafe Unmanaged.passRetained(failure.object)
    return nil
  }
}
