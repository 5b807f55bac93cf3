#if !hasFeature(Embedded)
  import CLinux
  import Synchronization

  /// Single pages that held secrets, were wiped, and will hold others: mapping, locking and unmapping one takes five system
  /// calls, the last of which interrupts the other processors, and signetd uses several for each item that it releases.
  ///
  /// No page is kept until a program asks for it. One that forks and goes on in the child must not: another thread may hold the
  /// lock at that moment, and nobody gives it back in the child.
  public enum FreePages {
    static let size = 4096
    private static let limit = Atomic<Int>(0)
    private static let pages = Mutex<[UInt]>([])

    /// Keeps up to so many pages from now on. They stay locked in memory.
    public static func keep(upTo count: Int) { limit.store(count, ordering: .relaxed) }

    /// A page as mmap(2) gives it, filled with zeros; `nil` where there is none.
    static func take() -> UnsafeMutableRawPointer? {
      guard limit.load(ordering: .relaxed) > 0, let address = pages.withLock({ $0.popLast() }) else { return nil }
      return unsafe UnsafeMutableRawPointer(bitPattern: address)
    }

    /// Keeps a page that was wiped; false where there are enough.
    static func give(_ page: UnsafeMutableRawPointer) -> Bool {
      let limit = limit.load(ordering: .relaxed)
      guard limit > 0 else { return false }
      let address = UInt(bitPattern: page)
      return pages.withLock { pages in
        guard pages.count < limit else { return false }
        pages.append(address)
        return true
      }
    }
  }
#endif
