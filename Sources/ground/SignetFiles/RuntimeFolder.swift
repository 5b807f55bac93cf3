#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// The user's runtime directory (XDG Base Directory Specification), which goes with their last session.
public enum RuntimeFolder {
  /// Why there is none to use.
  public enum Failure: Error, Equatable, Sendable {
    case missing
    /// Others could put something there in the user's place, or be there first.
    case notOwn(String)
  }

  /// Its path: the one that `XDG_RUNTIME_DIR` names, else systemd's; only where it is a folder of the user's, for them alone.
  public static func own() throws(Failure) -> String {
    try own(named: unsafe getenv("XDG_RUNTIME_DIR").map { unsafe String(cString: $0) })
  }

  /// The same, of a program that looked the variable up by itself.
  public static func own(named name: String?) throws(Failure) -> String {
    var path = name.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(geteuid())"
    // With a slash behind it, a link of somebody else's would be followed.
    while path.hasSuffix("/"), path != "/" { path.removeLast() }
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { throw errno == ENOENT ? Failure.missing : Failure.notOwn(path) }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
      throw .notOwn(path)
    }
    return path
  }
}
