import CLinux
import Glibc
import SignetVocabulary

extension SystemError {
  /// The failure of the call just made.
  public static func last(_ call: SystemCall, _ thing: String = "") -> SystemError {
    .call(call, thing, code: clinux_errno())
  }

  /// For the log, in short: what, and which file.
  public var description: String {
    switch self {
    case .call(let call, let thing, let code): "\(call) \(thing): \(SystemError.words(code))"
    case .notDirectory(let path): "use \(path), which is no directory"
    case .notRegularFile(let path): "use \(path), which is no regular file"
    case .foreignOwner(let path, let uid): "trust \(path): it belongs to uid \(uid)"
    case .writableByOthers(let path): "trust \(path): it is writable by others"
    case .strikesMissing(let path), .deviceKeyMissing(let path): "\(path) is missing"
    case .strikesTorn(let path): "\(path) is torn or was altered"
    case .strikesOlder(let path): "\(path) is older than what was written last"
    case .templateVersion(let path): "\(path) is of another version"
    case .templateTorn(let path): "\(path) is torn, was altered or is another user's"
    case .templateMisplaced(let path): "\(path) is the file of another finger or reader"
    case .templateOfOther(let path, let uid, let owner): "\(path) was enrolled when uid \(uid) was \(owner)"
    case .templateUnopened(let path, let key): "\(path) does not open under \(key)"
    case .deviceKeyDamaged(let path): "\(path) is damaged"
    case .deviceKeySealed(let path, let fault, let code):
      "the TPM does not open \(path): \(fault), code 0x\(String(code, radix: 16))"
    case .stateUnpinned(let path, let fault): "\(path) does not show that the state is the newest: \(fault)"
    case .strikesUnreadable(let error), .deviceKeyUnreadable(let error): error.description
    }
  }

  /// strerror(3)'s words.
  static func words(_ code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}
