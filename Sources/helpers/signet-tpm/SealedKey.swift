import CTPM

/// A device key that the TPM seals, and opens for the values that some PCRs had then.
enum SealedKey {
  static func seal(_ key: Span<UInt8>, _ pcrs: UInt32) throws(FormatError) -> TPMAnswer {
    guard key.count == Int(CTPM_KEY) else { return try TPMAnswer(failing: .damaged, code: 0) }
    var sealed = ctpm_sealed()
    defer { sealed.wipe() }
    let outcome = unsafe key.withUnsafeBufferPointer { unsafe ctpm_seal(pcrs, $0.baseAddress, &sealed) }
    guard outcome == 0, let bytes = sealed.bytes else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.sealed, bytes.span)
  }

  static func unseal(_ bytes: Span<UInt8>) throws(FormatError) -> TPMAnswer {
    guard var sealed = try? ctpm_sealed(decoding: Array(copying: bytes)) else {
      return try TPMAnswer(failing: .damaged, code: 0)
    }
    defer { sealed.wipe() }
    guard sealed.pcrs > 0, sealed.pcrs & ~TPMRequest.knownPCRs == 0, var key = SecretBytes(capacity: Int(CTPM_KEY)) else {
      return try TPMAnswer(failing: .damaged, code: 0)
    }
    var outcome: Int32 = 0
    _ = unsafe key.replace { buffer in
      outcome = unsafe ctpm_unseal(&sealed, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
      return outcome == 0 ? buffer.count : -1
    }
    guard outcome == 0 else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.unsealed, key.span)
  }
}
