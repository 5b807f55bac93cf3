import CLinux
import CPAM
import Glibc
import SignetTestKit

/// One transaction, step by step.
struct Run {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func all() throws {
    prepareSignals()
    if options.hasThread { startIdleThread() }
    let before = options.comparesState ? HostState.now() : nil
    try transaction()
    if let before {
      let after = HostState.now()
      let differences = after.differences(from: before).map(JSON.quoted).joined(separator: ",")
      let descriptors = "\(before.descriptors) then \(after.descriptors)"
      emit(
        "{\"step\":\"state\",\"differences\":[\(differences)],\"descriptors\":\(JSON.quoted(descriptors)),\"mappings\":\(JSON.quoted(mappings()))}"
      )
    }
    if options.pause > 0 { usleep(options.pause) }
  }

  private func startIdleThread() {
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        while true { pause() }
      }, nil)
  }

  private func transaction() throws {
    let kept = options.preloads ? try PAMHost(service: options.service, user: options.user, confdir: options.confdir) : nil
    defer { kept?.end() }
    let start = PAMHost.microseconds()
    let host = try PAMHost(service: options.service, user: options.user, confdir: options.confdir)
    report(host, "start", PAM_SUCCESS, since: start)
    host.set(PAM_RHOST, options.remoteHost)
    host.set(PAM_TTY, options.terminal)
    host.answers = options.answers
    host.messageCode = options.messageCode
    let fingers = Fingers(options.feeds)
    host.onMessage = { host, message in
      report(message)
      if host.messages.count == 1, options.signal != 0, options.signalDelay == nil { kill(getpid(), options.signal) }
      if let name = options.changedUser { host.set(PAM_USER, name) }
      if message.style == PAM_TEXT_INFO || message.text.asksForFinger { fingers.present() }
      if message.style == PAM_PROMPT_ECHO_OFF, options.answerDelay > 0 { usleep(options.answerDelay) }
    }
    let authenticated = authenticate(host, fingers)
    if let name = options.sessionUser { host.set(PAM_USER, name) }
    if options.sessionIsInChild { try inChild { follow(host) } } else { follow(host) }
    host.onMessage = nil
    let end = PAMHost.microseconds()
    host.end(authenticated)
    report(host, "end", PAM_SUCCESS, since: end)
  }

  /// The steps behind pam_authenticate.
  private func follow(_ host: PAMHost) {
    if options.wantsAccount { step(host, "account") { host.manageAccount() } }
    if options.wantsPassword {
      step(host, "password") { signalled { host.changePasscode(flags: options.flags) } }
    }
    if options.wantsCredentials { step(host, "credentials") { host.setCredentials() } }
    if options.wantsSession {
      step(host, "open") { host.openSession() }
      if let command = options.sessionCommand { emit("{\"step\":\"command\",\"status\":\(run(command))}") }
      if let command = options.userSession {
        let status = runSession(of: host.item(PAM_USER) ?? "", command, environment: host.environment)
        emit("{\"step\":\"session\",\"status\":\(status)}")
      }
      step(host, "close") { host.closeSession() }
      if let command = options.closedCommand { emit("{\"step\":\"command\",\"status\":\(run(command))}") }
    }
  }

  private func report(_ message: PAMHost.Message) {
    if options.printsMessages { emit(message.text) }
    if options.printsSettings, message.style == PAM_PROMPT_ECHO_OFF {
      let echoes = HostState.now().terminal.last.map { $0 & UInt32(ECHO) != 0 }
      emit("{\"step\":\"prompt\",\"prompt_echo\":\(echoes ?? false)}")
    }
  }

  private func authenticate(_ host: PAMHost, _ fingers: Fingers) -> Int32 {
    let start = PAMHost.microseconds()
    let code =
      options.wantsPassword ? host.authenticate(flags: options.flags) : signalled { host.authenticate(flags: options.flags) }
    let end = PAMHost.microseconds()
    let messages = list(host.messages, since: start)
    var line = "{\"step\":\"authenticate\",\"code\":\(code),\"name\":\(JSON.quoted(host.name(of: code)))"
    line += ",\"us\":\(end - start),\"leftover\":\(host.leftover.count),\"messages\":[\(messages)]"
    if let fed = fingers.lastPresented { line += ",\"fed_us\":\(fed - start),\"after_feed_us\":\(end - fed)" }
    line += ",\"user\":\(JSON.quoted(host.item(PAM_USER) ?? ""))}"
    emit(line)
    return code
  }

  private func list(_ messages: some Sequence<PAMHost.Message>, since start: Int64) -> String {
    messages.map { "[\($0.time - start),\($0.style),\(JSON.quoted($0.text))]" }.joined(separator: ",")
  }

  private func step(_ host: PAMHost, _ name: String, _ call: () -> Int32) {
    let (start, seen) = (PAMHost.microseconds(), host.messages.count)
    let code = call()
    report(host, name, code, since: start, ",\"messages\":[\(list(host.messages.dropFirst(seen), since: start))]")
  }

  private func report(_ host: PAMHost, _ name: String, _ code: Int32, since start: Int64, _ more: String = "") {
    let time = PAMHost.microseconds() - start
    emit("{\"step\":\"\(name)\",\"code\":\(code),\"name\":\(JSON.quoted(host.name(of: code))),\"us\":\(time)\(more)}")
  }

  /// Calls libpam while the signal of `--kill-after` is under way.
  private func signalled(_ call: () -> Int32) -> Int32 {
    let killer = options.signalDelay.map(startKiller)
    let code = call()
    if let killer {
      kill(killer, SIGKILL)
      waitpid(killer, nil, 0)
    }
    return code
  }

  private func startKiller(after delay: UInt32) -> pid_t {
    let target = getpid()
    let pid = clinux_fork()
    if pid == 0 {
      usleep(delay)
      kill(target, options.signal)
      _exit(0)
    }
    return pid
  }

  private func prepareSignals() {
    guard let disposition = options.disposition else { return }
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    switch disposition {
    case "ignore": signal(SIGINT, SIG_IGN)
    case "handle": signal(SIGINT) { _ in write(1, "{\"step\":\"handled\"}\n", 19) }
    case "block": pthread_sigmask(SIG_BLOCK, &set, nil)
    default: signal(SIGINT, SIG_DFL)
    }
    if options.isPending { kill(getpid(), SIGINT) }
  }
}

