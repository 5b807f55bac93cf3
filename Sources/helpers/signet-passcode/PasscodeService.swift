import CLibc

/// The PAM service by which passcodes are checked.
struct PasscodeService {
  /// The directories that Debian's libpam reads (pam.d(5)).
  private static let systemDirectories = ["/etc/pam.d", "/usr/lib/pam.d"]

  var name: String
  /// The directory of its file; empty for the system's directories.
  var confdir: String

  /// Whether libpam would use this service's own file.
  ///
  /// Without one it falls back to the service `other`, which on Debian asks pam_unix: a passcode would then be verified by a
  /// stack that nobody chose for it.
  var isInstalled: Bool {
    guard hasPlainName else { return false }
    if confdir.isEmpty { return PasscodeService.systemDirectories.contains(where: hasFile) }
    return confdir.utf8.first == UInt8(ascii: "/") && !confdir.utf8.contains(0) && hasFile(in: confdir)
  }

  /// Whether libpam uses the name unchanged. It makes capitals small and takes a name with a slash for a path.
  private var hasPlainName: Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: ".") else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
      default: false
      }
    }
  }

  private func hasFile(in directory: String) -> Bool {
    var status = stat()
    return unsafe stat("\(directory)/\(name)", &status) == 0 && status.st_mode & mode_t(S_IFMT) == mode_t(S_IFREG)
  }
}
