import Foundation
import SignetScenarios

/// `.build/hardware-matrix.json` and `.md`: what scenarios made of the readers that the tests have.
enum MatrixFile {
  private static let folder = String(#filePath.split(separator: "/Tests/HardwareTests/")[0]) + "/.build"

  /// Adds a run. Tests run side by side, and in several processes.
  static func add(_ report: RunReport) throws -> Matrix {
    let path = folder + "/hardware-matrix"
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(lock) }
    guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw CocoaError(.fileWriteUnknown) }
    let before = try? JSONDecoder().decode([RunReport].self, from: Data(contentsOf: URL(filePath: path + ".json")))
    let reports = MatrixFile.merged((before ?? []) + [report])
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(reports).write(to: URL(filePath: path + ".json"), options: .atomic)
    let matrix = Matrix(reports)
    try Data(matrix.markdown.utf8).write(to: URL(filePath: path + ".md"), options: .atomic)
    return matrix
  }

  /// One report a place: each test adds one scenario to it.
  private static func merged(_ reports: [RunReport]) -> [RunReport] { Matrix(reports).runs }
}
