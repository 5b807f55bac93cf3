/// Scenarios against the readers of all levels, put together from the reports of several runs.
public struct Matrix: Sendable {
  public let runs: [RunReport]

  /// Of two runs in the same place the results of the later one hold.
  public init(_ reports: [RunReport]) {
    var runs: [RunReport] = []
    for report in reports {
      guard let index = runs.firstIndex(where: { $0.level == report.level && $0.place == report.place }) else {
        runs.append(report)
        continue
      }
      let old = runs[index].results.filter { result in !report.results.contains { $0.scenario == result.scenario } }
      runs[index].results = old + report.results
    }
    self.runs = runs.sorted { ($0.level, $0.place) < ($1.level, $1.place) }
  }

  /// Scenarios of a run of which nothing is said, neither a result nor why there is none.
  public var holes: [String] {
    runs.flatMap { run in
      Scenario.all.filter { scenario in
        !run.results.contains { $0.scenario == scenario.name && ($0.outcome != .leftOut || !$0.detail.isEmpty) }
      }.map { "\(run.level.title), \(run.place): \($0.name)" }
    }
  }

  public var failures: [String] {
    runs.flatMap { run in
      run.results.filter { $0.outcome == .failed }.map { "\(run.level.title), \(run.place), \($0.scenario): \($0.detail)" }
    }
  }

  public var markdown: String {
    var notes: [String] = []
    func note(_ text: String) -> String {
      let text = Markdown.cell(text)
      let index = notes.firstIndex(of: text) ?? notes.count
      if index == notes.count { notes.append(text) }
      return "(\(index + 1))"
    }
    let empty = Level.allCases.filter { level in !runs.contains { $0.level == level } }
    let columns = runs.map { "\($0.level.title): \(Markdown.cell($0.place))" } + empty.map(\.title)
    var lines = ["# Scenarios and readers", ""]
    lines.append("| scenario | " + columns.joined(separator: " | ") + " |")
    lines.append("|---|" + columns.map { _ in "---|" }.joined())
    for scenario in Scenario.all {
      let cells = runs.map { run in
        guard let result = run.results.first(where: { $0.scenario == scenario.name }) else { return "**nothing is said**" }
        return switch result.outcome {
        case .passed: "\(result.milliseconds) ms"
        case .failed: "**failed** \(note(result.detail))"
        case .leftOut: "- \(note(result.detail))"
        }
      }
      let rest = empty.map { "- \(note($0.reasonWithoutRun))" }
      lines.append("| \(scenario.title.english) | " + (cells + rest).joined(separator: " | ") + " |")
    }
    lines.append("")
    for (index, text) in notes.enumerated() { lines.append("(\(index + 1)) \(text)  ") }
    return lines.joined(separator: "\n") + "\n"
  }
}
