/// Runs every way through a stack once: at each line that libpam comes to, each of the line's answers is tried in turn.
///
/// Answers of lines that libpam does not come to make no difference and are not varied. So there are as many runs as ways
/// through the stack, which are far fewer than combinations of answers.
struct Search {
  /// The answers to try, for each entry.
  var answers: [[ReturnName]]
  /// No sensible stack has as many ways.
  static let mostRuns = 10_000

  enum End: Equatable {
    case complete
    /// The visitor had seen enough.
    case stopped
    case tooMany
  }

  /// Calls `visit` with the answers and what libpam made of them, until `visit` returns false.
  func run(in trials: Trials, _ visit: ([ReturnName], Trial) -> Bool) -> End {
    var path: [(entry: Int, choice: Int)] = []
    for _ in 0..<Search.mostRuns {
      var chosen = answers.map { $0[0] }
      for step in path { chosen[step.entry] = answers[step.entry][step.choice] }
      let trial = trials.run(chosen)
      guard visit(chosen, trial) else { return .stopped }
      path += trial.steps.dropFirst(path.count).map { ($0.number, 0) }
      while let last = path.last, last.choice + 1 == answers[last.entry].count { path.removeLast() }
      guard !path.isEmpty else { return .complete }
      path[path.count - 1].choice += 1
    }
    return .tooMany
  }
}

extension Entry {
  /// The answers of a module that has seen no credential: one for each action that its line gives to them.
  var refusals: [ReturnName] {
    var seen: Set<Action> = []
    return ReturnName.refusals.filter { ($0 != .ignore || module.mayIgnore) && seen.insert(control[$0]).inserted }
  }

  /// Every answer that a condition may give, success included.
  var circumstances: [ReturnName] { [.success] + refusals }
}
