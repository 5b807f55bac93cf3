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
