import SignetLanguage

/// Tries every way through one stack, and collects the faults it finds into a report.
struct StackProver {
  let stack: Stack
  let trials: Trials
  var report = ServiceReport(service: "")
  /// Where the service turns people away on purpose, which is no fault.
  private var closings: Set<Remark> = []

  init(stack: Stack, trials: Trials) {
    self.stack = stack
    self.trials = trials
  }

  mutating func report(on service: String) -> ServiceReport {
    report.service = service
    report.hasSignet = stack.entries.contains { $0.kind == .signet }
    stack.faults.forEach { add($0) }
    proveNobodyComesInWithoutCredential()
    if !StackCheck.servicesBesideOthers.contains(service) { provePasscodeIsReached() }
    if service == StackCheck.passcodeService {
      proveOneQuestion()
      proveGuessesAreCounted()
    } else {
      tryFinger()
    }
    remark()
    report.runs = trials.count
    return report
  }

  mutating func add(_ fault: Fault) {
    if !report.faults.contains(where: { $0.kind == fault.kind && $0.place == fault.place }) { report.faults.append(fault) }
  }

  // MARK: - Without a credential

  private mutating func proveNobodyComesInWithoutCredential() {
    let answers = stack.entries.map { entry -> [ReturnName] in
      switch entry.kind {
      case .signet: ReturnName.refusalsOfSignet
      case .passcode, .factor, .identity: entry.refusals
      case .condition: entry.circumstances
      case .permit: [.success]
      case .deny: [.authError]
      }
    }
    search(answers) { prover, chosen, trial in
      if trial.result == .success { prover.add(prover.faultThatLetsIn(prover.explanation(trial, chosen))) }
    }
  }

  // MARK: - Without a reader

  private mutating func provePasscodeIsReached() {
    search(answersWithoutReader) { prover, chosen, trial in
      // A user who has only the passcode; one who has the other credential as well, which the stack may ask for besides;
      // and one whom an identity module lets in on top of that.
      var refusals: [([ReturnName], Trial)] = []
      for kinds in [[], [.factor], [.factor, .identity]] as [[ModuleKind]] {
        let answers = prover.changed(chosen) { kinds.contains($0.kind) }
        let trial = kinds.isEmpty || answers == chosen ? trial : prover.trials.run(answers)
        if prover.isByPasscode(trial) { return }
        refusals.append((answers, trial))
      }
      prover.addFault(of: refusals)
    }
  }

  private var answersWithoutReader: [[ReturnName]] {
    stack.entries.map { entry in
      switch entry.kind {
      case .signet: ReturnName.unavailable
      case .passcode, .permit: [.success]
      case .factor, .identity, .deny: [.authError]
      case .condition: entry.circumstances
      }
    }
  }

  private func isByPasscode(_ trial: Trial) -> Bool {
    trial.result == .success && trial.steps.contains { stack.entries[$0.number].kind == .passcode }
  }

  /// The same answers, with success in place of those of some entries.
  private func changed(_ chosen: [ReturnName], _ isChanged: (Entry) -> Bool) -> [ReturnName] {
    zip(stack.entries, chosen).map { isChanged($0) ? .success : $1 }
  }

  /// Adds the fault of a way on which nobody gets in by passcode, unless the service is closed on purpose, for example by
  /// pam_nologin. Of these runs, the first one that did not end at another credential shows which line it is.
  private mutating func addFault(of refusals: [([ReturnName], Trial)]) {
    let others: [ModuleKind] = [.factor, .identity]
    for (index, (chosen, trial)) in refusals.enumerated() {
      let explanation = explanation(trial, chosen)
      let ending = explanation.failing.map { explanation.steps[$0].entry.kind }
      if index + 1 < refusals.count, let ending, others.contains(ending) { continue }
      // Here a line decided that libpam cannot read, and that line is reported already.
      guard stack.faults.isEmpty || explanation.result == trial.result && !explanation.steps.isEmpty else { return }
      if !isClosedOnPurpose(explanation, chosen) { add(faultThatShutsOut(explanation)) }
      return
    }
  }

  private mutating func isClosedOnPurpose(_ explanation: Explanation, _ chosen: [ReturnName]) -> Bool {
    if let failing = explanation.failing {
      let step = explanation.steps[failing]
      let isRefusal = step.code != .success && (step.action == .bad || step.action == .die)
      if step.entry.kind == .condition, isRefusal { return true }
      // A condition led to pam_deny before anybody could show a finger or a passcode.
      if step.entry.kind == .deny, !explanation.has(.signet), !explanation.has(.passcode),
        let condition = explanation.steps[..<failing].last(where: { $0.entry.kind == .condition })
      {
        closings.insert(.closed(condition, by: step.entry))
        return true
      }
    }
    guard explanation.has(.passcode) else { return false }
    // The passcode was asked for; if the stack succeeds once every condition holds, a condition refused.
    return isByPasscode(trials.run(changed(chosen, { $0.kind == .condition })))
  }

  // MARK: - One question

  private mutating func proveOneQuestion() {
    search(answersWithoutReader) { prover, chosen, trial in
      var asked = 0
      for step in trial.steps {
        let entry = prover.stack.entries[step.number]
        let asks = entry.kind == .passcode ? asked == 0 || !entry.reusesPasscode : entry.module.asks
        if asks { asked += 1 }
        if asks, asked == 2 { prover.add(.secondQuestion(entry)) }
      }
    }
  }

  // MARK: - With a finger

