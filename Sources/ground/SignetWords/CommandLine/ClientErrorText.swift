import SignetClient
import SignetLanguage
import SignetVocabulary

/// Why signetd gave no answer, and what to do about it.
public enum ClientErrorText {
  public static func of(_ error: ClientError, socket: String) -> String {
    switch error {
    case .noHelper(let cause):
      say("nobody answers at \(socket): \(ErrorText.of(cause)). As root: systemctl start signetd.socket")
    case .untrustedHelper(let uid):
      say("\(socket) belongs to uid \(uid), not to root: nothing was sent. Check who listens there.")
    case .closed(0): say("signetd closed the connection without an answer. Its log: journalctl -u signetd")
    case .closed(let cause): say("the connection to signetd broke: \(ErrorText.of(cause)). Try again.")
    case .silent, .overdue: say("signetd is stopped or stuck at \(socket). As root: systemctl restart signetd")
    case .malformed:
      say("what answers at \(socket) does not speak this version's protocol. Restart signetd after an update.")
    case .busy(.ofAsker): say("too many of your own requests are open. Close prompts that wait for you, and try again.")
    case .busy(.ofServices): say("too many requests of the system's services are open. See: journalctl -u signetd")
    case .cancelled: say("cancelled.")
    }
  }

  /// signetd answered something else than what was asked.
  public static var unexpectedReply: String { say("signetd answered something else. Restart it: systemctl restart signetd") }
}
