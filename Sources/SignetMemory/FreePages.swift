#if !hasFeature(Embedded)
  import CLinux
  import Synchronization

  /// Single pages that held secrets, were wiped, and will hold others: mapping, locking and unmapping one takes five system
  /// calls, and a process that releases items uses several for each. The PAM module keeps nothing: its host may live on for days.
  enum FreePages {
    static let size = 4096
    /// As many as are in use at a time in a signetd that has a lot to do; they stay locked in memory.
    private static let limit = 16
    private static let pages = Mutex<[UInt]>([])

    /// A page as mmap(2) gives it, filled with zeros; `nil` where there is none. Waits for nobody: another thread may hold the
    /// lock when a process forks.
    static func take() -> UnsafeMutableRawPointer? {
      guard let address = pages.withLockIfAvailable({ $0.popLast() }) ?? nil else { return nil }
      return unsafe UnsafeMutableRawPointer(bitPattern: address)
    }

    /// Keeps a page that was wiped; false where there are enough.
    static func keep(_ page: UnsafeMutableRawPointer) -> Bool {
      let address = UInt(bitPattern: page)
      return pages.withLockIfAvailable { pages in
        guard pages.count < limit else { return false }
        pages.append(address)
        return true
      } ?? false
    }
  }
#endif
