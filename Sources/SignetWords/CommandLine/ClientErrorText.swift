import SignetClient
import SignetVocabulary

/// Why signetd gave no answer, and what to do about it.
public enum ClientErrorText {
  public static func of(_ error: ClientError, socket: String) -> String {
    switch error {
    case .noHelper(let cause):
      "nobody answers at \(socket): \(ErrorText.of(cause)). As root: systemctl start signetd.socket"
    case .untrustedHelper(let uid):
      "\(socket) belongs to uid \(uid), not to root: nothing was sent. Check who listens there."
    case .closed(0): "signetd closed the connection without an answer. Its log: journalctl -u signetd"
    case .closed(let cause): "the connection to signetd broke: \(ErrorText.of(cause)). Try again."
    case .silent, .overdue: "signetd is stopped or stuck at \(socket). As root: systemctl restart signetd"
    case .malformed:
      "what answers at \(socket) does not speak this version's protocol. Restart signetd after an update."
    case .busy(.ofAsker): "too many of your own requests are open. Close prompts that wait for you, and try again."
    case .busy(.ofServices): "too many requests of the system's services are open. See: journalctl -u signetd"
    case .cancelled: "cancelled."
    }
  }

  /// signetd answered something else than what was asked.
  public static var unexpectedReply: String { "signetd answered something else. Restart it: systemctl restart signetd" }
}
