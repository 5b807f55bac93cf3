import Glibc
import SignetTestKit
import Testing

/// charging.pml, in which spin tries every order of what logins, readers, crashes and root do; and the same steps on the real account.
@Suite struct ProtocolTests {
  private static let model = String(#filePath.dropLast("ProtocolTests.swift".count)) + "charging.pml"

  /// What spin's verifier says of the model with these definitions.
  private func verify(_ definitions: [String] = [], optimised: String = "-O1") throws -> Substring {
    let folder = try TemporaryFolder()
    let compile = "cc -w \(optimised) -DSAFETY -DCOLLAPSE -o pan pan.c"
    let make = "cd \(folder.path) && spin -a \(definitions.joined(separator: " ")) \(Self.model) && \(compile)"
    _ = try Program.output(["sh", "-c", "{ \(make); } >&2"])
    return try Program.output(["sh", "-c", "cd \(folder.path) && ./pan -m2000000 || :"])[...]
  }

  @Test func `no order of the steps gives a sixth look, or takes a strike for a cancel without a finger`() throws {
    let report = try verify(optimised: "-O2")
    #expect(report.contains("errors: 0\n"), "\(report)")
    #expect(!report.contains("max search depth too small"), "\(report)")
    let unreached = report.split(separator: "\n").filter { $0.contains("charging.pml:") }
    #expect(unreached.count == 3 && unreached.allSatisfy { $0.contains("\"-end-\"") }, "a step is never taken: \(unreached)")
  }

  @Test(arguments: [
    (1, "looks<=5", "the charge is not on the disk before the reader is armed"),
    (2, "looks<=5", "a strike is given back though a finger was there before the cancel"),
    (3, "looks<=5", "a strike is given back where the reader was pulled out"),
    (4, "looks<=5", "a lower count on the disk is believed"),
    (5, "isRequested", "a match counts though a lock came before it"),
    (6, "looks<=5", "a second reader's verdict is told, too"),
    (7, "looks<=5", "a record that is lost is none"),
    (8, "sawFinger", "a cancel without a finger costs a strike"),
  ])
  func `a fault in the protocol is found`(number: Int, promise: String, fault: String) throws {
    let report = try verify(["-DFAULT=\(number)"])
    let found = report.split(separator: "\n").first { $0.contains("assertion violated") } ?? ""
    #expect(found.contains(promise), "\(fault): \(report)")
  }

  /// As many of the model's steps, by chance, as this number begins.
  @Test(arguments: 1...6) func `the real account counts as the model does, step by step`(seed: Int) throws {
    let folder = try TemporaryFolder()
    let steps = try Program.output(["sh", "-c", "cd \(folder.path) && spin -DREST=30 -T -n\(seed) -u20000 \(Self.model)"])
      .split(separator: "\n").compactMap(ModelStep.init)
    #expect(steps.count > 500)
    #expect(Set(steps.map(\.event)) == Set(ModelStep.Event.allCases), "each kind of step is among them")
    let replay = try Replay()
    for (index, step) in steps.enumerated() {
      try replay.happen(step)
      guard try replay.strikes == step.strikes else {
        let before = steps[max(0, index - 20)...index].map { "\($0.event) \($0.number)" }.joined(separator: ", ")
        Issue.record("\(try replay.strikes) strikes, and \(step.strikes) in the model, after: \(before)")
        return
      }
    }
  }
}
