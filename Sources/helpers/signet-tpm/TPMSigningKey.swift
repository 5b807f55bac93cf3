import CTPM

/// A key that the TPM makes and uses; nobody else ever has its private half. No PCR binds it (see sign.c).
enum TPMSigningKey {
  /// `agrees`: it takes part in key exchanges, too.
  static func make(agrees: Bool) throws(FormatError) -> TPMAnswer {
    var made = ctpm_sealed()
    defer { made.wipe() }
    var point = [UInt8](repeating: 0, count: Int(CTPM_POINT))
    let outcome = unsafe ctpm_make_signing_key(&made, agrees ? 1 : 0, &point)
    guard outcome == 0, let bytes = made.bytes else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(signingKey: bytes.span, point: point)
  }

  static func sign(_ digest: [UInt8], with bytes: Span<UInt8>) throws(FormatError) -> TPMAnswer {
    guard digest.count == Int(CTPM_DIGEST), var key = usable(bytes) else { return try TPMAnswer(failing: .damaged, code: 0) }
    defer { key.wipe() }
    var signature = [UInt8](repeating: 0, count: Int(CTPM_SIGNATURE))
    let outcome = unsafe ctpm_sign(&key, digest, &signature)
    guard outcome == 0 else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.signed, signature.span)
  }

  static func agree(with point: [UInt8], by bytes: Span<UInt8>) throws(FormatError) -> TPMAnswer {
    guard point.count == Int(CTPM_POINT), var key = usable(bytes), var shared = SecretBytes(capacity: Int(CTPM_COORDINATE)) else {
      return try TPMAnswer(failing: .damaged, code: 0)
    }
    defer { key.wipe() }
    var outcome: Int32 = 0
    _ = unsafe shared.replace { buffer in
      outcome = unsafe ctpm_agree(&key, point, buffer.baseAddress!.assumingMemoryBound(to: UInt8.self))
      return Int(CTPM_COORDINATE)
    }
    guard outcome == 0 else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.agreed, shared.span)
  }

  /// What the TPM made of a key; `nil` where the bytes are something else.
  private static func usable(_ bytes: Span<UInt8>) -> ctpm_sealed? {
    guard var key = try? ctpm_sealed(decoding: Array(copying: bytes)) else { return nil }
    guard key.pcrs == 0 else {
      key.wipe()
      return nil
    }
    return key
  }
}
