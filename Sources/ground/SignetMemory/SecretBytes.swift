// SignetMemory holds bytes that must not outlive their use: passcodes, tokens, templates, and every packet buffer that
// may carry one. It is compiled twice: normally, and in Embedded Swift inside the PAM module.
import CLinux

/// A bounded buffer for secrets. It has pages of its own, locked in memory, left out of core dumps, and wiped when it ends.
///
/// The bytes live outside the value, so that moving the value leaves no copy behind. It is not `Sendable` by itself: give
/// it to one thread at a time. Nothing prints it; interpolating it into a string does not compile.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let mapped: Int
  private var isOwner = true
  #if !hasFeature(Embedded)
    /// Whether the page was mapped here. One of somebody else's may be of a file, and is given back to the kernel.
    private var isOwn = true
  #endif

  /// The most bytes it can hold.
  public let capacity: Int

  /// The bytes it holds, 0 to `capacity`.
  public private(set) var count = 0

  /// Maps `capacity` bytes (1 to 1 MiB), rounded up to pages; `nil` where mmap(2) fails or the size is out of range.
  ///
  /// A refused mlock2(2) (`RLIMIT_MEMLOCK`) is not a failure: a login must not depend on a limit that any user can use up,
  /// and the pages are wiped all the same.
  public init?(capacity: Int) {
    guard capacity > 0, capacity <= 1 << 20 else { return nil }
    let mapped = (capacity &+ 4095) & ~4095
    #if !hasFeature(Embedded)
      if mapped == FreePages.size, let page = unsafe FreePages.take() {
        unsafe self.base = page
        self.mapped = mapped
        self.capacity = capacity
        return
      }
    #endif
    // A single page is sure to be used, so the kernel maps it at once. Of a larger buffer it maps pages as they are touched.
    let kind = MAP_PRIVATE | MAP_ANONYMOUS | (mapped == 4096 ? MAP_POPULATE : 0)
    let pages = unsafe mmap(nil, mapped, PROT_READ | PROT_WRITE, kind, -1, 0)
    // MAP_FAILED is a cast that Swift does not import: it is the address with all bits set.
    guard let pages = unsafe pages, Int(bitPattern: pages) != -1 else { return nil }
    _ = unsafe clinux_lock_on_fault(pages, mapped)
    _ = unsafe madvise(pages, mapped, MADV_DONTDUMP)
    _ = unsafe madvise(pages, mapped, MADV_WIPEONFORK)
    unsafe self.base = pages
    self.mapped = mapped
    self.capacity = capacity
  }

  deinit {
    guard isOwner else { return }
    unsafe explicit_bzero(base, mapped)
    #if !hasFeature(Embedded)
      if isOwn, mapped == FreePages.size, unsafe FreePages.give(base) { return }
    #endif
    _ = unsafe munmap(base, mapped)
  }

  /// The bytes it holds.
  public var span: Span<UInt8> {
    @_lifetime(borrow self) get {
      // The mapping outlives the borrow, and count never exceeds what is mapped.
      let all = unsafe Span<UInt8>(_unsafeStart: base.assumingMemoryBound(to: UInt8.self), count: max(0, count))
      return unsafe _overrideLifetime(all, borrowing: self)
    }
  }

  /// The last of them.
  public var last: UInt8? {
    guard count > 0, count <= capacity else { return nil }
    return unsafe base.load(fromByteOffset: count &- 1, as: UInt8.self)
  }

  /// Whether one of them is zero, which ends a C string.
  public var hasZero: Bool { unsafe count > 0 && memchr(base, 0, count) != nil }

  /// Appends one byte; false, and no change, where it does not fit.
  public mutating func append(_ byte: UInt8) -> Bool {
    guard count >= 0, count < capacity else { return false }
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
    return true
  }

  /// Appends all bytes; false, and no change, where they do not fit.
  public mutating func append(_ bytes: borrowing Span<UInt8>) -> Bool {
    guard count >= 0, bytes.count <= capacity &- count else { return false }
    unsafe bytes.withUnsafeBytes { source in
      // An empty span may have no address, which memcpy must not be given.
      if let start = source.baseAddress { unsafe memcpy(base + count, start, source.count) }
    }
    count &+= bytes.count
    return true
  }

  /// Wipes the bytes. The buffer is empty then.
  public mutating func removeAll() {
    if count > 0 { unsafe explicit_bzero(base, count) }
    count = 0
  }

  /// Wipes the last byte.
  public mutating func removeLast() {
    guard count > 0 else { return }
    count &-= 1
    unsafe explicit_bzero(base + count, 1)
  }

  /// Replaces the contents with what `write` puts into the buffer.
  ///
  /// `write` gets the whole buffer and answers how many bytes it wrote, or a negative number for a failure, which leaves
  /// the buffer empty and is returned. Numbers above `capacity` (a datagram that was cut, under `MSG_TRUNC`) leave it
  /// empty too and are returned.
  public mutating func replace(_ write: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    removeAll()
    let written = unsafe write(UnsafeMutableRawBufferPointer(start: base, count: capacity))
    if written >= 0, written <= capacity { count = written }
    return written
  }

  /// Gives the pages away as an address for a C library to keep; `init(adopting:)` takes them back.
  public consuming func release() -> UnsafeMutableRawPointer {
    isOwner = false
    return unsafe base
  }

  /// Takes back pages that `release()` of a value with this capacity and count gave away.
  @unsafe public init(adopting address: UnsafeMutableRawPointer, capacity: Int, count: Int) {
    unsafe self.base = address
    self.capacity = capacity
    self.mapped = (capacity &+ 4095) & ~4095
    self.count = max(0, min(count, capacity))
    #if !hasFeature(Embedded)
      isOwn = false
    #endif
  }
}
