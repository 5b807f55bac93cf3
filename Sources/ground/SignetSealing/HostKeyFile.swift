import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetVocabulary

/// A device key in a file that only root can read, `device.key` in the state directory.
///
/// Without this file nobody can read templates or the vault's state, for example from a backup that leaves the file out. It
/// keeps nothing secret from root, or from somebody who has the whole disk.
public final class HostKeyFile: DeviceKey {
  public static let name = "device.key"
  /// The key that was read.
  public let key: HeldKey

  /// Reads the key. Where the file does not exist, `isNew` is asked whether nothing can have been sealed yet; if so, a new key
  /// is made.
  ///
  /// Where something was sealed already, a missing file is an error. A new key could not open what was sealed, and would stand
  /// in the way when the administrator puts the old file back.
  public init(in directory: borrowing StateDirectory, isNew: @autoclosure () -> Bool) throws(SystemError) {
    let path = "\(directory.path)/\(HostKeyFile.name)"
    do throws(SystemError) {
      if let bytes = try directory.read(HostKeyFile.name, limit: 64) {
        guard let key = HostKeyFile.key(bytes) else {
          throw .deviceKeyDamaged(path)
        }
        self.key = HeldKey(key)
        return
      }
      guard isNew() else { throw .deviceKeyMissing(path) }
      guard let key = SealingKey(random: ()) else { throw .call(.makeKey, path, code: EAGAIN) }
      try HostKeyFile.write(key, to: directory)
      self.key = HeldKey(key)
    } catch {
      switch error {
      case .deviceKeyDamaged, .deviceKeyMissing: throw error
      default: throw .deviceKeyUnreadable(error)
      }
    }
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
    try key.seal(plain, for: context)
  }

  public func open(_ sealed: Span<UInt8>, for context: SealContext) throws(SealingError) -> SecretBytes {
    try key.open(sealed, for: context)
  }

  public func mark(_ label: StaticString, _ material: Span<UInt8>) throws(SealingError) -> [UInt8] {
    try key.mark(label, material)
  }
}
