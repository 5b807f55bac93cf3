import SignetBytes
import SignetSealing
import SignetWire

/// `device.tpm`: the device key as the TPM sealed it.
struct SealedKeyFile: Equatable, Sendable {
  static let name = "device.tpm"
  static let limit = 4096

  /// By which the key is known once it is open; see `HeldKey.mark`.
  var mark: [UInt8]
  /// For whose values it is sealed.
  var pcrs: UInt32
  /// What signet-tpm made of it.
  var sealed: [UInt8]

  private static let header = Array("SGtk".utf8) + [1]

  var bytes: [UInt8] {
    SealedKeyFile.header + mark + Array(littleEndian: pcrs, size: 4) + Array(littleEndian: sealed.count, size: 2) + sealed
  }
}

extension SealedKeyFile {
  init(decoding bytes: [UInt8]) throws(FormatError) {
    var fields = ByteReader(bytes.span)
    guard Array(copying: try fields.bytes(SealedKeyFile.header.count)) == SealedKeyFile.header else { throw .badValue }
    mark = Array(copying: try fields.bytes(HeldKey.length))
    pcrs = try fields.uint32()
    sealed = Array(copying: try fields.string(limit: TPMRequest.sealedLimit))
    try fields.end()
  }
}
