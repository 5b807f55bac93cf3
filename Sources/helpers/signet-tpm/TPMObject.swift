import CTPM

/// What the TPM made, as bytes that signetd keeps on disk and does not look into: pcrs u32, the authorization value, the names of the
/// two keys of the TPM, and the two parts of the object, with their length in two bytes before them.
extension ctpm_sealed {
  /// `nil` where it says of itself that it is longer than it can be.
  var bytes: [UInt8]? {
    guard Int(object_size) <= MemoryLayout.size(ofValue: object) else { return nil }
    var bytes = Array(littleEndian: pcrs, size: 4)
    unsafe withUnsafeBytes(of: auth) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: primary) { unsafe bytes.append(contentsOf: $0) }
    unsafe withUnsafeBytes(of: endorsement) { unsafe bytes.append(contentsOf: $0) }
    bytes += Array(littleEndian: object_size, size: 2)
    unsafe withUnsafeBytes(of: object) { unsafe bytes.append(contentsOf: $0.prefix(Int(object_size))) }
    return bytes
  }

  /// Reads bytes that may be anybody's. Whether the PCRs are those of such an object is for who uses it.
  init(decoding bytes: [UInt8]) throws(FormatError) {
    var fields = ByteReader(bytes.span)
    self.init()
    pcrs = try fields.uint32()
    _ = try fields.bytes(Int(CTPM_AUTH))
    _ = try fields.bytes(Int(CTPM_NAME))
    _ = try fields.bytes(Int(CTPM_NAME))
    let count = try fields.string(limit: MemoryLayout.size(ofValue: object)).count
    try fields.end()
    unsafe withUnsafeMutableBytes(of: &auth) { unsafe ctpm_sealed.copy(bytes, from: 4, to: $0) }
    unsafe withUnsafeMutableBytes(of: &primary) { unsafe ctpm_sealed.copy(bytes, from: 36, to: $0) }
    unsafe withUnsafeMutableBytes(of: &endorsement) { unsafe ctpm_sealed.copy(bytes, from: 70, to: $0) }
    unsafe withUnsafeMutableBytes(of: &object) { unsafe ctpm_sealed.copy(bytes, from: 106, to: $0) }
    object_size = UInt16(count)
  }

  /// As many bytes as there are and as fit.
  private static func copy(_ bytes: [UInt8], from start: Int, to place: UnsafeMutableRawBufferPointer) {
    for (index, byte) in bytes.dropFirst(start).prefix(place.count).enumerated() { unsafe place[index] = byte }
  }

  /// The authorization value is in it.
  mutating func wipe() {
    unsafe withUnsafeMutableBytes(of: &self) { bytes in
      for index in bytes.indices { unsafe bytes[index] = 0 }
    }
  }
}
