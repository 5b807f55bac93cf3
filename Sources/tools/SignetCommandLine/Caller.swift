import Glibc
import SignetLanguage
import SignetWords

/// Who runs the command.
enum Caller {
  static func name() throws(CommandFailure) -> String {
    guard let name = name(of: getuid()) else { throw CommandFailure(.refused, ObstacleText.noAccount(getuid())) }
    return name
  }

  /// Whom the command is about where it names `user`, which is empty where it names nobody: who called sudo then, and not root, whose
  /// fingers nobody means. They are told.
  ///
  /// Whoever is root may name anybody, so that nothing is won by writing these variables.
  static func chosen(_ user: String) -> String {
    guard user.isEmpty, let caller = behindRoot else { return user }
    _ = announcement
    return caller
  }

  /// Once: the parser may ask again.
  private static let announcement: Void = {
    guard let caller = behindRoot else { return }
    Report.complain(say("This is about \(caller), who called sudo or its like. For root: --user root"))
  }()

  /// The user who became root by sudo, sudo-rs, run0, pkexec or doas to run this command.
  private static let behindRoot: String? = {
    guard geteuid() == 0 else { return nil }
    for variable in ["SUDO_UID", "PKEXEC_UID"] {
      if let text = variableValue(variable) { return UInt32(text).flatMap { $0 == 0 ? nil : name(of: $0) } }
    }
    guard let name = variableValue("DOAS_USER"), let entry = unsafe getpwnam(name), unsafe entry.pointee.pw_uid != 0 else {
      return nil
    }
    return name
  }()

  private static func variableValue(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

  private static func name(of uid: UInt32) -> String? {
    guard let entry = unsafe getpwuid(uid), let name = unsafe entry.pointee.pw_name else { return nil }
    return unsafe String(cString: name)
  }
}
