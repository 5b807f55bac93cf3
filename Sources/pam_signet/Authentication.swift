import CLinux
import CPAM

/// One login, from top to bottom; each step is one call down.
///
/// Whatever happens, in the end the secrets are wiped, the connection is closed, the terminal is as it was and, last, the
/// signals that came meanwhile are the host's again.
func authenticate(_ transaction: borrowing Transaction) throws(Failure) -> ReturnCode {
  ReleasedToken.forget(in: transaction)
  try requireReaderAtHand(transaction)
  let user = try UserName(asking: transaction)
  var attention = Attention()
  let result: ReturnCode
  do throws(Failure) {
    var login = try Login(of: user, transaction)
    do throws(Failure) { result = try login.run(&attention) } catch {
      login.cancel()
      throw error
    }
  } catch {
    attention.yield()
    throw error
  }
  attention.yield()
  return result
}

/// The finger must be the one of who asks: not for a user at another machine, and not inside signetd's own question.
private func requireReaderAtHand(_ transaction: borrowing Transaction) throws(Failure) {
  if transaction.isItem(PAM_SERVICE, "signet-passcode") { throw .nested }
  let host = transaction.item(PAM_RHOST)
  guard host.isEmpty || TextLine("localhost").span.isEqual(to: host) else { throw .remote }
}
