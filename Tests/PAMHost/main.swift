// pam-host authenticates a user by a PAM service, as sudo or login would, and prints a JSON line for each step: for tests
// and benchmarks that need a process of its own (terminals, signals, system calls, memory). Run it without arguments for
// its options.
import CLinux
import Glibc
import SignetTestKit

if CommandLine.arguments.dropFirst().first?.hasPrefix("token") == true {
  printToken(Array(CommandLine.arguments.dropFirst()))
  exit(0)
}
if CommandLine.arguments.count == 4, CommandLine.arguments[1] == "listen" {
  listen(at: CommandLine.arguments[2], uid: CommandLine.arguments[3])
}
do {
  let words = Array(CommandLine.arguments.dropFirst())
  switch (words.first, words.count) {
  case ("administer", 4...): try administer(Array(words.dropFirst()))
  case ("relay", 2): try relayToTest(at: words[1])
  case ("tap", 3...): try tap(Array(words.dropFirst()))
  case ("crowd", 7): try join(Array(words.dropFirst()), crowd: true)
  case ("flood", 4): try join(Array(words.dropFirst()), crowd: false)
  case ("owner", 4): try followOwner(Array(words.dropFirst()))
  case ("guess", 6...): try guess(Array(words.dropFirst()))
  default: try authenticate()
  }
} catch {
  emit("{\"step\":\"broken\",\"text\":\(JSON.quoted("\(error)"))}")
  exit(3)
}

/// The steps of a login, as the options say.
func authenticate() throws {
  guard let options = Options(CommandLine.arguments.dropFirst()) else {
    emit(Options.usage)
    exit(2)
  }
  for _ in 0..<options.runs {
    if options.forks { try inChild { try Run(options).all() } } else { try Run(options).all() }
  }
}

/// A fresh process for each run, so that each loads the module.
func inChild(_ body: () throws -> Void) throws {
  let pid = clinux_fork()
  guard pid >= 0 else { throw TestKitError("fork") }
  if pid == 0 {
    do { try body() } catch { _exit(3) }
    _exit(0)
  }
  let status = try waitForExit(of: pid, within: 600_000)
  if status != 0 { emit("{\"step\":\"died\",\"status\":\(status)}") }
}

/// `pam-host listen PATH UID`: an impostor's socket, until standard input ends.
func listen(at path: String, uid: String) -> Never {
  let listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0)
  // Bound before: the folder is the caller's.
  guard clinux_bind_unix(listener, path) == 0, let uid = uid_t(uid), setuid(uid) == 0, listen(listener, 8) == 0 else { exit(3) }
  emit("{\"step\":\"listening\"}")
  var byte: UInt8 = 0
  _ = read(0, &byte, 1)
  exit(0)
}
