import SignetLanguage
import SignetVocabulary

/// What is said of the key under which fingers and vaults are sealed: where it is, and what that does not protect from. `nil` where
/// there is none yet.
public enum KeyText {
  public static func of(_ home: KeyHome, pcrs: UInt32) -> String? {
    switch home {
    case .none: nil
    case .file:
      say(
        """
        in a file, without a TPM. That does not protect from root, from who has the whole disk, nor from an older copy of it that \
        is put back while the machine is off
        """)
    case .tpm:
      say(
        """
        sealed by the TPM (PCR \(list(pcrs))), whose counter shows an older copy of the disk that is put back. That does not protect \
        from root, from a system that those registers let start, nor from guesses at a passcode by who has the disk
        """)
    case .tpmUncounted:
      say(
        """
        sealed by the TPM (PCR \(list(pcrs))), which lets no counter be made. That does not protect from root, from a system that \
        those registers let start, from guesses at a passcode by who has the disk, nor from an older copy of it that is put back \
        while the machine is off
        """)
    case .locked: say("sealed by the TPM, which does not open them now. Log in with your passcode; signet list says why")
    case .memory:
      say(
        "opened by a passcode, until signetd ends; the TPM does not have them. See to the TPM, or set `tpm = no` in signet.conf")
    }
  }

  /// The same of the key that signs access tokens.
  public static func of(_ home: TokenKeyHome) -> String? {
    switch home {
    case .none: nil
    case .file: say("signed with a key that is sealed in a file. That does not protect from root, who can sign elsewhere with it")
    case .tpm:
      say("signed by the TPM, with a key that never leaves it. That does not protect from root, who can have it sign here")
    }
  }

  private static func list(_ pcrs: UInt32) -> String {
    (0..<24).filter { pcrs >> $0 & 1 == 1 }.map { "\($0)" }.joined(separator: ", ")
  }
}
