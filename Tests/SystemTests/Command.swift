import Foundation
import SignetTestKit
import Testing

/// A finished program: its exit status, and what it wrote to both outputs.
struct Command {
  let status: Int32
  let output: String

  /// Runs a program to its end; `environment` replaces the test's own where it is given.
  init(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let environment { process.environment = environment }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let written = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    status = process.terminationStatus
    output = String(decoding: written, as: UTF8.self)
  }
}

/// A directory that goes away with the value.
final class TemporaryDirectory {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "signet-system-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func makeDirectory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
  }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }
}

/// The checkout that these tests were built from.
enum Checkout {
  static let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// With what the compiler finds its programs and keeps its caches.
  static let environment = ["PATH", "HOME"].compactMap { name in
    ProcessInfo.processInfo.environment[name].map { "\(name)=\($0)" }
  }

  /// SwiftPM's own program: a wrapper around it may wait for the run of these tests.
  static func packageManager() throws -> String {
    let about = try Program.output(["swiftc", "-print-target-info"], environment: environment)
    let information = try JSONSerialization.jsonObject(with: Data(about.utf8)) as? [String: Any]
    let paths = information?["paths"] as? [String: Any]
    let resources = try #require(paths?["runtimeResourcePath"] as? String)
    return URL(filePath: resources).deletingLastPathComponent().deletingLastPathComponent().appending(path: "bin/swift").path()
  }

  /// The release build, where `make test` has made one.
  static let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"]
}
