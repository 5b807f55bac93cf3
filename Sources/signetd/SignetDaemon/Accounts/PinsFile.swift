import SignetBytes
import SignetMemory
import SignetSealing

/// The newest state of one user that somebody would like to undo.
struct Pin: Equatable, Sendable {
  /// `LockoutFile.sequence`; a strikes file with a lower one is an older copy.
  var sequence: UInt64
  /// `AccountStore.fingerMark`.
  var fingers: [UInt8]
}

/// `pins`: the pin of each user, and the number to which the TPM has counted for them. Sealed under the device key, so that
/// nobody without it writes one that fits the counter.
struct PinsFile: Equatable, Sendable {
  static let name = "pins"
  static let userLimit = 4096
  static let markLength = 32
  static let limit = 128 + userLimit * 44

  /// What the TPM's counter has once the file is in force; 0 where the TPM lets no counter be made.
  var number: UInt64
  var pins: [UInt32: Pin]

  private static let header = Array("SGpn".utf8) + [1, 0, 0, 0, 0]
  private static let context = SealContext("SGpn", uid: 0)

  func sealed(under key: HeldKey) throws(SealingError) -> [UInt8] {
    var fields = Array(littleEndian: number, size: 8) + Array(littleEndian: pins.count, size: 4)
    for (uid, pin) in pins.sorted(by: { $0.key < $1.key }) {
      fields += Array(littleEndian: uid, size: 4) + Array(littleEndian: pin.sequence, size: 8) + pin.fingers
    }
    return PinsFile.header + (try key.seal(fields.span, for: PinsFile.context))
  }
}

extension PinsFile {
  /// Fails where it was torn or altered, or sealed under another key.
  init(opening bytes: [UInt8], under key: HeldKey) throws(FormatError) {
    guard bytes.starts(with: PinsFile.header) else { throw .badValue }
    let plain: SecretBytes
    do throws(SealingError) {
      plain = try key.open(bytes.span.extracting(droppingFirst: PinsFile.header.count), for: PinsFile.context)
    } catch {
      throw .badValue
    }
    var fields = ByteReader(plain.span)
    number = try fields.uint64()
    pins = [:]
    let count = try fields.uint32()
    guard count <= PinsFile.userLimit else { throw .tooLong }
    for _ in 0..<count {
      let uid = try fields.uint32()
      let pin = Pin(sequence: try fields.uint64(), fingers: Array(copying: try fields.bytes(PinsFile.markLength)))
      guard pins.updateValue(pin, forKey: uid) == nil else { throw .badValue }
    }
    try fields.end()
  }
}
