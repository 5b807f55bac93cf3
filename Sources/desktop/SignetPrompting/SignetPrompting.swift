// SignetPrompting is signet-prompt: it shows and asks, on the desktop of the user, what signetd has to say and to ask about a
// request that another program has made. It decides nothing, and what it reads from signetd besides is nothing: the answer is
// the other program's. Everything runs on the thread of the GLib loop.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for the program.
import CGio
import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetFiles
  import SignetLanguage
  import SignetMemory
  import SignetPinentry
  import SignetWords
#endif

/// The whole of signet-prompt, with its command line. Descriptor 3 is the connection with the pending request, descriptor 4 a
/// pipe that the caller closes to end this process. Returns the status to exit with.
public func runPrompt(_ words: [String]) -> PromptStatus {
  guard confine() else { return .misused }
  let arguments: PromptArguments
  do { arguments = try PromptArguments(parsing: words) } catch {
    complain(error.explanation)
    return .misused
  }
  guard let signetd = Signetd(3), fcntl(4, F_GETFD) >= 0 else {
    complain(say("descriptor 3 must be a connection to signetd, and descriptor 4 a pipe"))
    return .misused
  }
  for descriptor: Int32 in [3, 4] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
  return Prompter(signetd, caller: 4, arguments).run(bus: busAddress())
}

/// The user's bus, as sd-bus and GLib find it, but never one that would have to be started first.
private func busAddress() -> String? {
  if let address = Variables.value("DBUS_SESSION_BUS_ADDRESS") { return address }
  // In a folder of somebody else's it would be somebody else's bus.
  guard let name = Variables.value("XDG_RUNTIME_DIR"), let folder = try? RuntimeFolder.own(named: name),
    access(folder + "/bus", F_OK) == 0
  else { return nil }
  guard let escaped = g_dbus_address_escape_value(folder + "/bus") else { return nil }
  defer { g_free(escaped) }
  return "unix:path=" + String(cString: escaped)
}

/// A passcode comes by here: no core file has it, no other process of the user's reads it, and no module that a variable names is
/// loaded.
private func confine() -> Bool {
  var none = rlimit(rlim_cur: 0, rlim_max: 0)
  guard setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0, clinux_prctl(PR_SET_DUMPABLE, 0) == 0 else {
    return false
  }
  speakUsersLanguage()
  #if hasFeature(Embedded)
    clibc_ignore(SIGPIPE)
  #else
    signal(SIGPIPE, SIG_IGN)
  #endif
  keepSessionVariables()
  setenv("GIO_MODULE_DIR", "/nonexistent", 1)
  return openStandardDescriptors()
}

/// Forgets all variables but those that lead to the user's screen.
private func keepSessionVariables() {
  let names = Variables.screen + Variables.language + ["SIGNET_PINENTRY"]
  let kept = names.compactMap { name in Variables.value(name).map { (name, $0) } }
  clearenv()
  for (name, value) in kept { setenv(name, value, 1) }
}

/// A caller may have closed them, and what is opened next must not be taken for one of them.
private func openStandardDescriptors() -> Bool {
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
    guard clinux_open("/dev/null", O_RDWR, 0) == descriptor else { return false }
  }
  return true
}

private func complain(_ text: String) {
  let line = "signet-prompt: \(text)\n"
  _ = write(STDERR_FILENO, line, line.utf8.count)
}
