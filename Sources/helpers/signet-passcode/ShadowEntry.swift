import CLinux
import CPAM

/// Whether a user has a passcode, by shadow(5) and whatever the name service has in its place.
enum ShadowEntry {
  /// 16 KiB holds any sane entry.
  private static let size = 16 * 1024

  /// Users of a directory have no entry, and nobody here knows whether their passcode is locked; their stack says so when it is
  /// asked.
  static func answer(of user: String) -> PasscodeAnswer {
    let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer {
      // The hash of the passcode is among it.
      unsafe explicit_bzero(buffer, size)
      unsafe buffer.deallocate()
    }
    var entry = unsafe spwd()
    var found: UnsafeMutablePointer<spwd>?
    let code = unsafe getspnam_r(user, &entry, buffer, size, &found)
    guard unsafe found != nil else {
      return PasscodeAnswer(outcome: code == 0 || code == ENOENT ? .isSet : .unavailable, code: UInt32(bitPattern: code))
    }
    guard let field = unsafe entry.sp_pwdp else { return PasscodeAnswer(outcome: .notSet, code: 0) }
    return PasscodeAnswer(outcome: isLocked(UInt8(bitPattern: unsafe field.pointee)) ? .notSet : .isSet, code: 0)
  }

  /// By its first character, which is 0 where the field is empty. passwd(1) and usermod(8) put `!` in front to lock, and system
  /// users have `*`.
  private static func isLocked(_ first: UInt8) -> Bool { [0, UInt8(ascii: "!"), UInt8(ascii: "*")].contains(first) }
}
