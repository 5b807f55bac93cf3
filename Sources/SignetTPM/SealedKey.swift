import CTPM
import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// A sealed key as bytes, which signetd keeps on disk and does not look into: pcrs u32, the authorization value, the names of the
/// two keys of the TPM, and what the TPM sealed, with its length in two bytes before it.
enum SealedKey {
  static func seal(_ key: Span<UInt8>, _ pcrs: UInt32) throws(FormatError) -> TPMAnswer {
    guard key.count == Int(CTPM_KEY) else { return try TPMAnswer(failing: .damaged, code: 0) }
    var sealed = ctpm_sealed()
    defer { SealedKey.wipe(&sealed) }
    let outcome = unsafe key.withUnsafeBufferPointer { unsafe ctpm_seal(pcrs, $0.baseAddress, &sealed) }
    guard outcome == 0, let bytes = encode(sealed) else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.sealed, bytes.span)
  }

  static func unseal(_ bytes: Span<UInt8>) throws(FormatError) -> TPMAnswer {
    guard var sealed = try? decode(Array(copying: bytes)), var key = SecretBytes(capacity: Int(CTPM_KEY)) else {
      return try TPMAnswer(failing: .damaged, code: 0)
    }
    defer { SealedKey.wipe(&sealed) }
    var outcome: Int32 = 0
    _ = unsafe key.replace { buffer in
      outcome = unsafe ctpm_unseal(&sealed, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self))
      return outcome == 0 ? buffer.count : -1
    }
    guard outcome == 0 else { return try TPMProgram.failed(outcome) }
    return try TPMAnswer(.unsealed, key.span)
  }

  private static func encode(_ sealed: ctpm_sealed) -> [UInt8]? {
    guard Int(sealed.object_size) <= MemoryLayout.size(ofValue: sealed.object) else { return nil }
    var bytes = Array(littleEndian: sealed.pcrs, size: 4)
    unsafe withUnsafeBytes(of: sealed.auth) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: sealed.primary) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: sealed.endorsement) { unsafe bytes.append(contentsOf: $0) }
    bytes += Array(littleEndian: sealed.object_size, size: 2)
    unsafe withUnsafeBytes(of: sealed.object) { unsafe bytes.append(contentsOf: $0.prefix(Int(sealed.object_size))) }
    return bytes
  }

  /// Reads bytes that may be anybody's.
  static func decode(_ bytes: [UInt8]) throws(FormatError) -> ctpm_sealed {
    var fields = ByteReader(bytes.span)
    var sealed = ctpm_sealed()
    sealed.pcrs = try fields.uint32()
    guard sealed.pcrs > 0, sealed.pcrs & ~TPMRequest.knownPCRs == 0 else { throw .badValue }
    unsafe withUnsafeMutableBytes(of: &sealed.auth) { unsafe copy(bytes, from: 4, to: $0) }
    _ = try fields.bytes(Int(CTPM_AUTH))
    unsafe withUnsafeMutableBytes(of: &sealed.primary) { unsafe copy(bytes, from: 36, to: $0) }
    _ = try fields.bytes(Int(CTPM_NAME))
    unsafe withUnsafeMutableBytes(of: &sealed.endorsement) { unsafe copy(bytes, from: 70, to: $0) }
    _ = try fields.bytes(Int(CTPM_NAME))
    let count = try fields.string(limit: MemoryLayout.size(ofValue: sealed.object)).count
    try fields.end()
    unsafe withUnsafeMutableBytes(of: &sealed.object) { unsafe copy(bytes, from: 106, to: $0) }
    sealed.object_size = UInt16(count)
    return sealed
  }

  /// As many bytes as there are and as fit.
  private static func copy(_ bytes: [UInt8], from start: Int, to place: UnsafeMutableRawBufferPointer) {
    for (index, byte) in bytes.dropFirst(start).prefix(place.count).enumerated() { unsafe place[index] = byte }
  }

  private static func wipe(_ sealed: inout ctpm_sealed) {
    unsafe withUnsafeMutableBytes(of: &sealed) { bytes in
      for index in bytes.indices { unsafe bytes[index] = 0 }
    }
  }
}
