/// Which line made a run end as it did: libpam's rules (pam.conf(5)), applied to the lines that libpam came to.
///
/// It only explains. The proof is libpam's own result, and every run is checked to have the result that this arrives at.
struct Explanation {
  struct Step {
    var entry: Entry
    var code: ReturnName
    var action: Action
  }

  private(set) var steps: [Step] = []
  /// The step by whose success the whole stack succeeds.
  private(set) var granting: Int?
  /// The step after which no success counts any more.
  private(set) var failing: Int?

  private enum Impression { case none, good, bad }
  private var impression = Impression.none
  private var code = ReturnName.permissionDenied
  /// What held when each substack was entered: the action `reset` goes back to it.
  private var saved: [Int: (Impression, ReturnName)] = [:]

  init(_ trial: Trial, _ answers: [ReturnName], of stack: Stack) {
    for step in trial.steps {
      let entry = stack.entries[step.number]
      for substack in entry.substacks where saved[substack] == nil { saved[substack] = (impression, code) }
      take(Step(entry: entry, code: answers[step.number], action: entry.control[answers[step.number]]), step.isBadJump)
    }
  }

  var result: ReturnName {
    if steps.last?.code == .incomplete { return .incomplete }
    return code == .success && impression != .good ? .permissionDenied : code
  }

  private mutating func take(_ step: Step, _ isBadJump: Bool) {
    steps.append(step)
    switch step.action {
    case .ignore: break
    case .ok, .done: allow(step)
    case .bad, .die: refuse(step.code == .ignore ? .permissionDenied : step.code)
    case .reset: (impression, code) = step.entry.substacks.last.flatMap { saved[$0] } ?? (.none, .permissionDenied)
    case .jump: if isBadJump { refuse(.permissionDenied, always: true) }
    }
  }

  private mutating func allow(_ step: Step) {
    guard impression == .none || (impression == .good && code == .success) else { return }
    impression = .good
    code = step.code
    if step.code == .success { granting = granting ?? steps.count - 1 } else { failing = steps.count - 1 }
  }

  private mutating func refuse(_ code: ReturnName, always: Bool = false) {
    guard impression != .bad || always else { return }
    if impression != .bad { failing = steps.count - 1 }
    impression = .bad
    self.code = code
  }
}

extension Explanation {
  func has(_ kind: ModuleKind) -> Bool { steps.contains { $0.entry.kind == kind } }

  /// The last line before `end` that jumps over a line of these kinds, and the first such line.
  func jump(over kinds: Set<ModuleKind>, before end: Int, in stack: Stack) -> (step: Int, skipped: Entry)? {
    for index in steps[..<min(end, steps.count)].indices.reversed() {
      guard case .jump = steps[index].action else { continue }
      let next = index + 1 < steps.count ? steps[index + 1].entry.number : stack.entries.count
      let skipped = stack.entries[min(steps[index].entry.number + 1, next)..<next]
      if let first = skipped.first(where: { kinds.contains($0.kind) }) { return (index, first) }
    }
    return nil
  }
}
