import SignetAuthentication

extension Asker {
  /// Who is behind the peer of a connection that began at `connected` (on the boot clock, in milliseconds), as /proc says it
  /// now. Read from little, because every login waits for it. `process` is the peer's, where the kernel hands it out: nothing
  /// is believed of a process that has ended, whose number may be another's by now.
  package init(behind peer: Peer, connected: Int64, process: HeldProcess?) {
    let real = Asker.real(of: peer.pid)
    let login = Asker.login(of: peer.pid)
    let isPeer = process.map { !$0.hasEnded } ?? RequesterProcess.began(peer.pid, before: connected)
    self.init(uid: peer.uid, real: isPeer ? real : .unknown, login: isPeer ? login : .unknown)
  }

  private static func login(of pid: Int32) -> Answer {
    let number = RequesterProcess.number("loginuid", of: pid)
    return number.map { $0 == RequesterProcess.none ? .nobody : .user($0) } ?? .unknown
  }

  /// The first number behind `Uid:` in /proc/PID/status. The name above it cannot forge that line: the kernel writes its
  /// newlines as `\n`.
  private static func real(of pid: Int32) -> Answer {
    guard let text = RequesterProcess.read("status", of: pid).map({ String(decoding: $0, as: UTF8.self) }),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("Uid:\t") }),
      let user = line.dropFirst(5).split(separator: "\t").first.flatMap({ UInt32($0) })
    else { return .unknown }
    return .user(user)
  }
}
