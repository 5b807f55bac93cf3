import SignetLanguage
import SignetVocabulary

/// Why the TPM does not sign with a key that it made, and the way out. Nothing else has such a key.
public enum KeyFaultText {
  public static func of(_ fault: TPMFault, _ code: UInt32) -> String {
    switch fault {
    case .missing:
      say("The key is in the TPM, and there is none, or it cannot be reached. Switch it on again: nothing else has the key.")
    case .noLibrary:
      say("The key is in the TPM, whose library is not installed: install libtss2-esys, libtss2-mu and libtss2-tctildr.")
    case .cleared: say("The TPM that had the key was cleared, and the key is gone: delete it and make another one.")
    case .replaced: say("The key is in another TPM than that of now: put that back, or delete the key and make another one.")
    case .silent: say("The TPM, which has the key, did not answer in time. Try again.")
    case .damaged: say("The TPM does not take the key for one of its own, and the key is lost: delete it and make another one.")
    case .refused, .wrongPCR, .gone: say("The TPM refuses to sign, with code 0x\(String(code, radix: 16)). Try again later.")
    }
  }
}
