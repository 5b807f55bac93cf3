import CLibc

/// The way to signet-hid, and so to whichever program has opened the device.
enum Host {
  private static let path = "/run/signet-hid/socket"
  /// Between two connections, in milliseconds. At a lock or a switch signet-hid closes the one that there is; in the next one nothing comes
  /// until the user is at the seat again.
  private static let firstPause: UInt32 = 250
  private static let longestPause: UInt32 = 8_000
  /// A connection that has lasted so long was one, in milliseconds.
  private static let lasting: Int64 = 2_000

  /// Stays until signet-hid is gone. Returns the exit status.
  static func serve(_ arguments: Arguments) -> Int32 {
    do throws(Status) { try Passkeys(socket: arguments.socket).removeUnfinished() } catch {
      log("what was left unfinished is not removed (\(error.rawValue))")
    }
    if let descriptor = arguments.descriptor {
      Authenticator(host: descriptor, arguments).serve()
      return 0
    }
    var pause = firstPause
    while true {
      let descriptor = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
      guard descriptor >= 0 else { return 1 }
      let began = Clock.milliseconds()
      if path.withCString({ clinux_connect_unix(descriptor, $0) }) == 0 {
        Authenticator(host: descriptor, arguments).serve()
      } else if clinux_errno() == ENOENT {
        log("there is no signet-hid here")
        return 0
      }
      close(descriptor)
      pause = Clock.milliseconds() - began >= lasting ? firstPause : min(pause * 2, longestPause)
      usleep(pause * 1_000)
    }
  }
}
