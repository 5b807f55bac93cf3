/// The process that asked, as the kernel knows it, and what it said of itself.
public struct EventRequester: Equatable, Sendable {
  /// 0 where signetd did something by itself.
  public var pid: UInt32
  public var uid: UInt32
  /// Who logged in, whoever they became since; where nobody did, who started a program that speaks as somebody else; all ones
  /// for neither. Not what the process wrote as its login by itself.
  public var loginUser: UInt32
  /// The audit session (`/proc/PID/sessionid`); all ones where there is none.
  public var session: UInt32
  /// The program's path; where that is hidden its name, which the process may choose.
  public var program: String
  /// As the requester says.
  public var service: String
  /// As the requester says.
  public var terminal: String

  /// No user, no session: `(uid_t)-1`.
  public static var none: UInt32 { .max }

  public init(
    pid: UInt32 = 0, uid: UInt32 = 0, loginUser: UInt32 = none, session: UInt32 = none, program: String = "",
    service: String = "", terminal: String = ""
  ) {
    self.pid = pid
    self.uid = uid
    self.loginUser = loginUser
    self.session = session
    self.program = program
    self.service = service
    self.terminal = terminal
  }
}
