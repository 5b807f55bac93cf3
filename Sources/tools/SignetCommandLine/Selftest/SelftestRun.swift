import Glibc
import SignetClient
import SignetContexts
import SignetLanguage
import SignetScenarios
import SignetVocabulary
import SignetWords

/// One run of `signet selftest`, from what is said before it to the finger that is deleted again.
final class SelftestRun {
  private let scenarios: [Scenario]
  private let hand: any Hand
  private let stage: Stage

  init(_ scenarios: [Scenario], _ hand: any Hand, reader: String, socket: String) throws(Stop) {
    self.scenarios = scenarios
    self.hand = hand
    let signals = SignalWatch()
    let interruptions = Interruptions(descriptor: signals.held.descriptor) { signals.take() }
    let look = Stage(socket: socket, hand: hand, reader: reader, signals: interruptions)
    // A finger that is enrolled already is all that may be used where a new one would cost the user something.
    let isBound = try look.vaultIsBoundToFingers()
    let finger = isBound ? try look.enrolledFingers().first : nil
    stage = Stage(
      socket: socket, hand: hand, reader: reader, signals: interruptions, finger: finger,
      enrollingIsRefused: isBound ? SelftestText.boundItems : nil)
  }

  /// Plays all of it; whatever ends it, the finger of the run goes.
  func report() throws(Stop) -> RunReport {
    let reader = try stage.reader()
    if hand.isPerson {
      Report.complain(
        lines: SelftestText.introduction(reader: Printable.text(reader.name), scenarios: scenarios.count))
      guard try ["y", "yes"].contains(PersonHand.line(SelftestText.begin).lowercased()) else {
        throw .cannot(SelftestText.notBegun)
      }
    }
    var report = RunReport(
      level: hand.isPerson ? .physical : .emulated, place: reader.driver, reader: RunReport.Reader(reader),
      system: SystemFacts(signet: SignetCommand.configuration.version))
    do throws(Stop) {
      for (index, scenario) in scenarios.enumerated() { report.results.append(try play(scenario, index + 1)) }
    } catch {
      try? stage.finish()
      throw error
    }
    try stage.finish()
    return report
  }

  private func play(_ scenario: Scenario, _ number: Int) throws(Stop) -> ScenarioResult {
    Report.complain(SelftestText.step(number, of: scenarios.count, say(scenario.title)))
    if hand.isPerson {
      if scenario.name == Scenario.lockout.name { Report.complain(SelftestText.locks) }
      if try PersonHand.line(SelftestText.goOn) == "s" {
        return said(SelftestRun.leftOut(scenario))
      }
    }
    return said(try scenario.play(on: stage))
  }

  private static func leftOut(_ scenario: Scenario) -> ScenarioResult {
    var result = ScenarioResult(
      scenario: scenario.name, outcome: .leftOut, detail: SelftestText.leftOutByUser.english)
    result.words = SelftestText.leftOutByUser
    return result
  }

  private func said(_ result: ScenarioResult) -> ScenarioResult {
    switch result.outcome {
    case .passed: Report.complain(SelftestText.passed(result.milliseconds))
    case .failed: Report.complain(SelftestText.failed(result.words.map { say($0) } ?? ""))
    case .leftOut: Report.complain(SelftestText.leftOut(result.words.map { say($0) } ?? ""))
    }
    return result
  }
}

/// Holds signals back for a whole run: a finger that was enrolled for it must not stay behind.
private final class SignalWatch {
  let held = HeldSignals()

  /// The number of a signal that ends the run. The suspend key's stops the process here, as ever.
  func take() -> Int32? {
    guard let signal = held.take() else { return nil }
    guard signal == SIGTSTP else { return signal }
    suspendProcess()
    return nil
  }
}

extension RunReport.Reader {
  /// Without its identifier, which may be a serial number.
  init(_ reader: ReaderDescription) {
    self.init(
      name: reader.name, driver: reader.driver, scan: reader.isSwipe ? "swipe" : "press", canIdentify: reader.canIdentify,
      hasStorage: reader.hasStorage, enrollStages: Int(reader.enrollStages))
  }
}
