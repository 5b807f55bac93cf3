import SignetLanguage

/// Whether signetd learns that a passcode was wrong. It counts what the passcode service refuses, and nothing where the service says
/// that it could not tell.
extension StackProver {
  mutating func proveGuessesAreCounted() {
    let answers = stack.entries.map { entry -> [ReturnName] in
      switch entry.kind {
      case .signet: [.ignore]
      // Where one says no, another may not be reached: sssd has ended, the directory is away.
      case .passcode: entry.module.isRemote ? [.authError, .authInfoUnavailable] : [.authError]
      case .factor, .identity, .deny: [.authError]
      // That a condition itself fails is nothing that whoever guesses brings about.
      case .condition: entry.circumstances.filter { $0 == .success || $0 == .ignore || $0.isRefusal }
      case .permit: [.success]
      }
    }
    search(answers) { prover, chosen, trial in
      let refuses = trial.steps.contains { prover.stack.entries[$0.number].kind == .passcode && chosen[$0.number] == .authError }
      guard refuses, let result = trial.result, result != .success, !result.isRefusal else { return }
      let run = prover.explanation(trial, chosen)
      guard let step = run.failing.map({ run.steps[$0] }) ?? run.steps.last else { return }
      prover.add(.uncountedGuess(step))
    }
  }
}

extension Fault {
  fileprivate static func uncountedGuess(_ step: Explanation.Step) -> Fault {
    Fault(
      .uncountedGuess, step.entry.place,
      // Translators: #2 is a clause such as "answers authinfo_unavail".
      why: say(
        """
        Where \(step.entry.module.name) \(step.code.clause), this line decides, although another one has refused the passcode: signetd \
        cannot tell that it was wrong, and does not count it.
        """),
      instead: say("Write [success=N default=ignore] for each passcode, with a pam_deny.so behind that N jumps over."))
  }
}
