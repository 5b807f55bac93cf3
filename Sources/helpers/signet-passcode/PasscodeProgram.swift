// signet-passcode checks one passcode by a nested PAM transaction, or says whether there is one, or whether an account is open. It is a process of its own, as unix_chkpwd(8) is for pam_unix,
// because a third-party PAM module must not share memory with signetd's keys. It decides nothing else.
import CLinux

/// All that signet-passcode does: it reads a `PasscodeStack` and a `PasscodeCheck`, or a `PasscodeQuestion` or an
/// `AccountQuestion`, and writes one `PasscodeAnswer`.
enum PasscodeProgram {
  /// The most seconds that the process lives, so that a module that hangs does not keep a passcode in memory for ever. signetd
  /// takes the closed channel for `unavailable`.
  static var lifetime: UInt32 { 50 }

  /// Serves the check that standard input brings. Returns the exit status: 0 where an answer was sent, otherwise 1.
  ///
  /// Call it once, first thing in the process: it changes the process's limits, signals and descriptors.
  static func run() -> Int32 {
    guard let channel = Confinement.enter(lifetime: lifetime),
      var packet = SecretBytes(capacity: PacketLimit.packet), receive(into: &packet, from: channel)
    else { return 1 }
    let answer: PasscodeAnswer
    do {
      if let question = try? PasscodeQuestion(parsing: packet.span) {
        answer = ShadowEntry.answer(of: question.user)
      } else if let question = try? AccountQuestion(parsing: packet.span) {
        answer = PasscodeTransaction(question.stack).judgeAccount()
      } else {
        let transaction = PasscodeTransaction(try PasscodeStack(parsing: packet.span))
        guard receive(into: &packet, from: channel) else { return 1 }
        answer = transaction.check(try PasscodeCheck(parsing: packet.span).passcode)
      }
    } catch { return 1 }
    do { try answer.write(into: &packet) } catch { return 1 }
    return send(packet, to: channel) ? 0 : 1
  }

  private static func receive(into packet: inout SecretBytes, from channel: Int32) -> Bool {
    let flags = Int32(truncatingIfNeeded: MSG_TRUNC)
    while true {
      let count = unsafe packet.replace { buffer in unsafe recv(channel, buffer.baseAddress, buffer.count, flags) }
      if count < 0, clinux_errno() == EINTR { continue }
      return count > 0 && count <= packet.capacity
    }
  }

  private static func send(_ packet: borrowing SecretBytes, to channel: Int32) -> Bool {
    let sent = unsafe packet.span.withUnsafeBytes { bytes in
      unsafe CLinux.send(channel, bytes.baseAddress, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    }
    return sent == packet.span.count
  }
}
