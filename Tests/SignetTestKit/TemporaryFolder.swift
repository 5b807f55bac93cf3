import CLinux
import Glibc

/// A new folder below another, for its creator only; `removeTree` takes it away again.
public func makeTemporaryFolder(_ purpose: String, in place: String = "/tmp") throws -> String {
  let template = strdup("\(place)/signet-\(purpose)-XXXXXX")
  defer { free(template) }
  guard let template, mkdtemp(template) != nil else { throw TestKitError("mkdtemp: \(clinux_errno())") }
  return String(cString: template)
}

/// Removes a folder with all that is in it; links are not followed.
public func removeTree(_ path: String) {
  if let folder = opendir(path) {
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      let isFolder = entry.pointee.d_type == UInt8(DT_DIR)
      if isFolder { removeTree("\(path)/\(name)") } else { unlink("\(path)/\(name)") }
    }
    closedir(folder)
  }
  rmdir(path)
}

/// A folder of the test's own, removed when the object goes.
public final class TemporaryFolder {
  /// Where it is.
  public let path: String

  public init(in place: String = "/tmp") throws { path = try makeTemporaryFolder("state", in: place) }

  deinit { removeTree(path) }
}
