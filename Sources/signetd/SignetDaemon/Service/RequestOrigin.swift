import SignetAuthentication

extension RequestOrigin {
  /// Who is behind the peer of a connection that began at `connected` (on the boot clock, in milliseconds), as /proc says it
  /// now. Read from little, because every login waits for it. `process` is the peer's, where the kernel hands it out: nothing
  /// is believed of a process that has ended, whose number may be another's by now.
  package init(behind peer: Peer, connected: Int64, process: HeldProcess?) {
    let status = PeerProcess.read("status", of: peer.pid).map { String(decoding: $0, as: UTF8.self) } ?? ""
    self.init(
      uid: peer.uid, real: RequestOrigin.first("Uid:\t", of: status).map { .user($0) } ?? .unknown,
      login: RequestOrigin.login(of: peer.pid),
      realGroup: RequestOrigin.first("Gid:\t", of: status))
    if !isSelf { group = RequestOrigin.group(of: peer.pid) }
    let isPeer = process.map { !$0.hasEnded } ?? PeerProcess.began(peer.pid, before: connected)
    if !isPeer { self.init(uid: peer.uid, real: .unknown, login: .unknown) }
  }

  private static func login(of pid: Int32) -> Answer {
    let number = PeerProcess.number("loginuid", of: pid)
    return number.map { $0 == PeerProcess.none ? .nobody : .user($0) } ?? .unknown
  }

  private static func group(of pid: Int32) -> ControlGroup {
    ControlGroup(PeerProcess.read("cgroup", of: pid).map { String(decoding: $0, as: UTF8.self) } ?? "")
  }

  /// The first number behind a label in /proc/PID/status. The name above it cannot forge that line: the kernel writes its
  /// newlines as `\n`.
  private static func first(_ label: String, of status: String) -> UInt32? {
    status.split(separator: "\n").first { $0.hasPrefix(label) }
      .flatMap { $0.dropFirst(label.utf8.count).split(separator: "\t").first }.flatMap { UInt32($0) }
  }
}
