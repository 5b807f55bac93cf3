import CTPM

/// A key that the TPM makes and signs with; nobody else ever has its private half. No PCR binds it (see sign.c).
enum TPMSigningKey {
  static func make() throws(FormatError) -> TPMAnswer {
    var made = ctpm_sealed()
    defer { made.wipe() }
    var point = [UInt8](repeating: 0, count: Int(CTPM_POINT))
    let outcome = unsafe ctpm_make_signing_key(&made, &point)
    guard outcome == 0, let bytes = made.bytes else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(signingKey: bytes.span, point: point)
  }

  static func sign(_ digest: [UInt8], with bytes: Span<UInt8>) throws(FormatError) -> TPMAnswer {
    guard digest.count == Int(CTPM_DIGEST), var key = try? ctpm_sealed(decoding: Array(copying: bytes)) else {
      return try TPMAnswer(failing: .damaged, code: 0)
    }
    defer { key.wipe() }
    guard key.pcrs == 0 else { return try TPMAnswer(failing: .damaged, code: 0) }
    var signature = [UInt8](repeating: 0, count: Int(CTPM_SIGNATURE))
    let outcome = unsafe ctpm_sign(&key, digest, &signature)
    guard outcome == 0 else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.signed, signature.span)
  }
}
