// Security has the names of Apple's module of that name for passwords in the keychain, which here is signetd's vault of the user.
// What Apple's keychain refuses is refused with the same result; what cannot be here is never pretended. It gives out Foundation,
// and what of Core Foundation its calls are written with.
@_exported import SignetCoreFoundation

/// Why a call of the keychain did not do it: what the call returns.
struct KeychainError: Error, Equatable {
  let status: OSStatus
  init(_ status: OSStatus) { self.status = status }
}
