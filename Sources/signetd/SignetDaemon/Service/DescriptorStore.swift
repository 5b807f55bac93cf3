import CLinux
import Glibc
import SignetFiles

/// systemd's file descriptor store (sd_pid_notify_with_fds(3)): what is put there is passed to the next signetd.
package struct DescriptorStore: Sendable {
  private static let prefix = "vault-"

  /// Whether systemd started signetd, and keeps what is put here.
  package let isThere: Bool

  package init(isThere: Bool = unsafe getenv("NOTIFY_SOCKET") != nil) { self.isThere = isThere }

  package func put(_ descriptor: Int32, _ uid: UInt32) {
    notify("FDSTORE=1\nFDNAME=\(DescriptorStore.name(of: uid))", with: descriptor)
  }

  package func remove(_ uid: UInt32) { remove(named: DescriptorStore.name(of: uid)) }

  package func remove(named name: String) { notify("FDSTOREREMOVE=1\nFDNAME=\(name)") }

  /// What the key of a user is called.
  package static func name(of uid: UInt32) -> String { "\(prefix)\(uid)" }

  /// Whose key has this name; `nil` where it is none of ours.
  package static func uid(of name: some StringProtocol) -> UInt32? {
    guard name.hasPrefix(prefix), let uid = UInt32(name.dropFirst(prefix.count)), name == self.name(of: uid) else { return nil }
    return uid
  }
}
