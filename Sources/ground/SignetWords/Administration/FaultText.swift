import Glibc
import SignetLanguage
import SignetVocabulary

/// What is wrong with which file of signetd's, or what the system did not do, and the way out.
public enum FaultText {
  /// Without the full stop of its last sentence where it is short enough to stand within another one.
  public static func of(_ error: SystemError) -> String {
    switch error {
    case .call(let call, let thing, let code): failed(call, thing, because: ErrorText.of(code))
    case .notDirectory(let path): say("\(path) cannot be used: it is no directory")
    case .notRegularFile(let path): say("\(path) cannot be used: it is no regular file")
    case .foreignOwner(let path, let uid): say("\(path) cannot be trusted: it belongs to uid \(uid)")
    case .writableByOthers(let path): say("\(path) cannot be trusted: it is writable by others")
    case .strikesMissing(let path): say("\(path) is missing. Log in with your passcode once to write it anew.")
    case .strikesTorn(let path):
      say("\(path) cannot be used: it is torn or was altered. Log in with your passcode once to write it anew.")
    case .strikesOlder(let path):
      say("\(path) cannot be used: it is older than what signetd wrote last. Log in with your passcode once to write it anew.")
    case .strikesUnreadable(let error):
      say("The strikes cannot be read: \(of(error)). Log in with your passcode once to write them anew.")
    case .templateVersion(let path):
      say("\(path): it is of another version of Signet; delete and enroll the finger again")
    case .templateTorn(let path):
      say("\(path): it is torn, was altered or is another user's; delete and enroll the finger again")
    case .templateMisplaced(let path):
      say("\(path): it is the file of another finger or reader; delete all fingers and enroll them again")
    case .templateOfOther(let path, let uid, let owner): FormerOwner(owner, of: uid).ofFinger(path, uid, owner)
    case .templateUnopened(let path, let key):
      say(
        """
        \(path) does not open: it was altered, or sealed for another finger, reader, user or machine, or \(key) is another \
        machine's. Put back what was there, or delete all fingers and enroll them again
        """)
    case .deviceKeyMissing(let path): say("\(path) is missing. \(withoutDeviceKey)")
    case .deviceKeyDamaged(let path): say("\(path) is damaged: it has not the length of a key. \(withoutDeviceKey)")
    case .deviceKeyUnreadable(let error): say("\(of(error)). \(withoutDeviceKey)")
    case .deviceKeySealed(let path, let fault, let code): SealedKeyText.of(fault, path, code)
    case .stateUnpinned(let path, let fault): PinText.of(fault, path)
    }
  }

  /// What an unusable key costs, and the way out.
  private static var withoutDeviceKey: String {
    say(
      """
      Until it is mended no enrolled finger and no vault can be used; passcodes can. If there is a copy of it, put it back. If \
      there is none, remove the file if it is there, delete all fingers of every user, reset their vaults, and enroll the \
      fingers again.
      """)
  }

  private static func failed(_ call: SystemCall, _ thing: String, because cause: String) -> String {
    switch call {
    case .open: say("\(thing) cannot be opened: \(cause)")
    case .read: say("\(thing) cannot be read: \(cause)")
    case .write: say("\(thing) cannot be written: \(cause)")
    case .create: say("\(thing) cannot be made: \(cause)")
    case .rename: say("\(thing) cannot be renamed: \(cause)")
    case .remove: say("\(thing) cannot be removed: \(cause)")
    case .sync: say("\(thing) cannot be brought to the disk: \(cause)")
    case .stat: say("\(thing) cannot be looked at: \(cause)")
    case .lock: say("\(thing) cannot be locked: \(cause)")
    case .makeDirectory: say("the folder \(thing) cannot be made: \(cause)")
    case .start: say("\(thing) cannot be started: \(cause)")
    case .encode: say("\(thing) is too long to be kept: \(cause)")
    case .seal: say("\(thing) cannot be sealed: \(cause)")
    case .makeKey: say("the key \(thing) cannot be made: \(cause)")
    case .socket, .bind, .listen, .changeMode, .watchSignals, .secretMemory: say("the system refuses \(call): \(cause)")
    }
  }
}

/// What a call of the system gives as its reason.
public enum ErrorText {
  /// strerror(3)'s words for an errno.
  public static func of(_ error: Int32) -> String {
    guard let text = unsafe strerror(error) else { return say("error \(error)") }
    return unsafe String(cString: text)
  }
}
