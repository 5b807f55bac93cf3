import Glibc

/// The pause between two looks at what a test waits for: short beside any limit, and long enough that those who are waited for get the
/// processor.
public func pauseBeforeNextLook() { usleep(500) }

/// Looks until something is so. Throws, with its name, where that takes longer than so many milliseconds.
public func wait(for what: String, within limit: Int64 = 30_000, until isSo: () throws -> Bool) throws {
  let deadline = PAMHost.microseconds() + limit * 1000
  while try !isSo() {
    guard PAMHost.microseconds() < deadline else { throw TestKitError("waited for \(what) in vain") }
    pauseBeforeNextLook()
  }
}
