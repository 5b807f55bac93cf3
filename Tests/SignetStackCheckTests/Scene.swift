import Glibc
import SignetStackCheck
import SignetTestKit

/// A folder of service files.
final class Scene {
  let folder: String

  /// Files by name; `other` refuses, as Debian's does where nobody changed it.
  init(_ files: [String: String]) throws {
    folder = try makeTemporaryFolder("stacks")
    try write("other", "auth required pam_deny.so\n")
    for (name, text) in files { try write(name, text) }
  }

  deinit { removeTree(folder) }

  func write(_ name: String, _ text: String) throws { try write(name, Array(text.utf8)) }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    guard let file = fopen("\(folder)/\(name)", "w") else { throw TestKitError("\(folder)/\(name): \(errno)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw TestKitError("\(folder)/\(name): \(errno)") }
  }

  func text(_ name: String) throws -> String { try RawFile.text("\(folder)/\(name)") }

  func check(_ service: String = "sudo") throws -> ServiceReport { try stackCheck().check(service) }

  func stackCheck() throws -> StackCheck { StackCheck(folder: folder, program: try ReaderChannel.program("signet-stack")) }

  /// Checks one service with this auth stack.
  static func check(_ auth: String, as service: String = "sudo") throws -> ServiceReport {
    try Scene([service: auth]).check(service)
  }
}

extension ServiceReport {
  /// `kind file:line` of each fault.
  var findings: [String] {
    faults.map { "\($0.kind) \($0.place.file.split(separator: "/").last ?? ""):\($0.place.line)" }
  }
}