/// What each mapping of the process is (proc(5), maps): a file, `[heap]`, or nothing that has a name.
func mappings() -> String {
  let lines = ((try? RawFile.text("/proc/self/maps")) ?? "").split(separator: "\n")
  return lines.map { $0.split(separator: " ", maxSplits: 5).dropFirst(5).first ?? "-" }.joined(separator: " ")
}

/// A robot's fingers: each text goes to a libfprint virtual device, one a message.
final class Fingers {
  private(set) var lastPresented: Int64?
  private var rest: ArraySlice<(socket: String, text: String)>

  init(_ feeds: [(socket: String, text: String)]) { rest = feeds[...] }

  /// The driver tells a verdict before its call is over, and loses a finger that comes until then. Once it has answered something
  /// else, that call is over.
  func present() {
    guard let feed = rest.popFirst() else { return }
    if let settled = Fingers.send("LIST", to: feed.socket) {
      var byte: UInt8 = 0
      while recv(settled, &byte, 1, 0) > 0 {}
      close(settled)
    }
    lastPresented = PAMHost.microseconds()
    if let descriptor = Fingers.send(feed.text, to: feed.socket) { close(descriptor) }
  }

  /// The connection, which the driver ends with its answer.
  private static func send(_ text: String, to path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let bytes = Array(text.utf8)
    guard clinux_connect_unix(descriptor, path) == 0,
      Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

/// The shell's exit status for a command.
func run(_ command: String) -> Int32 {
  let pid = clinux_fork()
  if pid == 0 {
    var words = [strdup("sh"), strdup("-c"), strdup(command), nil]
    execv("/bin/sh", &words)
    _exit(127)
  }
  return (try? waitForExit(of: pid, within: 60_000)) ?? -1
}

/// One line to standard output, unbuffered: it must not be lost when a signal ends the program.
func emit(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

enum JSON {
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case _ where scalar.value < 32: quoted += " "
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
