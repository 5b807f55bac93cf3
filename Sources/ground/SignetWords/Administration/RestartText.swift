import SignetLanguage
import SignetVocabulary

/// What `signet status` says of the first finger after a restart: whether it opens the vault, what that does not protect from, or
/// why the passcode has to. `nil` where signet.conf does not ask for it.
public enum RestartText {
  public static func of(_ state: FingerAfterRestart, uid: UInt32) -> String? {
    let file = "users/\(uid)/device"
    return switch state {
    case .off: nil
    case .ready:
      say(
        """
        a finger opens the vault. That does not protect from who has this machine and a copy of the finger; nor, without any \
        finger, from root, from another system that the TPM's registers let start, nor from who has the disk and a user's passcode
        """)
    case .unwritten: say("the passcode opens the vault; after the next passcode a finger does, too")
    case .damaged: passcode(say("\(file) is torn, was altered or is another user's"), say("The passcode writes it anew."))
    case .outdated:
      passcode(say("\(file) is of another passcode or of other fingers: an older copy"), say("The passcode writes it anew."))
    case .withoutTPM:
      passcode(
        say("the TPM does not have the device key alone, and who takes the disk would have every vault"),
        say("See to the TPM, or set `finger_after_restart = no` in signet.conf."))
    case .unpinned:
      passcode(
        say("the TPM's counter does not say that this is the newest state"),
        say("Enter the passcode, which accepts this state, unless the TPM lets no counter be made."))
    case .timed:
      passcode(
        say("no clock tells how long the machine was off"),
        say("To change that, set passcode_after_inactivity and passcode_after_age to off in signet.conf."))
    }
  }

  private static func passcode(_ why: String, _ wayOut: String) -> String {
    say("the passcode opens the vault: \(why). \(wayOut)")
  }
}
