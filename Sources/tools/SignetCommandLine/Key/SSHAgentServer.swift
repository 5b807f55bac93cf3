import CLinux
import Glibc
import SignetAgentProtocol

/// Lets the user's own programs in; a process for each speaks with it (`SSHAgentClient`).
struct SSHAgentServer {
  let listener: Int32
  /// Where signetd listens.
  let helper: String

  /// How many may be there at the same time: who comes after them is sent away.
  private static let clients = 32

  /// `owner`: a descriptor of the process with which it ends (pidfd_open(2)); -1 where it is to stay.
  func serve(until owner: Int32) {
    var running: [pid_t] = []
    while true {
      var watched = [listener, owner].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard unsafe poll(&watched, 2, -1) > 0 || errno == EINTR, watched[1].revents == 0 else { return }
      guard watched[0].revents != 0 else { continue }
      let client = clinux_accept(listener, Int32(SOCK_CLOEXEC.rawValue))
      guard client >= 0 else {
        if [EINTR, ECONNABORTED].contains(errno) { continue }
        return
      }
      defer { close(client) }
      running.removeAll { waitpid($0, nil, WNOHANG) != 0 }
      // The socket's mode keeps others out; root is none of them.
      guard AgentSocket.peer(of: client) == getuid(), running.count < Self.clients else { continue }
      let words = [CommandPath.own, "key", "answer", "--socket", helper]
      if let child = ChildProgram.spawn(words, descriptor: client) { running.append(child) }
    }
  }
}
