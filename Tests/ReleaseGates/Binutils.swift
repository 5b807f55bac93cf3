import Foundation
import Testing

/// The lines that a program of binutils prints.
func run(_ words: String...) throws -> [String] {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  try #require(process.terminationStatus == 0, "\(words[0]) failed; is binutils installed?")
  return text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
}

/// How many bytes a program or library has once it is installed. Tests of several run at the same time, each with a file of its own.
func strippedSize(of file: String) throws -> Int {
  let stripped = FileManager.default.temporaryDirectory.appendingPathComponent("stripped-\(UUID())")
  defer { try? FileManager.default.removeItem(at: stripped) }
  _ = try run("strip", "-o", stripped.path, file)
  return try #require(try FileManager.default.attributesOfItem(atPath: stripped.path)[.size] as? Int)
}
