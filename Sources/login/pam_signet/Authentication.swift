import CLinux
import CPAM

/// One login, from top to bottom; each step is one call down.
///
/// Whatever happens, in the end the secrets are wiped, the connection is closed, the terminal is as it was and, last, the
/// signals that came meanwhile are the host's again.
func authenticate(_ transaction: borrowing Transaction) throws(Failure) -> ReturnCode {
  ReleasedToken.forget(in: transaction)
  try requireReaderAtHand(transaction)
  var login = LoginRelay(of: try UserName(asking: transaction), transaction)
  defer { login.end() }
  return try login.run()
}

/// Whoever asks must be able to touch the reader: a user at another machine cannot. And while signetd itself has a passcode
/// checked by the PAM stack, it must not be asked for a finger.
private func requireReaderAtHand(_ transaction: borrowing Transaction) throws(Failure) {
  if transaction.isItem(PAM_SERVICE, "signet-passcode") { throw .nested }
  let host = transaction.item(PAM_RHOST)
  guard host.isEmpty || TextLine("localhost").span.isEqual(to: host) else { throw .remote }
}
