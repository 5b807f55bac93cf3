import Glibc

/// The pause between two looks at what a test waits for: short beside any limit, and long enough that those who are waited for get the
/// processor.
public func pauseBeforeNextLook() { usleep(500) }

/// How long a test waits, in milliseconds, for what must come. Only a fault reaches it, however busy the machine is.
public let waitingLimit: Int32 = 120_000

/// Looks until something is so. Throws where that takes longer than so many milliseconds, and says what was waited for.
public func wait(for what: @autoclosure () -> String, within limit: Int64 = Int64(waitingLimit), until isSo: () throws -> Bool)
  throws
{
  let deadline = PAMHost.microseconds() + limit * 1000
  while try !isSo() {
    guard PAMHost.microseconds() < deadline else { throw TestKitError("waited for \(what()) in vain") }
    pauseBeforeNextLook()
  }
}
