import CLinux
import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable {
  /// The call and the file or thing it was about: `open /var/lib/signet/users/1000/strikes`.
  public var call: String
  /// Its errno; 0 where `call` says all there is to say.
  public var code: Int32

  public init(call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The failure of the call just made.
  public static func last(_ call: String) -> SystemError { SystemError(call: call, code: clinux_errno()) }

  /// The call and why it failed.
  public var description: String {
    guard code != 0 else { return call }
    guard let text = unsafe strerror(code) else { return "\(call): error \(code)" }
    return unsafe "\(call): \(String(cString: text))"
  }
}