  /// A finger that matches must let the user in, in some circumstances at least.
  private mutating func tryFinger() {
    guard report.hasSignet, stack.faults.isEmpty else { return }
    if findsWay(with: [.signet, .permit]) { return }
    guard let line = stack.entries.first(where: { $0.kind == .signet }) else { return }
    if findsWay(with: [.signet, .permit, .passcode, .factor, .identity]) {
      report.remarks.append(
        Remark(place: line.place, text: say("A finger is asked for, but never enough: another credential is needed as well.")))
    } else if !report.faults.contains(where: { $0.kind == .badJump && $0.place == line.place }) {
      add(.fingerRefused(line, landing: landing(of: line)))
    }
  }

  private mutating func findsWay(with kinds: Set<ModuleKind>) -> Bool {
    let answers = stack.entries.map { entry -> [ReturnName] in
      if kinds.contains(entry.kind) { return [.success] }
      return entry.kind == .condition ? entry.circumstances : [.authError]
    }
    var prover = self
    let end = Search(answers: answers).run(in: trials) { chosen, trial in
      prover.noteBadJumps(chosen, trial)
      return trial.result != .success
    }
    self = prover
    return end == .stopped
  }

  /// The line that libpam comes to after a matching finger.
  private func landing(of line: Entry) -> Entry? {
    let answers = stack.entries.map { $0.kind == .deny ? ReturnName.authError : .success }
    let steps = trials.run(answers).steps
    guard let index = steps.firstIndex(where: { $0.number == line.number }), index + 1 < steps.count else { return nil }
    return stack.entries[steps[index + 1].number]
  }

  // MARK: - Runs

  /// Visits every way through the stack with these answers. Whatever prevents that leaves the stack unproven: a fault.
  mutating func search(_ answers: [[ReturnName]], _ visit: (inout StackProver, [ReturnName], Trial) -> Void) {
    guard !report.faults.contains(where: { $0.kind == .notProven }) else { return }
    var end = explore(answers, visit)
    // There are too many ways. Where a line gives the same action to several answers, libpam goes on in the same way after
    // each of them, so it is enough to try one.
    if end == .tooMany { end = explore(onePerAction(answers), visit) }
    if end == .tooMany {
      add(.notProven(stack.place, say("It has more than \(Search.mostRuns) ways through: not all of them were tried.")))
    }
  }

  private mutating func explore(
    _ answers: [[ReturnName]], _ visit: (inout StackProver, [ReturnName], Trial) -> Void
  ) -> Search.End {
    var prover = self
    let end = Search(answers: answers).run(in: trials) { chosen, trial in
      guard prover.isSound(chosen, trial) else { return false }
      visit(&prover, chosen, trial)
      return true
    }
    self = prover
    return end
  }

  /// Of each entry's answers, one for each action that its line gives to them.
  private func onePerAction(_ answers: [[ReturnName]]) -> [[ReturnName]] {
    zip(stack.entries, answers).map { entry, answers in
      var seen: Set<Action> = []
      // These two always stay: libpam hands `incomplete` to its caller at once, and `isSound` runs `moduleUnknown` again.
      return answers.filter { $0 == .moduleUnknown || $0 == .incomplete || seen.insert(entry.control[$0]).inserted }
    }
  }

  /// Whether libpam gave an answer at all. Adds a fault where its rules do not explain the answer, and for each bad jump.
  private mutating func isSound(_ chosen: [ReturnName], _ trial: Trial) -> Bool {
    guard let result = trial.result else {
      add(.notProven(stack.place, say("libpam crashed on this stack, or did not come back.")))
      return false
    }
    noteBadJumps(chosen, trial)
    // The trace is written by stand-ins, and a module that is missing has none. So a stand-in first answers in its place, to
    // get the trace; a second run without it must have the same result.
    let missing = trial.steps.map(\.number).filter { stack.entries[$0].kind == .signet && chosen[$0] == .moduleUnknown }
    let isSame = missing.isEmpty || trials.run(chosen, missing: Set(missing)).result == result
    let isExplained = explanation(trial, chosen).result == result || !stack.faults.isEmpty
    if !isSame || !isExplained {
      add(.notProven(stack.place, say("libpam answered \(result.rawValue), which its rules do not explain.")))
    }
    return true
  }

  private mutating func noteBadJumps(_ chosen: [ReturnName], _ trial: Trial) {
    for step in trial.steps where step.isBadJump { add(.badJump(stack.entries[step.number], chosen[step.number])) }
  }

  func explanation(_ trial: Trial, _ chosen: [ReturnName]) -> Explanation { Explanation(trial, chosen, of: stack) }

  /// Services to which our module gives no token, whatever their session lines say: sudo runs in its caller's session.
  private static let withoutToken = [StackCheck.passcodeService, "sudo", "sudo-i"]

  private mutating func remark() {
    report.remarks += closings.sorted { ($0.place?.line ?? 0, $0.text) < ($1.place?.line ?? 0, $1.text) }
    if report.hasSignet, stack.hasSession, !stack.hasSignetSession, !StackProver.withoutToken.contains(report.service) {
      report.remarks.append(
        Remark(
          place: nil,
          text: say("No session line has pam_signet.so, so a session gets no token: session optional pam_signet.so")))
    }
    if report.hasSignet, stack.password.changesPasscode, !stack.password.reachesSignet {
      report.remarks.append(
        Remark(
          place: nil,
          text: say(
            """
            A new passcode does not reach pam_signet.so, so the vault opens with the old one only. Behind the line that changes it: \
            password optional pam_signet.so
            """)))
    }
    remarkUncountedPrompt()
    remarkAccountLines()
    for entry in stack.entries {
      if entry.module.reason.hasPrefix("unknown") {
        report.remarks.append(
          Remark(place: entry.place, text: say("\(entry.module.name) is unknown, so it is taken for a credential.")))
      }
      if entry.kind == .passcode, entry.arguments.contains("nullok") {
        report.remarks.append(Remark(place: entry.place, text: say("nullok: a user with an empty passcode gets in with it.")))
      }
    }
  }
}
