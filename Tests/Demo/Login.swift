import CPAM
import Glibc
import SignetTestKit

/// Somebody who logs in through libpam and our module, as login(1) would have them.
struct Login {
  enum Touch { case right, wrong }

  let stage: Stage

  /// Logs in; each time the reader waits the next touch comes, each question gets the next answer.
  func attempt(_ touches: [Touch], passcodes: [String] = []) throws -> PAMHost {
    Story.does("logs in as \(stage.daemon.user)")
    let host = try PAMHost(service: "login", user: stage.daemon.user, confdir: stage.daemon.confdir)
    var rest = touches[...]
    host.answers = passcodes.map { .text($0) }
    host.onMessage = { _, message in
      Story.sees(message.text)
      if message.style == PAM_PROMPT_ECHO_OFF { return Story.does("types a passcode, which is not shown") }
      guard waitsForFinger(message.text), let touch = rest.popFirst() else { return }
      do {
        if touch == .right { try stage.touchRight() } else { try stage.touchWrong() }
      } catch {
        Story.concludes("\(error)")
      }
    }
    let code = host.authenticate()
    host.onMessage = nil
    Story.concludes(code == PAM_SUCCESS ? "logged in" : "refused: \(host.name(of: code))")
    try expect(rest.isEmpty, "\(rest.count) touches were not asked for")
    try expect(host.leftover.isEmpty, "\(host.leftover.count) passcodes were not asked for")
    self.code.value = code
    return host
  }

  /// What the last attempt answered.
  let code = Code()

  final class Code { var value = PAM_SYSTEM_ERR }

  private func waitsForFinger(_ text: String) -> Bool { text.contains("fingerprint reader") || text.contains("attempt") }
}
