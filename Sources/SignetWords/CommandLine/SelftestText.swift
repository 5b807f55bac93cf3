import SignetVocabulary

/// What `signet selftest` says to the person who goes through it. One plain sentence at a time.
public enum SelftestText {
  public static func introduction(reader: String, scenarios: Int) -> String {
    """
    This tests \(reader) in \(scenarios) steps, and takes about five minutes.
    It enrolls one finger, which it deletes again at the end. It needs a second finger that is not enrolled.
    Wrong touches count as strikes; your passcode clears them. What may lock your fingerprints comes last, and you are asked first.
    Programs that remember your fingers (their domain state) see that the fingers changed.
    The report has no fingerprint, no name and no passcode in it.
    """
  }
  public static let begin = "Begin? [y/N] "
  public static let notBegun = "not begun. Nothing was changed."
  public static let needsTerminal = "it leads a person through the test on a terminal. Run it in one, or name a program: --hand"
  public static let boundItems =
    "the vault has items that are bound to the enrolled fingers, and enrolling one for the test would destroy them"

  public static func step(_ number: Int, of all: Int, _ title: String) -> String { "\(number) of \(all): \(title)" }
  public static let goOn = "  Enter to go on, s and Enter to leave it out: "
  public static let locks = "  This locks your fingerprints until you enter your passcode."
  public static let leftOutByUser = "the person left it out"
  public static func passed(_ milliseconds: Int) -> String { "  passed, \(milliseconds) ms" }
  public static func failed(_ what: String) -> String { "  FAILED: \(what)" }
  public static func leftOut(_ why: String) -> String { "  left out: \(why)" }

  public static func touch(_ finger: Finger) -> String { "  Touch the reader with your \(spoken(finger)), and lift it." }
  public static func touchOther(than finger: String) -> String {
    "  Touch the reader with another finger, one that is not enrolled\(finger.isEmpty ? "" : " (not your \(finger))"), and lift it."
  }
  public static let touchPoorly = "  Touch the reader with the very tip or edge of a finger, so that it sees little of it."
  public static let unplug = "  Pull the reader out now."
  public static let plug = "  Put the reader back in, then press Enter: "
  public static let suspend = "  Suspend the machine now (close the lid, for instance), and wake it after a few seconds."
  public static let resume = "  Press Enter once the machine is awake again: "
  public static let add = "  Plug a second reader in, then press Enter: "
  public static let remove = "  Pull the second reader out, then press Enter: "
  public static let notByHand = "no hand can do this to a reader; a program can: --hand"
  public static let noPasscode = "no passcode was given"

  public static func written(_ path: String) -> String {
    "The report is in \(path).md and \(path).json. Attach both to a report of a bug."
  }
  public static let failedInAll = "the reader did not stand every step. The report says which."
  public static func noScenario(_ name: String, _ all: [String]) -> String {
    "there is no step \(name). There are: \(all.joined(separator: ", "))"
  }
  public static func unwritten(_ path: String, _ error: Int32) -> String {
    "\(path) cannot be written: \(ErrorText.of(error)). Choose another place: --output"
  }

  public static func noHand(_ program: String, _ error: Int32) -> String {
    "\(program) cannot be run: \(ErrorText.of(error)). Give the path of a program that can."
  }
  public static func handSilent(_ line: String) -> String { "the hand's program gave no answer to: \(line)" }
  public static func handAnswered(_ line: String, _ answer: String) -> String {
    "the hand's program answered to \(line): \(answer). It has to answer: ok, or cannot: and the reason"
  }

  /// `right index finger`.
  public static func spoken(_ finger: Finger) -> String { finger.name.split(separator: "-").joined(separator: " ") }
}
