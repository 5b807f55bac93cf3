import CLinux

/// Keeps the heap small. Matching an image takes megabytes for a moment, and libusb runs a thread: with glibc's defaults
/// the process would keep the most it ever held, in several arenas.
func prepareMemory() {
  mallopt(M_ARENA_MAX, 1)
  mallopt(M_TRIM_THRESHOLD, 128 * 1024)
  mallopt(M_MMAP_THRESHOLD, 64 * 1024)
}

/// Gives freed memory back to the kernel once a reader is closed, and with it what libfprint freed of the templates.
func releaseFreeMemory() { malloc_trim(0) }
