// libpam calls these functions instead of libc's and libaudit's, because the dynamic linker looks into the program before it
// looks into libraries. So a run loads no module, writes nothing to the journal, and tells the kernel's audit of no login.
import CLinux
import CPAM

/// libpam opens modules with dlopen. For a stand-in it gets this program itself, whose `standIn` it finds; all else is refused.
@c(dlopen)
public func openModule(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> UnsafeMutableRawPointer? {
  guard let path = unsafe path else { return nil }
  let prefix = "/signet-stand-in/"
  guard unsafe strncmp(path, prefix, prefix.utf8.count) == 0,
    let number = Int(unsafe String(cString: path + prefix.utf8.count)), unsafe Run.outcomes.indices ~= number,
    unsafe Run.outcomes[number] != nil
  else { return nil }
  return unsafe clinux_open_self()
}

/// What libpam calls for every module. The only argument is the entry's number.
@c(pam_sm_authenticate)
public func standIn(
  _ handle: OpaquePointer?, _ flags: Int32, _ count: Int32, _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  guard count == 1, let word = unsafe words?[0], let number = Int(unsafe String(cString: word)),
    unsafe Run.outcomes.indices ~= number, let answer = unsafe Run.outcomes[number]
  else { return PAM_SYSTEM_ERR }
  unsafe Run.trace.append("\(number)")
  return answer
}

/// What libpam logs through, always with the format "%s %s". In C the parameters behind the format are variadic; the calling
/// conventions of Linux pass them like any others.
@c(__syslog_chk)
public func catchLog(
  _ priority: Int32, _ flag: Int32, _ format: UnsafePointer<CChar>, _ origin: UnsafePointer<CChar>?,
  _ text: UnsafePointer<CChar>?
) {
  guard unsafe strcmp(format, "%s %s") == 0, let text = unsafe text else { return }
  if unsafe strcmp(text, "bad jump in stack") == 0 { unsafe Run.trace.append("!") }
}

/// Fails as on a kernel without audit, so that libpam goes on without it.
@c(audit_open)
public func openAudit() -> Int32 {
  clinux_set_errno(EPROTONOSUPPORT)
  return -1
}
