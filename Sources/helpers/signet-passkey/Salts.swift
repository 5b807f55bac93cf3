/// From what a platform wants secrets of a credential (hmac-secret, CTAP 2.1, section 12.5), and who else may read them.
struct Salts {
  /// One or two.
  let bytes: [UInt8]
  private let shared: SharedSecret

  init(_ request: SealedSalts, _ agreement: AgreementKey?) throws(Status) {
    guard let shared = agreement?.shared(version: request.version, with: request.point) else { throw .invalidParameter }
    guard shared.proves(request.sealed, by: request.proof) else { throw .pinAuthInvalid }
    bytes = try shared.opened(request.sealed)
    self.shared = shared
  }

  /// What the credential's secret makes of them, enciphered for the platform. The secret itself stays in signetd.
  func secrets(of credential: StoredCredential, by owner: Owner) throws(Status) -> [UInt8] {
    let derived: SecretBytes
    do throws(ContextError) { derived = try owner.derive(from: bytes, with: .passkey(credential.name.hexadecimal)) } catch {
      throw Status(error)
    }
    return try shared.sealed(Array(copying: derived.span))
  }
}
