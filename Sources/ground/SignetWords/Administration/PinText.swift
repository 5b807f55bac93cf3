import SignetLanguage
import SignetVocabulary

/// Why the state on disk does not count as the newest, and the way out.
enum PinText {
  static func of(_ fault: PinFault, _ path: String) -> String { say("\(what(fault, path)). \(wayOut(fault))") }

  private static func what(_ fault: PinFault, _ path: String) -> String {
    switch fault {
    case .older: say("\(path) is older than the TPM's counter: an older copy of the disk was put back while the machine was off")
    case .missing: say("\(path) is missing, so nobody can say whether an older copy of the disk was put back")
    case .damaged: say("\(path) is torn, was altered or is another machine's, so nobody can say whether it is the newest")
    case .uncounted: say("The TPM's counter is gone, so nobody can say whether \(path) is the newest")
    case .ahead: say("\(path) is ahead of the TPM's counter, which is not the one that it was written for")
    case .unaccepted:
      say("\(path) has nothing of this user: an older copy of the disk was put back, or the passcode is yet to be entered")
    case .fingers: say("\(path) has other enrolled fingers than those that signetd wrote last")
    }
  }

  private static func wayOut(_ fault: PinFault) -> String {
    switch fault {
    case .missing, .damaged, .uncounted: say("Log in with your passcode once to write it anew.")
    case .older, .ahead, .unaccepted, .fingers:
      say("Log in with your passcode once to accept what is there, then see with `signet list` whether each finger is yours.")
    }
  }
}
