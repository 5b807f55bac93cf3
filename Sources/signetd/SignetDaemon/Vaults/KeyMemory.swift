import CLinux
import DaemonService
import Glibc
import SignetFiles
import SignetMemory
import SignetVault
import SignetVocabulary

/// A user key in memory that nobody else can read: a page of memfd_secret(2), which the kernel itself does not map and which
/// no tracer and no core dump can reach. On kernels without it, a locked page that is left out of core dumps. The page is
/// wiped and unmapped when the value ends.
struct KeyMemory: ~Copyable, Sendable {
  let key: UserKey?
  /// Of the secret memory, for systemd to keep; `nil` where it is ordinary memory.
  let descriptor: Descriptor?

  /// Whether the kernel gives secret memory. Some kernels have it switched off.
  static let isSecret: Bool = {
    let descriptor = Descriptor(clinux_secret_memory())
    return descriptor.raw >= 0
  }()

  private static let size = 4096
  /// Where the page says whose the key is, behind the key.
  private static let label = 2048
  private static let magic: UInt64 = 0x3159_454b_4e47_4953

  /// Keeps a copy of a key; `nil` where there is no memory.
  init?(copying key: borrowing UserKey, uid: UInt32) {
    if let secret = KeyMemory.secret(key.span, uid: uid) {
      self = secret
      return
    }
    guard var bytes = SecretBytes(capacity: UserKey.length), bytes.append(key.span), let copy = UserKey(bytes) else {
      return nil
    }
    self.init(key: copy, descriptor: nil)
  }

  private init(key: consuming UserKey, descriptor: consuming Descriptor?) {
    self.key = consume key
    self.descriptor = descriptor
  }

  private static func secret(_ bytes: Span<UInt8>, uid: UInt32) -> KeyMemory? {
    let descriptor = Descriptor(clinux_secret_memory())
    guard descriptor.raw >= 0, ftruncate(descriptor.raw, off_t(size)) == 0, let page = unsafe map(descriptor.raw) else {
      return nil
    }
    // The page is `size` bytes long, and a key much shorter than what comes before the label.
    unsafe bytes.withUnsafeBytes { unsafe page.copyMemory(from: $0.baseAddress!, byteCount: min($0.count, label)) }
    unsafe page.storeBytes(of: magic, toByteOffset: label, as: UInt64.self)
    unsafe page.storeBytes(of: uid, toByteOffset: label + 8, as: UInt32.self)
    return unsafe adopt(page, descriptor)
  }

  /// Takes back secret memory that systemd kept. `nil` where it is something else, another user's, or already wiped; it is
  /// wiped in these cases.
  init?(passed descriptor: consuming Descriptor, uid: UInt32) {
    var status = stat()
    guard clinux_is_secret_memory(descriptor.raw) != 0, unsafe fstat(descriptor.raw, &status) == 0,
      status.st_size == KeyMemory.size, let page = unsafe KeyMemory.map(descriptor.raw)
    else { return nil }
    let magic = unsafe page.load(fromByteOffset: KeyMemory.label, as: UInt64.self)
    let owner = unsafe page.load(fromByteOffset: KeyMemory.label + 8, as: UInt32.self)
    guard let memory = unsafe KeyMemory.adopt(page, descriptor), magic == KeyMemory.magic, owner == uid else { return nil }
    self = memory
  }

  private static func map(_ descriptor: Int32) -> UnsafeMutableRawPointer? {
    let page = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    // MAP_FAILED is a cast that Swift does not import: it is the address with all bits set.
    guard let page = unsafe page, Int(bitPattern: page) != -1 else { return nil }
    _ = unsafe madvise(page, size, MADV_DONTFORK)
    return unsafe page
  }

  /// From here on the page is wiped and unmapped with the key.
  private static func adopt(_ page: UnsafeMutableRawPointer, _ descriptor: consuming Descriptor) -> KeyMemory? {
    let bytes = unsafe SecretBytes(adopting: page, capacity: size, count: UserKey.length)
    guard let key = UserKey(bytes) else { return nil }
    return KeyMemory(key: key, descriptor: descriptor)
  }
}
