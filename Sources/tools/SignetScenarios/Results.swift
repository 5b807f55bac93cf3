import SignetClient
import SignetLanguage

/// What came of one scenario. Nothing in it is of a finger.
public struct ScenarioResult: Codable, Equatable, Sendable {
  public enum Outcome: String, Codable, Sendable {
    case passed, failed
    /// It could not run here.
    case leftOut = "left out"
  }

  public var scenario: String
  public var outcome: Outcome
  /// What was seen in the place of what must be, or why it could not run; empty where it passed.
  public var detail: String
  public var milliseconds: Int
  /// What parts of it took, in milliseconds.
  public var timings: [String: Int]
  /// What `detail` says, to say it in another language: a report is English, for who mends Signet.
  public var words: Sentence?

  private enum CodingKeys: CodingKey { case scenario, outcome, detail, milliseconds, timings }

  public init(scenario: String, outcome: Outcome, detail: String = "", milliseconds: Int = 0, timings: [String: Int] = [:]) {
    self.scenario = scenario
    self.outcome = outcome
    self.detail = detail
    self.milliseconds = milliseconds
    self.timings = timings
  }
}

extension Scenario {
  /// Plays it to its end. Throws where a signal ends the run.
  public func play(on stage: Stage) throws(Stop) -> ScenarioResult {
    let start = Clock.milliseconds()
    stage.forgetTimings()
    var result = ScenarioResult(scenario: name, outcome: .passed)
    do throws(Stop) {
      try play(stage)
      result.timings = stage.timings
    } catch {
      try result.end(by: error)
      result.timings = stage.timings
    }
    result.milliseconds = Int(clamping: Clock.milliseconds() - start)
    do throws(Stop) { try stage.settle() } catch {
      var settled = result
      try settled.end(by: error)
      // The next scenario begins with these strikes; that is worth to know only where nothing else went wrong.
      if result.outcome == .passed, settled.outcome == .failed { result = settled }
    }
    return result
  }
}

extension ScenarioResult {
  fileprivate mutating func end(by stop: Stop) throws(Stop) {
    switch stop {
    case .cannot(let reason): (outcome, words) = (.leftOut, reason)
    case .wrong(let what): (outcome, words) = (.failed, what)
    case .interrupted: throw stop
    }
    detail = words?.english ?? ""
  }
}
