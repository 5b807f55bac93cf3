import Glibc
import SignetTestKit

/// A folder of the test's own, removed when the object goes.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = try makeTemporaryFolder("state")
  }

  deinit { removeTree(path) }
}
