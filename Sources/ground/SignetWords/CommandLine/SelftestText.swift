import SignetLanguage
import SignetVocabulary

/// What `signet selftest` says to the person who goes through it. One plain sentence at a time.
public enum SelftestText {
  public static func introduction(reader: String, scenarios: Int) -> String {
    say(
      """
      This tests \(reader) in \(scenarios) steps, and takes about five minutes.
      It enrolls one finger, which it deletes again at the end. It needs a second finger that is not enrolled.
      Wrong touches count as strikes; your passcode clears them. What may lock your fingerprints comes last, and you are asked first.
      Programs that remember your fingers (their domain state) see that the fingers changed.
      The report has no fingerprint, no name and no passcode in it.
      """)
  }
  public static var begin: String { say("Begin? [y/N] ") }
  public static let notBegun: Sentence = "not begun. Nothing was changed."
  public static var needsTerminal: String {
    say("it leads a person through the test on a terminal. Run it in one, or name a program: --hand")
  }
  public static let boundItems: Sentence =
    "the vault has items that are bound to the enrolled fingers, and enrolling one for the test would destroy them"

  public static func step(_ number: Int, of all: Int, _ title: String) -> String { say("\(number) of \(all): \(title)") }
  public static var goOn: String { say("  Enter to go on, s and Enter to leave it out: ") }
  public static var locks: String { say("  This locks your fingerprints until you enter your passcode.") }
  public static let leftOutByUser: Sentence = "the person left it out"
  public static func passed(_ milliseconds: Int) -> String { say("  passed, \(milliseconds) ms") }
  public static func failed(_ what: String) -> String { say("  FAILED: \(what)") }
  public static func leftOut(_ why: String) -> String { say("  left out: \(why)") }

  public static func touch(_ finger: Finger) -> String {
    say("  Touch the reader with your \(FingerText.spoken(finger)), and lift it.")
  }
  /// - Parameter finger: the enrolled one, as it is spoken of; empty where there is none yet.
  public static func touchOther(than finger: String) -> String {
    finger.isEmpty
      ? say("  Touch the reader with another finger, one that is not enrolled, and lift it.")
      : say("  Touch the reader with another finger, one that is not enrolled (not your \(finger)), and lift it.")
  }
  public static var touchPoorly: String {
    say("  Touch the reader with the very tip or edge of a finger, so that it sees little of it.")
  }
  public static var unplug: String { say("  Pull the reader out now.") }
  public static var plug: String { say("  Put the reader back in, then press Enter: ") }
  public static var suspend: String {
    say("  Suspend the machine now (close the lid, for instance), and wake it after a few seconds.")
  }
  public static var resume: String { say("  Press Enter once the machine is awake again: ") }
  public static var add: String { say("  Plug a second reader in, then press Enter: ") }
  public static var remove: String { say("  Pull the second reader out, then press Enter: ") }
  public static let notByHand: Sentence = "no hand can do this to a reader; a program can: --hand"
  public static let noPasscode: Sentence = "no passcode was given"

  public static func written(_ path: String) -> String {
    say("The report is in \(path).md and \(path).json. Attach both to a report of a bug.")
  }
  public static var failedInAll: String { say("the reader did not stand every step. The report says which.") }
  public static func noScenario(_ name: String, _ all: [String]) -> String {
    say("there is no step \(name). There are: \(all.joined(separator: ", "))")
  }
  public static func unwritten(_ path: String, _ error: Int32) -> String {
    say("\(path) cannot be written: \(ErrorText.of(error)). Choose another place: --output")
  }

  public static func noHand(_ program: String, _ error: Int32) -> String {
    say("\(program) cannot be run: \(ErrorText.of(error)). Give the path of a program that can.")
  }
  public static func handSilent(_ line: String) -> Sentence { "the hand's program gave no answer to: \(line)" }
  public static func handAnswered(_ line: String, _ answer: String) -> Sentence {
    "the hand's program answered to \(line): \(answer). It has to answer: ok, or cannot: and the reason"
  }
}
