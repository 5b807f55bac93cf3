import Glibc

/// libpam's way into the journal, caught: it calls this function of libc with the format "%s %s", and a program's own
/// function comes before libc's. The parameters behind the format are variadic in C; in the calling conventions of Linux
/// they are passed alike.
@c(__syslog_chk)
public func catchLog(
  _ priority: Int32, _ flag: Int32, _ format: UnsafePointer<CChar>, _ origin: UnsafePointer<CChar>,
  _ text: UnsafePointer<CChar>
) {
  guard CommandLine.arguments.contains("--log") else { return }
  emit(
    "{\"step\":\"log\",\"priority\":\(priority & 7),\"format\":\(JSON.quoted(String(cString: format)))"
      + ",\"text\":\(JSON.quoted(String(cString: origin) + " " + String(cString: text)))}")
}
