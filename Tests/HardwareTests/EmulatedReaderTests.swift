import Foundation
import SignetScenarios
import Testing

/// The folder with the reports of `make test-vm`'s emulated readers.
private let folder = ProcessInfo.processInfo.environment["SIGNET_EMULATED"] ?? ""

@Suite(.enabled(if: !folder.isEmpty, "no virtual machine ran (SIGNET_EMULATED), as `make test-vm` starts one"))
struct EmulatedReaderTests {
  @Test func `what ran in the virtual machine joins the matrix, which has no hole`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }
    #expect(!names.isEmpty)
    for name in names {
      let report = try JSONDecoder().decode(RunReport.self, from: Data(contentsOf: URL(filePath: folder + "/" + name)))
      #expect(report.level == .emulated)
      let matrix = try MatrixFile.add(report)
      #expect(matrix.holes == [])
      #expect(matrix.failures == [])
    }
  }
}
