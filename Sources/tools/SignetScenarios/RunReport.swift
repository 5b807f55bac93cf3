/// How real the reader of a run is.
public enum Level: Int, Codable, CaseIterable, Comparable, Sendable {
  case virtual = 1, recorded, emulated, physical

  public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

  public var title: String {
    switch self {
    case .virtual: "1 virtual"
    case .recorded: "2 recorded"
    case .emulated: "3 emulated"
    case .physical: "4 physical"
    }
  }

  /// Why a matrix may have nothing of it.
  var reasonWithoutRun: String {
    switch self {
    case .virtual: "the tests were not run"
    case .recorded: "no recordings were given: make test RECORDINGS=FOLDER"
    case .emulated: "no virtual machine ran: signet selftest --hand PROGRAM inside one"
    case .physical: "no reader was on the desk: make test-reader"
    }
  }
}

/// What a run says of a reader, to attach to a report of a bug. Nothing in it is of a finger, and nothing of its user.
public struct RunReport: Codable, Sendable {
  public struct Reader: Codable, Sendable {
    public var name: String
    public var driver: String
    /// `press` or `swipe`.
    public var scan: String
    public var canIdentify: Bool
    public var hasStorage: Bool
    public var enrollStages: Int

    public init(name: String, driver: String, scan: String, canIdentify: Bool, hasStorage: Bool, enrollStages: Int) {
      self.name = name
      self.driver = driver
      self.scan = scan
      self.canIdentify = canIdentify
      self.hasStorage = hasStorage
      self.enrollStages = enrollStages
    }
  }

  /// Changes with the meaning of a field.
  public var format = 1
  public var level: Level
  /// Which reader of this level: the column of a matrix.
  public var place: String
  public var reader: Reader?
  public var system: SystemFacts?
  public var results: [ScenarioResult]

  public init(
    level: Level, place: String, reader: Reader? = nil, system: SystemFacts? = nil, results: [ScenarioResult] = []
  ) {
    self.level = level
    self.place = place
    self.reader = reader
    self.system = system
    self.results = results
  }

  public var hasFailed: Bool { results.contains { $0.outcome == .failed } }

  public var markdown: String {
    var lines = ["# What Signet saw of a fingerprint reader", ""]
    func fact(_ name: String, _ value: String) { lines.append("- \(name): \(Markdown.cell(value))") }
    if let reader {
      fact("reader", "\(reader.name), driver \(reader.driver), \(reader.scan)")
      fact("matching", reader.hasStorage ? "on the reader" : "in signet-reader")
      fact("touches to enroll", "\(reader.enrollStages)")
    }
    if let system {
      for device in system.devices { fact("device", device) }
      fact("libfprint", system.libfprint)
      fact("Signet", system.signet)
      fact("kernel", system.kernel)
    }
    lines += ["", "| scenario | outcome | ms | what was seen |", "|---|---|---:|---|"]
    for result in results {
      let title = Scenario.named(result.scenario)?.title.english ?? result.scenario
      let times = result.timings.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value) ms" }
      let seen = ([result.detail] + times).filter { !$0.isEmpty }.joined(separator: "; ")
      lines.append("| \(title) | \(result.outcome.rawValue) | \(result.milliseconds) | \(Markdown.cell(seen)) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

enum Markdown {
  /// A text that stays in its cell.
  static func cell(_ text: String) -> String {
    String(text.map { $0 == "|" || $0.isNewline ? " " : $0 })
  }
}
