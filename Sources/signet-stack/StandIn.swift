// libpam's calls of libc and libaudit end here: a program's own function comes before a library's. They are what keeps a run
// from loading a module, writing to the journal and telling the kernel's audit of a login that is none.
import CLinux
import CPAM
import Glibc

/// libpam opens modules with it. A stand-in's functions are this program's own; any other file is refused.
@c(dlopen)
public func openModule(_ path: UnsafePointer<CChar>?, _ mode: Int32) -> UnsafeMutableRawPointer? {
  guard let path = unsafe path else { return nil }
  let prefix = "/signet-stand-in/"
  let name = unsafe String(cString: path)
  guard name.hasPrefix(prefix), let number = Int(name.dropFirst(prefix.count)), unsafe Run.outcomes.indices ~= number,
    unsafe Run.outcomes[number] != nil
  else { return nil }
  return unsafe clinux_open_self()
}

/// Its only argument is the entry's number.
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

/// libpam's way into the journal, always with the format "%s %s". The parameters behind the format are variadic in C; in the
/// calling conventions of Linux they are passed alike.
@c(__syslog_chk)
public func catchLog(
  _ priority: Int32, _ flag: Int32, _ format: UnsafePointer<CChar>, _ origin: UnsafePointer<CChar>?,
  _ text: UnsafePointer<CChar>?
) {
  guard unsafe String(cString: format) == "%s %s", let text = unsafe text else { return }
  if unsafe String(cString: text) == "bad jump in stack" { unsafe Run.trace.append("!") }
}

/// As on a kernel without audit: libpam goes on without.
@c(audit_open)
public func openAudit() -> Int32 {
  errno = EPROTONOSUPPORT
  return -1
}
