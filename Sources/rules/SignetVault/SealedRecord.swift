import SignetBytes
import SignetMemory
import SignetSealing
import SignetVocabulary

/// The format of every file of the vault except the items' files. First, unencrypted, come its purpose, version and uid; then
/// its fields, sealed under the device key and bound to these three.
struct SealedRecord: Sendable {
  let purpose: StaticString
  /// The longest file that is read.
  let limit: Int

  init(_ purpose: StaticString, limit: Int) {
    self.purpose = purpose
    self.limit = limit
  }

  func encode(
    uid: UInt32, under deviceKey: any DeviceKey, _ fields: (inout SecretBytes) throws(FormatError) -> Void
  ) throws(VaultError) -> [UInt8] {
    guard var plain = SecretBytes(capacity: limit) else { throw .exhausted }
    do throws(FormatError) { try fields(&plain) } catch { throw .badItem }
    do throws(SealingError) {
      return FileHeader(purpose, uid: uid).bytes + (try deviceKey.seal(plain.span, for: context(uid)))
    } catch {
      throw .exhausted
    }
  }

  /// Reads a file's contents; `fields` must read all of them.
  func decode<Value: ~Copyable>(
    _ bytes: [UInt8], uid: UInt32, under deviceKey: any DeviceKey, at path: String,
    _ fields: (inout ByteReader) throws(FormatError) -> Value
  ) throws(VaultError) -> Value {
    let header = FileHeader(purpose, uid: uid).bytes
    guard bytes.count > header.count, bytes.prefix(header.count).elementsEqual(header) else { throw .damaged(path) }
    let plain = try SealedRecord.open(bytes.span.extracting(droppingFirst: header.count), context(uid), deviceKey, path)
    do throws(FormatError) { return try SealedRecord.read(plain, fields) } catch { throw .damaged(path) }
  }

  private func context(_ uid: UInt32) -> SealContext { SealContext(purpose, uid: uid) }

  /// Opens what the device key sealed into a file.
  static func open(
    _ sealed: Span<UInt8>, _ context: SealContext, _ deviceKey: any DeviceKey, _ path: String
  ) throws(VaultError) -> SecretBytes {
    do throws(SealingError) { return try deviceKey.open(sealed, for: context) } catch {
      throw error == .exhausted ? .exhausted : .damaged(path)
    }
  }

  static func read<Value: ~Copyable>(
    _ plain: borrowing SecretBytes, _ fields: (inout ByteReader) throws(FormatError) -> Value
  ) throws(FormatError) -> Value {
    var reader = ByteReader(plain.span)
    let value = try fields(&reader)
    try reader.end()
    return value
  }
}

/// How every file starts: its purpose in four letters, its version, and the uid.
struct FileHeader {
  static let length = 9
  /// Where the version is.
  static let versionIndex = 4
  let bytes: [UInt8]

  init(_ purpose: StaticString, version: UInt8 = 1, uid: UInt32) {
    bytes =
      purpose.withUTF8Buffer { unsafe Array($0) } + [version]
      + Array(littleEndian: uid, size: 4)
  }
}
