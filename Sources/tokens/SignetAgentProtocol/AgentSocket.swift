import CLinux
import Glibc
import SignetFiles
import SignetLanguage

/// Where the agent listens, and who is at the other end.
public enum AgentSocket {
  /// Its path: the one that is named, else one in the user's runtime directory.
  public static func path(_ named: String? = nil) throws(RuntimeFolder.Failure) -> String {
    if let named { return named }
    return try RuntimeFolder.own() + "/signet-agent"
  }

  /// unix(7); `nil` where the path is too long.
  static func address(_ path: String) -> (sockaddr_un, socklen_t)? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard !bytes.isEmpty, bytes.count < capacity, !bytes.contains(0) else { return nil }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return (address, socklen_t(MemoryLayout<sockaddr_un>.size))
  }

  /// The uid of whoever is at the other end (`SO_PEERCRED`).
  public static func peer(of socket: Int32) -> uid_t? {
    var pid: pid_t = 0
    var uid: uid_t = 0
    var gid: gid_t = 0
    return unsafe clinux_peer(socket, &pid, &uid, &gid) == 0 ? uid : nil
  }

  /// The socket that systemd listens at for the agent (sd_listen_fds(3)); `nil` where it was started by hand.
  public static func passed() -> Int32? {
    func variable(_ name: String) -> Int32? { unsafe getenv(name).flatMap { unsafe Int32(String(cString: $0)) } }
    guard variable("LISTEN_PID") == getpid(), variable("LISTEN_FDS") == 1 else { return nil }
    // SD_LISTEN_FDS_START
    let descriptor: Int32 = 3
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 ? descriptor : nil
  }

  /// Whether somebody waits at a listening socket.
  public static func isAsked(_ listener: Int32) -> Bool {
    var watched = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&watched, 1, 0) > 0
  }

  /// Listens at `path`, for the caller's own processes. A socket that nobody listens at any more is replaced.
  ///
  /// - Returns: `nil` where another agent of the caller's does, or is about to.
  public static func listen(at path: String) throws(AgentConnection.Failure) -> Int32? {
    let lock = try openLock(path + ".lock")
    guard flock(lock, LOCK_EX | LOCK_NB) == 0, (try? AgentConnection(path: path)) == nil else {
      close(lock)
      return nil
    }
    let raw = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw .closed(errno) }
    guard let (address, length) = address(path) else { throw .closed(ENAMETOOLONG) }
    _ = unsafe unlink(path)
    let before = umask(0o177)
    let code = unsafe withUnsafePointer(to: address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(raw, $0, length) }
    }
    umask(before)
    guard code == 0, Glibc.listen(raw, 64) == 0 else {
      let error = errno
      close(raw)
      throw .closed(error)
    }
    return raw
  }

  /// Held for as long as the process lives: of two that find no listener only one may put its socket there. A lock that somebody else
  /// could hold is none.
  private static func openLock(_ path: String) throws(AgentConnection.Failure) -> Int32 {
    let lock = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard lock >= 0 else { throw .closed(errno) }
    var status = stat()
    guard unsafe fstat(lock, &status) == 0, status.st_uid == geteuid(), status.st_mode & (S_IFMT | 0o077) == S_IFREG else {
      close(lock)
      throw .closed(EPERM)
    }
    return lock
  }
}

extension RuntimeFolder.Failure {
  /// For who wants the agent.
  public var sentence: String {
    switch self {
    case .missing: say("there is no runtime directory of yours (XDG_RUNTIME_DIR), so no agent can listen: log in, and ask there.")
    case .notOwn(let path):
      say(
        "XDG_RUNTIME_DIR names \(path), which is not yours alone (your folder, with mode 700), so no agent listens there: others could be there first. Log in anew, or name another folder."
      )
    }
  }
}
