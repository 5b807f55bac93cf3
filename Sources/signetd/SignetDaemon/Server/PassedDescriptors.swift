import DaemonService
import DaemonVaults
import Glibc
import SignetFiles

/// What systemd, or the signetd before this one in the same process, passes at the start (sd_listen_fds(3)): the socket, and
/// the keys that were kept.
struct PassedDescriptors: ~Copyable {
  /// The first descriptor that is passed.
  static let first: Int32 = 3

  /// The socket to listen on, where there is one, and its name.
  private(set) var socket: (name: String, descriptor: Int32)?
  /// Keys, by number, and whose they are by their name.
  private(set) var keys: [(uid: UInt32, descriptor: Int32)] = []

  /// Reads the environment. More than one socket, and names that are not as many as descriptors, are refused.
  init() throws(StartFailure) {
    guard let pid = PassedDescriptors.variable("LISTEN_PID"), Int32(pid) == getpid(),
      let count = PassedDescriptors.variable("LISTEN_FDS").flatMap({ Int32($0) }), (1...4096).contains(count)
    else { return }
    for raw in PassedDescriptors.first..<PassedDescriptors.first + count { _ = fcntl(raw, F_SETFD, FD_CLOEXEC) }
    let listed = PassedDescriptors.variable("LISTEN_FDNAMES")?.split(separator: ":", omittingEmptySubsequences: false)
    let names = listed ?? Array(repeating: "", count: Int(count))
    guard names.count == count else {
      throw StartFailure(description: "LISTEN_FDNAMES has \(names.count) names for \(count) descriptors")
    }
    for (name, raw) in zip(names, PassedDescriptors.first...) {
      if let uid = DescriptorStore.uid(of: name) {
        keys.append((uid, raw))
      } else {
        guard socket == nil else { throw StartFailure(description: "two sockets were passed; see signetd.socket") }
        socket = (String(name), raw)
      }
    }
  }

  /// Wipes the keys, for a signetd that does not start: nobody would be there to close the vaults.
  static func eraseKeys() {
    guard let passed = try? PassedDescriptors() else { return }
    let keys = UserKeys()
    for (uid, raw) in passed.keys {
      _ = keys.adopt(Descriptor(raw), of: uid)
      keys.forget(uid)
    }
  }

  private static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}
