import SignetAuthentication

extension RequestOrigin {
  /// Who is behind the peer of a connection that began at `connected` (on the boot clock, in milliseconds), as /proc says it
  /// now. Read from little, because every login waits for it. `process` is the peer's, where the kernel hands it out: nothing
  /// is believed of a process that has ended, whose number may be another's by now.
  package init(behind peer: Peer, connected: Int64, process: HeldProcess?) {
    let credentials = Credentials(of: peer.pid)
    self.init(
      uid: peer.uid, real: credentials?.real.map { .user($0) } ?? .unknown, login: RequestOrigin.login(of: peer.pid),
      realGroup: credentials?.realGroup)
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

  /// As whom a process runs now (credentials(7)).
  package struct Credentials {
    package let real: UInt32?
    package let effective: UInt32?
    let realGroup: UInt32?

    /// `nil` where it is gone, or hidden.
    package init?(of pid: Int32) {
      guard let bytes = PeerProcess.read("status", of: pid) else { return nil }
      let status = String(decoding: bytes, as: UTF8.self)
      let users = Credentials.numbers("Uid:\t", of: status)
      real = users.first ?? nil
      effective = users.count > 1 ? users[1] : nil
      realGroup = Credentials.numbers("Gid:\t", of: status).first ?? nil
    }

    /// The numbers behind a label in /proc/PID/status. The name above it cannot forge that line: the kernel writes its newlines as
    /// `\n`.
    private static func numbers(_ label: String, of status: String) -> [UInt32?] {
      let line = status.split(separator: "\n").first { $0.hasPrefix(label) }
      return line.map { $0.dropFirst(label.utf8.count).split(separator: "\t").map { UInt32($0) } } ?? []
    }
  }
}
