import SignetLanguage

/// Where wrong passcodes are counted by nobody. signetd counts those that pam_signet.so asks for; where that is unavailable, as
/// for a user without fingers, the next module asks, and whoever guesses there is not slowed down.
extension StackProver {
  /// Advice and no fault: it is how the stack was before Signet came.
  mutating func remarkUncountedPrompt() {
    guard report.hasSignet, report.service != StackCheck.passcodeService, !stack.entries.contains(where: \.module.counts),
      let prompt = promptBehindSignet()
    else { return }
    report.remarks.append(
      Remark(
        place: prompt.place,
        text: say(
          """
          Where pam_signet.so is unavailable, wrong passcodes at this line are counted by nobody. If others may guess here: \
          pam_faillock.so, as pam_faillock(8) says
          """)))
  }

  /// The first line that asks for a passcode after ours has answered that it is unavailable.
  private func promptBehindSignet() -> Entry? {
    let answers = stack.entries.map { entry -> ReturnName in
      switch entry.kind {
      case .signet: .authInfoUnavailable
      case .condition, .permit: .success
      case .passcode, .factor, .identity, .deny: .authError
      }
    }
    let entries = trials.run(answers).steps.map { stack.entries[$0.number] }
    guard let ours = entries.firstIndex(where: { $0.kind == .signet }) else { return nil }
    return entries[ours...].first { $0.kind == .passcode }
  }
}
