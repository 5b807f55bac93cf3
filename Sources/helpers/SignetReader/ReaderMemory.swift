import CLinux

/// Keeps the heap small. Matching an image takes megabytes for a moment, and libusb runs a thread of its own. With glibc's
/// defaults the process would keep all the memory that it ever had, in several arenas.
func prepareMemory() {
  mallopt(M_ARENA_MAX, 1)
  mallopt(M_TRIM_THRESHOLD, 128 * 1024)
  mallopt(M_MMAP_THRESHOLD, 64 * 1024)
}

/// Gives freed memory back to the kernel once a reader is closed. Templates that libfprint freed without wiping are in it.
func releaseFreeMemory() { malloc_trim(0) }
