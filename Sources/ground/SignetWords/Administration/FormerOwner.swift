import Glibc
import SignetLanguage

/// What became of a name under which something was enrolled or stored, where its uid has another name now. The databases of users
/// and groups say it, and whatever they say, nothing opens by it.
enum FormerOwner {
  /// Both names have the uid.
  case secondName
  /// The name has another uid now: this one was given away.
  case elsewhere(uid: UInt32)
  /// Nobody has the name any more, but the user still has what was made for it: a home or a group of that name.
  case renamed(to: String)
  /// Nobody has the name any more, and nothing says whether its user was renamed or removed.
  case gone

  init(_ name: String, of uid: UInt32) {
    if let owner = unsafe getpwnam(name) {
      self = unsafe owner.pointee.pw_uid == uid ? .secondName : .elsewhere(uid: owner.pointee.pw_uid)
      return
    }
    guard let now = unsafe getpwuid(uid), let present = unsafe now.pointee.pw_name, let home = unsafe now.pointee.pw_dir else {
      self = .gone
      return
    }
    // Copied before the next call reuses what they point to.
    let (user, folder, group) = unsafe (String(cString: present), String(cString: home), now.pointee.pw_gid)
    let hasGroup = unsafe getgrnam(name).map { unsafe $0.pointee.gr_gid == group } ?? false
    self = folder.hasSuffix("/" + name) || hasGroup ? .renamed(to: user) : .gone
  }

  /// For a template, which cannot be taken along: its seal has the name.
  func ofFinger(_ path: String, _ uid: UInt32, _ owner: String) -> String {
    switch self {
    case .secondName:
      say(
        """
        \(path): it was enrolled as \(owner), another name of uid \(uid); log in by that name, or delete all fingers and enroll \
        them again
        """)
    case .elsewhere(let other):
      say("\(path): \(owner), who has uid \(other) now, enrolled it as uid \(uid); delete all fingers and enroll them again")
    case .renamed(let name):
      say("\(path): it was enrolled as \(owner), who is called \(name) now; delete all fingers and enroll them again")
    case .gone:
      say("\(path): it was enrolled as \(owner), a name that nobody has now; delete all fingers and enroll them again")
    }
  }

  func ofVault(_ path: String, _ uid: UInt32, _ owner: String) -> String {
    switch self {
    case .secondName: say("\(path): it is of \(owner), another name of uid \(uid); use it by that name, or reset the vault")
    case .elsewhere(let other):
      say("\(path): it is of \(owner), who had uid \(uid) before and has \(other) now; reset the vault")
    case .renamed(let name):
      say(
        """
        \(path): it is of \(owner), who is called \(name) now; to get what is in it take the old name back for a while, as root: \
        usermod --login \(owner) \(name); then reset the vault
        """)
    case .gone:
      say(
        """
        \(path): it is of \(owner), a name that nobody has now; if that user was renamed, take the old name back for a while to get \
        what is in it; then reset the vault
        """)
    }
  }
}
