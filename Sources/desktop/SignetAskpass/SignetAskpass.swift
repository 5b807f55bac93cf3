// SignetAskpass is signet-askpass: it answers the prompts of ssh, sudo and gpg-agent with passphrases that are kept in the
// owner's vault, for a finger, and hands what it does not keep to the user by pinentry. It decides nothing about who may read what:
// signetd does.
import CLinux
import Glibc
import SignetLanguage
import SignetMemory
import SignetWords

/// Breaks a text for the terminal that it goes to.
public typealias Fit = (String, Int32) -> String

/// The whole of signet-askpass, with its command line. Returns the status to exit with.
public func runAskpass(_ words: [String], fit: @escaping Fit) -> AskpassStatus {
  guard confine() else { return .refused }
  speakUsersLanguage()
  if let status = PassphraseCheck.answer() { return status }
  switch words.first {
  case "--keep" where words.count > 1:
    guard let management = Management(words.dropFirst(), fit) else { return misused(AskpassText.badName, fit) }
    return management.keep()
  case "--forget" where words.count > 1:
    guard let management = Management(words.dropFirst(), fit) else { return misused(AskpassText.badName, fit) }
    return management.forget()
  case "--help" where words.count == 1: return Output.write(fit(AskpassText.usage, STDOUT_FILENO) + "\n") ? .done : .refused
  case let word? where words.count == 1 && !isForPinentry(word): return Askpass(word).run()
  default:
    // gpg-agent gives its pinentry at most the name of a display.
    guard words.allSatisfy({ isForPinentry($0) }) || words.first == "--display", isatty(STDIN_FILENO) == 0 else {
      return misused(AskpassText.usage, fit)
    }
    return PinentryServer.run(words)
  }
}

/// `--display=…`; `--display …` is two words.
private func isForPinentry(_ word: String) -> Bool { word.hasPrefix("--display=") }

private func misused(_ text: String, _ fit: Fit) -> AskpassStatus {
  Output.complain(text, fit: fit)
  return .usage
}

/// Forbids the user's other processes to read this one's memory, where a passphrase is about to be. Not from the start: of a
/// process that is hidden so signetd cannot see either which program it is, and an item remembers the programs that may read it.
func hideMemory() { _ = clinux_prctl(PR_SET_DUMPABLE, 0) }

/// A passphrase comes by here: no core file has it.
private func confine() -> Bool {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else { return false }
  forbidCrashReports()
  _ = signal(SIGPIPE, SIG_IGN)
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
    guard unsafe clinux_open("/dev/null", O_RDWR, 0) == descriptor else { return false }
  }
  return true
}
