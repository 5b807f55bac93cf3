import SignetFiles
import SignetMemory
import SignetWire

/// A device key in a file that only root can read, `device.key` in the state directory.
///
/// It keeps templates and the vault's state out of backups and off a disk that is looked at elsewhere without this file. It
/// keeps nothing from root, nor from who has the whole disk.
public final class HostKeyFile: DeviceKey {
  private static let name = "device.key"
  private let key: SealingKey

  /// Reads the key, or makes one where `isNew` says that nothing can have been sealed yet.
  ///
  /// Where the file is gone although something was sealed, no other key is put in its place: the file may come back.
  public init(in directory: borrowing StateDirectory, isNew: Bool) throws(SystemError) {
    let path = "\(directory.path)/\(HostKeyFile.name)"
    if let bytes = try directory.read(HostKeyFile.name, limit: 64) {
      guard let key = HostKeyFile.key(bytes) else { throw SystemError(call: "use \(path): it is no key", code: 0) }
      self.key = key
      return
    }
    guard isNew else {
      throw SystemError(
        call: "\(path) is missing, and with it what opens the enrolled fingers; put it back, or remove \(directory.path)/users",
        code: 0)
    }
    guard let key = SealingKey(random: ()) else { throw SystemError(call: "make \(path)", code: 0) }
    try HostKeyFile.write(key, to: directory)
    self.key = key
  }

  private static func write(_ key: borrowing SealingKey, to directory: borrowing StateDirectory) throws(SystemError) {
    try directory.replace(HostKeyFile.name, with: Array(copying: key.secret.span))
  }

  private static func key(_ bytes: [UInt8]) -> SealingKey? {
    guard bytes.count == SealingKey.length, var secret = SecretBytes(capacity: SealingKey.length), secret.append(bytes.span)
    else { return nil }
    return SealingKey(secret)
  }

  public func seal(_ plain: Span<UInt8>, for context: SealContext) throws(SealingError) -> [UInt8] {
    guard let sealed = key.seal(plain, for: context) else { throw .exhausted }
    return sealed
  }

  public func open(_ sealed: Span<UInt8>, for context: SealContext) throws(SealingError) -> SecretBytes {
    guard let plain = key.open(sealed, for: context) else { throw .notAuthentic }
    return plain
  }
}
