import Glibc
import SignetScenarios
import SignetTestKit
import Testing

/// Level 1: every scenario on libfprint's virtual readers, each with a signetd of its own.
@Suite struct VirtualReaderTests {
  /// A reader and a scenario.
  struct Case: CustomTestStringConvertible, Sendable {
    var kind: VirtualReader.Kind
    var scenario: Scenario
    var testDescription: String { "\(scenario.name) on \(kind.rawValue)" }
  }

  static let cases = [VirtualReader.Kind.device, .storage, .image].flatMap { kind in
    Scenario.all.map { Case(kind: kind, scenario: $0) }
  }

  /// What a virtual reader cannot play. Everything else has to pass.
  private static let holes: [VirtualReader.Kind: Set<String>] = [
    .device: ["duplicate", "replug", "freeze", "storage-full"], .storage: ["replug", "freeze"],
    .image: ["unplug", "replug", "storage-full"],
  ]

  @Test(arguments: cases) func `a virtual reader stands it`(test: Case) throws {
    let second = try VirtualReader(test.kind == .device ? .storage : .device)
    let isTwo = test.scenario.name == "two-readers"
    let scene = try Scene(test.kind, enrolls: false, configuration: isTwo ? second.configuration : "")
    let stage = Stage(socket: scene.daemon.socket, hand: VirtualHand(scene), reader: isTwo ? scene.reader.identifier : "")
    let result = try test.scenario.play(on: stage)
    let report = RunReport(level: .virtual, place: test.kind.rawValue, results: [result])
    _ = try MatrixFile.add(report)

    var holes = Self.holes[test.kind, default: []]
    if geteuid() != 0 { holes.insert("suspend") }
    // A virtual reader that comes back by itself may do so in time.
    let allowed: [ScenarioResult.Outcome] = holes.contains(test.scenario.name) ? [.leftOut, .passed] : [.passed]
    #expect(allowed.contains(result.outcome), "\(test.testDescription): \(result.detail)\n\(scene.daemon.loggedSoFar)")
    if result.outcome != .leftOut {
      try stage.finish()
      #expect(try stage.enrolledFingers().isEmpty)
    }
  }

  @Test func `the matrix has no hole without a reason, and says why there are none of a level`() {
    let passed = Scenario.all.dropFirst().map { ScenarioResult(scenario: $0.name, outcome: .passed, milliseconds: 5) }
    let whole = RunReport(
      level: .virtual, place: "device", results: passed + [ScenarioResult(scenario: "enroll", outcome: .leftOut, detail: "a|b")])
    #expect(Matrix([whole]).holes.isEmpty)
    let text = Matrix([whole]).markdown
    #expect(text.contains("| Enroll a finger | - (1) | - (2) | - (3) | - (4) |\n"))
    #expect(text.contains("(1) a b"))
    var silent = whole
    silent.results[silent.results.count - 1].detail = ""
    #expect(Matrix([silent]).holes == ["1 virtual, device: enroll"])
    #expect(Matrix([RunReport(level: .physical, place: "x", results: passed)]).holes == ["4 physical, x: enroll"])
  }

  @Test func `of two runs in one place the later results hold`() {
    func run(_ outcome: ScenarioResult.Outcome) -> RunReport {
      RunReport(level: .virtual, place: "x", results: [ScenarioResult(scenario: "match", outcome: outcome, detail: "why")])
    }
    #expect(Matrix([run(.passed), run(.failed)]).failures == ["1 virtual, x, match: why"])
    #expect(Matrix([run(.failed), run(.passed)]).failures.isEmpty)
  }
}
