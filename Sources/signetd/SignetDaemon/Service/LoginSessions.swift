import CLinux
import CLogind
import Glibc
import SignetAuthentication
import SignetFiles

/// Where a process is, as logind says (sd-login(3)), or without logind the kernel alone.
package enum LoginSessions {
  /// A user has seldom more; what is behind these is not looked at.
  private static let limit = 32

  /// What `LocalPresencePolicy` judges by, and no more of it than it needs for this asker. `owner` is the user who is asked for, `seat`
  /// where the reader is.
  package static func location(
    of origin: RequestOrigin, _ process: @autoclosure () -> PeerProcess, pid: Int32, owner: UInt32, seat: String
  ) -> LocalPresencePolicy.Location {
    var location = LocalPresencePolicy.Location(hasLogind: clogind_is_there())
    if origin.source == .service || !location.hasLogind { location.terminal = terminal(of: process()) }
    guard location.hasLogind else { return location }
    if origin.source == .service {
      location.seatSession = unsafe session { unsafe clogind_active_session(seat, $0) }
      return location
    }
    location.session = unsafe session { unsafe clogind_session_of(pid, $0) }
    if location.session == nil {
      location.manager = manager(of: pid)
      location.ownSessions = sessions(of: owner)
    }
    return location
  }

  /// Whether logind has a session of the user that has not ended; `nil` without logind.
  package static func isLoggedIn(_ uid: UInt32) -> Bool? { clogind_is_there() ? clogind_is_logged_in(uid) : nil }

  private static func session(_ ask: (UnsafeMutablePointer<clogind_session>) -> Bool) -> LoginSession? {
    var session = clogind_session()
    return unsafe ask(&session) ? LoginSession(session) : nil
  }

  private static func manager(of pid: Int32) -> UInt32? {
    var owner: uid_t = 0
    return unsafe clogind_owner_of(pid, &owner) ? owner : nil
  }

  private static func sessions(of uid: UInt32) -> [LoginSession] {
    var sessions = [clogind_session](repeating: clogind_session(), count: limit)
    let count = unsafe clogind_sessions_of(uid, &sessions, sessions.count)
    return sessions.prefix(count).map { LoginSession($0) }
  }

  private static func terminal(of process: PeerProcess) -> LocalPresencePolicy.Terminal {
    if !process.hasTerminal { return .none }
    // The kernel's own file, which names the console that is shown (`tty2`).
    let shown = PeerProcess.read("/sys/class/tty/tty0/active").map { String(decoding: $0.dropLast(), as: UTF8.self) }
    return process.terminal == shown && process.terminal.hasPrefix("tty") ? .shownConsole : .other
  }
}

extension LoginSession {
  fileprivate init(_ session: clogind_session) {
    let seat = unsafe withUnsafeBytes(of: session.seat) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    self.init(
      user: session.user, isRemote: session.is_remote, isActive: session.is_active, seat: seat, isGreeter: session.is_greeter)
  }
}
