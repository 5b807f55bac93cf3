import ArgumentParser
import CLinux
import Glibc
import SignetClient
import SignetLanguage
import SignetScenarios
import SignetVocabulary
import SignetWords

struct SelftestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest", abstract: say("Test a fingerprint reader by hand, and write a report of it."),
    discussion: say(
      """
      Leads you through what a reader has to stand: touches, misses, a cancel, pulling it out. Enrolls one finger and deletes it at \
      the end. The report has nothing of a finger in it.
      """))

  @Option(
    name: .long, help: ArgumentHelp(say("Which reader, by its identifier from `signet readers`."), valueName: "id"),
    completion: Completions.readers)
  var reader = ""
  @Option(
    name: .long, help: ArgumentHelp(say("A program that does what a person would; see signet(1)."), valueName: "path"),
    completion: .file())
  var hand: String?
  @Option(name: .long, help: ArgumentHelp(say("Only this step; may be given several times."), valueName: "name"))
  var step: [String] = []
  @Option(
    name: .long, help: ArgumentHelp(say("Where the report goes, without .md and .json."), valueName: "path"), completion: .file())
  var output = "signet-selftest"
  @OptionGroup var helper: HelperOptions

  func validate() throws {
    guard reader.utf8.count <= FieldLimit.name else {
      throw ValidationError(say("--reader: `signet readers` shows the identifiers."))
    }
    for name in step where Scenario.named(name) == nil {
      throw ValidationError(SelftestText.noScenario(name, Scenario.all.map(\.name)))
    }
  }

  func run() throws {
    let scenarios = step.isEmpty ? Scenario.all : Scenario.all.filter { step.contains($0.name) }
    let hand: any Hand = if let path = self.hand { try ProgramHand(path) } else { PersonHand() }
    if hand.isPerson, isatty(STDIN_FILENO) != 1 || isatty(STDERR_FILENO) != 1 {
      throw CommandFailure(.usage, SelftestText.needsTerminal)
    }
    let report: RunReport
    do throws(Stop) {
      report = try SelftestRun(scenarios, hand, reader: reader, socket: helper.socket).report()
    } catch {
      switch error {
      case .interrupted(let signal): throw CommandFailure.interrupted(by: signal)
      case .cannot(let reason), .wrong(let reason): throw CommandFailure(.refused, say(reason))
      }
    }
    for (text, ending) in try [(report.markdown, ".md"), (Report.text(of: report) + "\n", ".json")] {
      try NewFile.write(Array(text.utf8), to: output + ending, orSay: SelftestText.unwritten)
    }
    Report.say(SelftestText.written(output))
    if report.hasFailed { throw CommandFailure(.refused, SelftestText.failedInAll) }
  }
}
