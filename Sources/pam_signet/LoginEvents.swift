extension Login {
  enum Step: ~Copyable {
    case nothing
    case passcodeWanted
    case refused(Verdict)
    case succeeded(EvidenceMethod, token: SecretBytes, secret: LoginSecret)
  }

  /// Takes a packet of signetd and shows what it says.
  mutating func receive(_ attention: inout Attention, tokenInto place: inout SecretBytes?) throws(Failure) -> Step {
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return .nothing }
    } catch { throw .client(error) }
    patience.renew()
    let reply: LoginReply
    do throws(FormatError) { reply = try LoginReply(parsing: packet.span) } catch { throw .protocolMisuse }
    switch reply {
    case .heartbeat:
      // Not before the first one: a verdict or a passcode question may come at once, and what was typed ahead is not ours to
      // discard. Nor while a passcode is checked: what is typed then is for the shell. Tried at each, because a host may
      // come back to the foreground.
      if passcode == nil { attention.takeTerminal() }
      return .nothing
    case .show(let prompt, let value, let detail):
      if prompt == .touchReader, passcode == nil { attention.takeTerminal() }
      try Conversation(transaction: transaction)
        .show(prompt, value: value, detail: detail, enterAsksPasscode: attention.terminal.watched >= 0)
      try user.requireUnchanged(in: transaction)
      return .nothing
    case .askPasscode:
      return .passcodeWanted
    case .verdict(.success, let method, let released, let authtok):
      guard var token = place.take(), ReleasedToken.put(released, into: &token) else { throw .noMemory }
      return .succeeded(method, token: token, secret: LoginSecret(count: authtok.count))
    case .verdict(let verdict, _, _, _):
      return .refused(verdict)
    }
  }
}
