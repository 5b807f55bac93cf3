/// Every way through a stack, each once: where libpam comes to a line, each of the line's answers is tried in turn.
///
/// Lines that libpam does not come to are no choice, so there are as many runs as ways, not as combinations of answers.
struct Search {
  /// Of each entry.
  var answers: [[ReturnName]]
  /// More runs than any sensible stack has ways.
  static let mostRuns = 10_000

  enum End: Equatable {
    case complete
    /// The visitor had seen enough.
    case stopped
    case tooMany
  }

  /// Calls `visit` with the answers and what libpam made of them, until it says false.
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

  /// What circumstances can make of it.
  var circumstances: [ReturnName] { [.success] + refusals }
}
