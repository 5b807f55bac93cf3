import CLinux
import CPAM

/// Tells signetd of a new passcode, so that the user's vault opens with it.
///
/// The module before has made the change by now, and it stands: whatever fails here is told to the user and logged.
func changePasscode(_ transaction: borrowing Transaction) throws(Failure) -> ReturnCode {
  guard transaction.isUpdate else { return .ignore }
  // Behind a `required` line the stack comes here after a change that failed, too: then there is none.
  guard !transaction.item(PAM_AUTHTOK).isEmpty else {
    transaction.debug("there is no new passcode")
    return .ignore
  }
  var input = UserInput()
  defer { input.giveBack() }
  do throws(Failure) { try tellOfChange(transaction, &input) } catch {
    // Before the signals are the host's again, which may end it.
    complainOfChange(in: transaction)
    throw error
  }
  return .ignore
}

/// Sends signetd the passcodes that the modules before have left; nobody is asked for them. The old one is unknown where root
/// sets a passcode. Returns when the vault opens with the new passcode, or signetd has said why not.
private func tellOfChange(_ transaction: borrowing Transaction, _ input: inout UserInput) throws(Failure) {
  let user = try UserName(of: transaction)
  guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .noMemory }
  do throws(FormatError) {
    try PasscodeChangedRequest(
      user: user.span, old: transaction.item(PAM_OLDAUTHTOK), new: transaction.item(PAM_AUTHTOK)
    ).write(into: &packet)
  } catch { throw .passcodeTooLong }
  var terms = Exchange.Terms(silence: Heartbeat.limit)
  terms.limit = LoginRelay.passcodeLimit
  var request = try transaction.options.send(packet, terms)
  transaction.debug("told signetd of the new passcode")
  switch try request.next(&input) {
  case .reply(.done): return
  case .reply(.refused):
    let code = try refusal(in: request.packet)
    try user.requireUnchanged(in: transaction)
    explain(code, in: transaction)
  default: throw .client(.malformed)
  }
}

/// A refusal's number.
private func refusal(in packet: borrowing SecretBytes) throws(Failure) -> UInt8 {
  do throws(FormatError) {
    var fields = ByteReader(packet.span)
    _ = try fields.header()
    let code = try fields.byte()
    // Those without words of their own may have fields, which are not for this module.
    if PasscodeChangeText.of(RefusalCode(rawValue: code)) != nil { try fields.end() }
    return code
  } catch { throw .client(.malformed) }
}

/// Shows why signetd refused, and logs the refusal's number.
private func explain(_ code: UInt8, in transaction: borrowing Transaction) {
  guard let words = PasscodeChangeText.of(RefusalCode(rawValue: code)) else { return complainOfChange(in: transaction) }
  transaction.report("signetd did not take the new passcode, refusal", Int(code))
  complain(words, in: transaction)
}

/// What the user is told where signetd could not be, or did not answer.
private func complainOfChange(in transaction: borrowing Transaction) {
  transaction.report("signetd did not confirm the new passcode; after the next login: signet vault recover")
  complain(PasscodeChangeText.notTaken, in: transaction)
}
