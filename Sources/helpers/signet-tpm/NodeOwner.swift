import CLibc
import CLinux

/// Becoming who owns the TPM's node. Distributions give it to a user of its own (`tss`), and root's right to open everybody's files is
/// not among those that signetd has.
enum NodeOwner {
  /// Gives up root's rights for good where the node is not root's; false where that fails. A transport that is no device changes
  /// nothing.
  static func become(of transport: String) -> Bool {
    guard let path = TPMTransport.node(of: transport), geteuid() == 0 else { return true }
    var node = stat()
    // Who is told of a TPM that is missing are those who ask.
    guard unsafe stat(path, &node) == 0, node.st_uid != 0 else { return true }
    guard node.st_mode & mode_t(S_IFMT) == mode_t(S_IFCHR) else { return false }
    var group = node.st_gid
    guard unsafe setgroups(1, &group) == 0, setgid(node.st_gid) == 0, setuid(node.st_uid) == 0 else { return false }
    return setuid(0) != 0
  }
}
