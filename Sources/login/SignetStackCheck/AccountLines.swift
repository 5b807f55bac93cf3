import SignetLanguage

/// What signetd asks the account lines of the passcode's service for, and the prover does not run: whether an account is open.
extension StackProver {
  mutating func remarkAccountLines() {
    guard report.service == StackCheck.passcodeService else { return }
    if !stack.hasAccount {
      report.remarks.append(
        Remark(
          place: nil,
          text: say("No account line says whose account is open, so the service `other` does: @include common-account")))
    }
    if let place = stack.clearing {
      report.remarks.append(
        Remark(
          place: place, text: say("By this line whatever runs as a user clears pam_faillock's count of their wrong passwords.")))
    }
  }
}
