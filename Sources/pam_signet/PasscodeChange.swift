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
  var attention = Attention()
  do throws(Failure) {
    var change = try PasscodeChange(in: transaction)
    try change.run(&attention)
  } catch {
    // Before the signals are the host's again, which may end it.
    PasscodeChange.complain(in: transaction)
    attention.yield()
    throw error
  }
  attention.yield()
  return .ignore
}

/// A passcode change, as signetd follows it.
struct PasscodeChange: ~Copyable {
  let transaction: Transaction
  let user: UserName
  let connection: Connection
  var packet: SecretBytes
  var patience: Patience

  /// Sends signetd the passcodes that the modules before have left; nobody is asked for them. The old one is unknown where
  /// root sets a passcode.
  init(in transaction: borrowing Transaction) throws(Failure) {
    let user = try UserName(of: transaction)
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw .noMemory }
    do throws(FormatError) {
      try PasscodeChangedRequest(
        user: user.span, old: transaction.item(PAM_OLDAUTHTOK), new: transaction.item(PAM_AUTHTOK)
      ).write(into: &packet)
    } catch { throw .passcodeTooLong }
    self.connection = try transaction.options.connect(sending: packet)
    packet.removeAll()
    transaction.debug("told signetd of the new passcode")
    self.patience = Patience(Patience.verifying)
    self.transaction = copy transaction
    self.user = user
    self.packet = packet
  }

  /// Follows signetd until the vault opens with the new passcode, or signetd has said why not.
  mutating func run(_ attention: inout Attention) throws(Failure) {
    while true {
      switch try patience.nextEvent(connection, &attention, readsKeys: false) {
      case .packet: if try receive() { return }
      case .stopped:
        attention.stop()
        patience.renew()
      case .enter: continue
      case .ended: throw .cancelled
      }
    }
  }

  /// Takes a packet; true where it was the last.
  private mutating func receive() throws(Failure) -> Bool {
    do throws(ClientError) {
      guard try connection.receive(into: &packet) else { return false }
    } catch { throw .client(error) }
    patience.renew()
    let reply: PasscodeChangeReply
    do throws(FormatError) { reply = try PasscodeChangeReply(parsing: packet.span) } catch { throw .protocolMisuse }
    switch reply {
    case .heartbeat: return false
    case .done: return true
    case .refused(let code):
      try user.requireUnchanged(in: transaction)
      explain(code)
      return true
    }
  }

  /// Shows why signetd refused, and logs the refusal's number.
  private func explain(_ code: UInt8) {
    guard let words = PasscodeChangeText.of(RefusalCode(rawValue: code)) else {
      return PasscodeChange.complain(in: transaction)
    }
    transaction.report("signetd did not take the new passcode, refusal", Int(code))
    PasscodeChange.complain(words, in: transaction)
  }

  /// What the user is told where signetd could not be, or did not answer.
  static func complain(in transaction: borrowing Transaction) {
    transaction.report("signetd did not confirm the new passcode; after the next login: signet vault recover")
    complain(PasscodeChangeText.notTaken, in: transaction)
  }

  private static func complain(_ words: StaticString, in transaction: borrowing Transaction) {
    let conversation = Conversation(transaction: copy transaction)
    var line = TextLine()
    unsafe line.put(start: words.utf8Start, count: words.utf8CodeUnitCount)
    unsafe line.withCString { text in unsafe conversation.complain(text) }
  }
}

/// What signetd may answer to a changed passcode.
private enum PasscodeChangeReply {
  case heartbeat
  case done
  /// A `RefusalCode`, and for some of them what belongs to it.
  case refused(UInt8)

  init(parsing packet: Span<UInt8>) throws(FormatError) {
    var fields = ByteReader(packet)
    switch ReplyKind(rawValue: try fields.header()) {
    case .heartbeat: self = .heartbeat
    case .show:
      // Why no passcode is looked at; the refusal that follows says it in words.
      guard Prompt(rawValue: try fields.byte()) != nil else { throw .badValue }
      _ = try fields.byte()
      _ = try fields.string(limit: FieldLimit.name)
      self = .heartbeat
    case .done: self = .done
    case .refused:
      let code = try fields.byte()
      self = .refused(code)
      // What the words do not depend on may have fields, which are not for this module.
      if PasscodeChangeText.of(RefusalCode(rawValue: code)) == nil { return }
    default: throw .badValue
    }
    try fields.end()
  }
}
