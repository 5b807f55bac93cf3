import Glibc
import SignetTestKit

/// A folder of the test's own, removed when the object goes.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/signet-state-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestKitError("mkdtemp failed") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { removeTree(path) }
}
