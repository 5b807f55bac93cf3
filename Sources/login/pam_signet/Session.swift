import CLinux
import CPAM

/// Puts the token of this transaction's login into the session, and tells signetd where it is.
///
/// A session is never refused for want of a token: whatever fails is logged, and the session goes on without.
func openSession(_ transaction: borrowing Transaction) throws(Failure) -> ReturnCode {
  // Owned by the user, the key could be opened to the world by any process of theirs.
  guard geteuid() == 0 else { return .ignore }
  // sudo runs a command in the caller's session, which has, or has not, its own token.
  guard let token = ReleasedToken(of: transaction), !transaction.isItem(PAM_SERVICE, "sudo"),
    !transaction.isItem(PAM_SERVICE, "sudo-i")
  else { return try leaveForeignRing(transaction) }
  // It is open already, in a ring of its own.
  guard token.key == 0 else { return .ignore }
  do throws(Failure) { try token.requireSameUser(in: transaction) } catch {
    _ = try leaveForeignRing(transaction)
    throw error
  }
  guard let uid = uid(in: transaction), let key = SessionKeyring.add(token, uid: uid) else { throw .keyNotAdded }
  token.key = key
  do throws(Failure) {
    let terminal = transaction.item(PAM_TTY, limit: FieldLimit.name)
    try tell(of: token, transaction) { (bytes, packet) throws(FormatError) in
      try OpenSessionRequest(token: bytes, key: key, terminal: terminal).write(into: &packet)
    }
  } catch {
    SessionKeyring.revoke(key)
    token.key = 0
    throw error
  }
  transaction.debug("the session's keyring has the token, key", Int(key))
  return .success
}

/// Without a token of its own, a session may still have its caller's ring, and with it what is there: the caller's token.
private func leaveForeignRing(_ transaction: borrowing Transaction) throws(Failure) -> ReturnCode {
  guard let uid = uid(in: transaction) else { return .ignore }
  guard SessionKeyring.leave(unlessOf: uid) else { throw .ringNotLeft }
  return .ignore
}

/// Revokes the session's token: its key, and in signetd's table.
func closeSession(_ transaction: borrowing Transaction) throws(Failure) -> ReturnCode {
  guard let token = ReleasedToken(of: transaction), token.key != 0 else { return .ignore }
  SessionKeyring.revoke(token.key)
  token.key = 0
  try tell(of: token, transaction) { (token, packet) throws(FormatError) in
    try CloseSessionRequest(token: token).write(into: &packet)
  }
  return .success
}

private func uid(in transaction: borrowing Transaction) -> uid_t? {
  var name: UnsafePointer<CChar>?
  guard unsafe pam_get_user(transaction.handle, &name, nil) == PAM_SUCCESS, let name = unsafe name,
    let entry = unsafe pam_modutil_getpwnam(transaction.handle, name)
  else { return nil }
  return unsafe entry.pointee.pw_uid
}

/// How long signetd may take to open or close a session, in milliseconds. Longer than while somebody waits for a prompt: at the first
/// login of a machine that is still starting, signetd also opens the vault, and a session is better late than without its token.
private var sessionPatience: Int32 { 2_500 }

/// Sends a request about a token, and waits for `done`.
private func tell(
  of token: ReleasedToken, _ transaction: borrowing Transaction,
  _ write: (Span<UInt8>, inout SecretBytes) throws(FormatError) -> Void
) throws(Failure) {
  guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .noMemory }
  let isWritten = token.withToken { bytes in
    do throws(FormatError) { try write(bytes, &packet) } catch { return false }
    return true
  }
  guard isWritten else { throw .client(.malformed) }
  var terms = Exchange.Terms(silence: sessionPatience)
  terms.limit = Int64(sessionPatience)
  var request = try transaction.options.send(packet, terms)
  var host = UnattendedHost()
  let answer: Exchange.Message
  do throws(ClientError) { answer = try request.next(&host) } catch { throw .client(error) }
  guard answer == .reply(.done) else { throw .refused }
}
