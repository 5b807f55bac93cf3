import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire

/// `pam-host crowd SOCKET UID SECONDS SEED PAUSE OWNER`: a hostile user. Until the time is over it asks signetd for everything at
/// random, in its own name and the owner's, well and badly formed; it hangs up, says nothing, does not read, types wrong passcodes,
/// and keeps as many connections as it gets. It pauses so many microseconds in between. Prints how much it did.
///
/// `pam-host flood SOCKET UID SECONDS` only connects and hangs up, as fast as it can.
func join(_ words: [String], crowd isCrowd: Bool) throws {
  guard let uid = uid_t(words[1]), setgid(uid) == 0, setuid(uid) == 0 else { throw TestKitError("not root") }
  let end = PAMHost.microseconds() + (Int64(words[2]) ?? 1) * 1_000_000
  emit("{\"step\":\"begun\"}")
  var count = 0
  if isCrowd {
    var hostile = HostileUser(socket: words[0], seed: UInt64(words[3]) ?? 1, owner: words[5])
    let pause = UInt32(words[4]) ?? 0
    while PAMHost.microseconds() < end {
      hostile.act()
      count += 1
      if pause > 0 { usleep(pause) }
    }
  } else {
    while PAMHost.microseconds() < end {
      _ = try? LoginClient(socket: words[0])
      count += 1
    }
  }
  emit("{\"step\":\"acts\",\"code\":\(count)}")
}

private struct HostileUser {
  private let socket: String
  private let owner: String
  private var random: SeededGenerator
  /// Connections that it keeps, more than it has places for.
  private var kept: [LoginClient] = []

  init(socket: String, seed: UInt64, owner: String) {
    (self.socket, self.owner) = (socket, owner)
    random = SeededGenerator(seed: seed)
  }

  mutating func act() {
    guard let client = try? LoginClient(socket: socket) else { return kept.removeAll() }
    switch number(below: 8) {
    // It hangs up at once.
    case 0: return
    // It says nothing.
    case 1: break
    case 2: try? client.send(raw: (0..<number(below: 64)).map { _ in UInt8(number(below: 256)) })
    case 3: try? client.send(raw: [PacketLimit.version, UInt8(number(below: 40))])
    case 4: try? client.authenticate(["", owner, "crowd1"][number(below: 3)], timeout: 3600)
    default: try? client.send(request)
    }
    switch number(below: 3) {
    // It answers what it is asked, wrongly.
    case 0:
      guard case .askPasscode? = try? client.next(within: 5) else { break }
      try? client.answer(passcode: "wrong")
    case 1: try? client.cancel()
    default: break
    }
    kept.append(client)
    if kept.count > 24 { kept.remove(at: number(below: kept.count)) }
  }

  private var request: AdministrationRequest {
    mutating get {
      let user = ["", owner, "nobody-of-that-name"][number(below: 3)]
      let requests: [AdministrationRequest] = [
        .status(user: user), .list(user: user), .history(user: user, limit: 65_535), .lock(user: user), .reset(user: user),
        .sessions, .revokeSession(identifier: "00000000"), .suspend, .resume, .readers, .enroll(user: user, nil, reader: ""),
        .delete(user: user, nil),
      ]
      return requests[number(below: requests.count)]
    }
  }

  private mutating func number(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
}

/// `pam-host owner SOCKET UID USER`: the owner, who does what the lines of standard input say: `finger` logs in by finger, which
/// somebody has to put on; `prompt` asks for the passcode prompt; `lock` locks. Says how long each took, in microseconds.
func followOwner(_ words: [String]) throws {
  guard let uid = uid_t(words[1]), setgid(uid) == 0, setuid(uid) == 0 else { throw TestKitError("not root") }
  while let line = readLine() {
    let start = PAMHost.microseconds()
    let word: String
    do {
      word = line == "lock" ? try lock(words[0]) : try logIn(words[0], words[2], byFinger: line == "finger")
    } catch { word = "failed \(error)" }
    emit("\(line) \(PAMHost.microseconds() - start) \(word)")
  }
}

private func lock(_ socket: String) throws -> String {
  guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
  try AdministrationRequest.lock(user: "").write(into: &packet)
  var request = try PendingRequest(packet, to: socket, Exchange.Terms(silence: 5_000))
  var host = UnattendedHost()
  return "\(try request.next(&host))"
}

private func logIn(_ socket: String, _ user: String, byFinger isByFinger: Bool) throws -> String {
  guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
  try AuthenticateRequest(
    policy: .deviceOwnerAuthentication, timeout: 30, user: Array(user.utf8).span, service: Array("test".utf8).span,
    terminal: Span(), remoteHost: Span()
  ).write(into: &packet)
  var terms = Exchange.Terms(silence: Heartbeat.limit)
  terms.passcodes = 1
  terms.ending = .verdict
  var request = try PendingRequest(packet, to: socket, terms)
  var host = Hand(wantsPasscode: !isByFinger)
  while true {
    let message = try request.step(&host)
    if host.asksForPasscode {
      host.asksForPasscode = false
      try request.send { packet throws(FormatError) in try packet.begin(RequestKind.fallback.rawValue) }
    }
    guard let message else { continue }
    if case .passcodeWanted = message { request.cancel() }
    return "\(message)"
  }
}

/// Says when the reader is armed.
private struct Hand: RequestHost {
  let wantsPasscode: Bool
  var asksForPasscode = false

  init(wantsPasscode: Bool) { self.wantsPasscode = wantsPasscode }

  func failure(_ error: ClientError) -> ClientError { error }

  mutating func show(_ prompt: Prompt, value: UInt8, detail: Span<UInt8>) {
    emit("shown \(prompt)")
    if prompt == .touchReader { asksForPasscode = wantsPasscode }
  }
}
