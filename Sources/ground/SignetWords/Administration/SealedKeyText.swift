import SignetLanguage
import SignetVocabulary

/// Why the device key that the TPM sealed is not there, and the way out.
public enum SealedKeyText {
  public static func of(_ fault: TPMFault, _ path: String, _ code: UInt32) -> String {
    say("\(path) does not open: \(why(fault, code)). \(cost) \(wayOut(fault))")
  }

  private static func why(_ fault: TPMFault, _ code: UInt32) -> String {
    switch fault {
    case .missing: say("there is no TPM, or it cannot be reached")
    case .noLibrary: say("the TPM's library is not installed (libtss2-esys, libtss2-mu, libtss2-tctildr)")
    case .wrongPCR: say("the firmware, or what it starts, is not what it was when the TPM sealed the key (wrong PCR)")
    case .cleared: say("the TPM was cleared")
    case .replaced: say("it was sealed by another TPM")
    case .refused: say("the TPM refuses, with code 0x\(String(code, radix: 16))")
    case .silent: say("the TPM did not answer in time")
    case .damaged: say("it is torn or was altered")
    case .gone: say("it is missing")
    }
  }

  private static var cost: String { say("Until it opens no enrolled finger and no vault can be used; passcodes can.") }

  private static func wayOut(_ fault: TPMFault) -> String {
    switch fault {
    case .missing, .noLibrary:
      say("Log in with your passcode, which opens it until signetd ends, and see to the TPM, or set `tpm = no`.")
    case .silent: say("Try again, or log in with your passcode.")
    case .wrongPCR, .cleared, .replaced, .refused, .damaged, .gone:
      say("Log in with your passcode once: it has the key sealed anew.")
    }
  }
}
