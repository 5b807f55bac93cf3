import Glibc
import SignetBytes
import SignetConfiguration
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWire

@testable import DaemonService
@testable import DaemonConnections
@testable import DaemonAccounts
@testable import SignetDaemon

extension FuzzTarget {
  /// A whole connection of a client to signetd, which has neither readers nor a passcode check: packets, each behind its
  /// length in two bytes, all sent before signetd looks.
  ///
  /// Whatever comes in whatever order, signetd answers with packets of the protocol, ends with one verdict or refusal and
  /// says no more, never says success, moves no strike, releases nothing that takes a finger, and logs plain lines.
  static let connection = FuzzTarget(
    name: "connection", longest: 8192, seeds: { conversations.map(framed) },
    run: { bytes in
      world.restore()
      let packets = packets(in: bytes)
      let replies = world.converse(packets)
      requireReplies(replies, to: firstKind(of: packets))
      requirePlainLog()
      let strikes = world.services.prover.accounts[world.user.uid].status.strikes
      require(strikes == 0, "\(strikes) strikes without a finger")
    })
}

private let world = World()

/// signetd without its programs, and its log.
private final class World: Sendable {
  let services: Services
  /// Who runs this, and is enrolled.
  let user: User
  let log: Int32
  let vault: OpenVault
  private let folder: String
  private let shutdown = Shutdown()

  init() {
    let folder = makeScratchFolder()
    self.folder = folder
    log = open(folder + "/log", O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    // Where signetd logs; what libFuzzer itself says went elsewhere before (-close_fd_mask).
    guard log >= 0, dup2(log, 2) == 2 else { fail("no file for the log") }
    guard let user = User(uid: geteuid()) else { fail("uid \(geteuid()) has no name") }
    self.user = user
    do {
      // Else every login would go to the passcode before it sees that there is no reader.
      var configuration = Configuration()
      configuration.rules.afterBoot = false
      configuration.usesTPM = false
      (configuration.rules.inactivity, configuration.rules.passcodeAge) = (nil, nil)
      services = try Services(
        state: folder + "/state", runtime: folder + "/run", configuration: configuration, programs: folder, tpm: "none",
        lid: folder + "/lid", fprintd: folder + "/fprint", auditd: folder + "/auditd.pid")
    } catch {
      fail("signetd does not start: \(error)")
    }
    vault = OpenVault(services.prover.vault, user, state: folder + "/state")
  }

  /// Deleting and locking are among the requests, and every input must find the same.
  func restore() {
    for name in ["history", "history.1"] { unlink("\(folder)/state/users/\(user.uid)/\(name)") }
    do {
      try services.prover.accounts[user.uid].reset().get()
      vault.restore()
      if try services.prover.store.value.fingers(of: user).usable.count == 1 { return }
      var finger = EnrolledFinger(
        uid: user.uid, owner: user.name, finger: .leftThumb, reader: "virtual_image:0", isSwipe: false,
        enrolled: 1_800_000_000)
      try services.prover.store.value.seal(ClearTemplate(copying: ([1, 2, 3] as [UInt8]).span), in: &finger)
      try services.prover.store.value.write(finger)
    } catch {
      fail("no finger can be enrolled: \(error)")
    }
  }

  /// Sends packets, lets signetd serve them, and takes its replies.
  func converse(_ packets: [[UInt8]]) -> [[UInt8]] {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { fail("no sockets") }
    defer { close(ends[0]) }
    for packet in packets { _ = send(ends[0], packet, packet.count, Int32(MSG_NOSIGNAL)) }
    Glibc.shutdown(ends[0], Int32(SHUT_WR))
    let socket = Descriptor(ends[1])
    guard let peer = Peer(of: socket.raw),
      let client = ClientConnection(
        Arrival(socket, from: peer), at: ConnectionSlot(number: 1, crowd: .ofAsker), permitted: RequestTable.permitted,
        shutdown: shutdown)
    else {
      fail("no connection")
    }
    RequestTable.serve(client, with: services)
    var replies: [[UInt8]] = []
    var buffer = [UInt8](repeating: 0, count: PacketLimit.packet + 1)
    while case let count = recv(ends[0], &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      replies.append(Array(buffer[..<count]))
    }
    return replies
  }
}

private func packets(in bytes: Span<UInt8>) -> [[UInt8]] {
  var fields = ByteReader(bytes)
  var packets: [[UInt8]] = []
  while packets.count < 8, let packet = try? fields.string(limit: PacketLimit.packet + 1) {
    packets.append(Array(copying: packet))
  }
  return packets
}

private func requireReplies(_ packets: [[UInt8]], to request: RequestKind?) {
  var isOver = false
  for packet in packets {
    require(!isOver, "\(hex(packet.span)) comes after the end")
    world.vault.requireNothingElse(in: packet)
    switch request {
    case .authenticate: isOver = isEndOfLogin(packet)
    // Each of its requests has an end.
    case .context: requireContextReply(packet)
    case .watch: requireWatched(packet)
    case .verify, .onBehalf:
      isOver = true
      if let reply = try? EvaluatedReply(parsing: packet.span) {
        require(reply.verdict != .success, "success without a finger")
      } else {
        isOver = isEnd(packet)
      }
    case .watchVault:
      require((try? OpeningRow(parsing: packet.span)) != nil, "\(hex(packet.span)) is no reply to a watch of the vault")
    default: isOver = isEnd(packet)
    }
  }
}

private func firstKind(of packets: [[UInt8]]) -> RequestKind? {
  guard let first = packets.first, first.count > 1 else { return nil }
  return RequestKind(rawValue: first[1])
}

private func requireContextReply(_ packet: [UInt8]) {
  if let reply = try? EvaluatedReply(parsing: packet.span) {
    require(reply.verdict != .success, "success without a finger or a passcode")
  } else if (try? PolicyRow(parsing: packet.span)) == nil {
    _ = isEnd(packet)
  }
}

private func requireWatched(_ packet: [UInt8]) {
  guard let row = try? BiometryRow(parsing: packet.span) else { fail("\(hex(packet.span)) is no reply to a watch") }
  require(row.state != .usable, "a finger can be asked for without a reader")
}

private func isEndOfLogin(_ packet: [UInt8]) -> Bool {
  guard let reply = try? LoginReply(parsing: packet.span) else { fail("\(hex(packet.span)) is no reply to a login") }
  guard case .verdict(let verdict, _, _, _) = reply else { return false }
  require(verdict != .success, "success without a finger or a passcode")
  return true
}

private func isEnd(_ packet: [UInt8]) -> Bool {
  if (try? ValueReply(parsing: packet.span)) != nil { return false }
  guard let reply = try? AdministrationReply(parsing: packet.span) else { fail("\(hex(packet.span)) is no reply to a request") }
  switch reply {
  case .done, .refused: return true
  default: return false
  }
}

private func requirePlainLog() {
  var buffer = [UInt8](repeating: 0, count: 65536)
  let count = pread(world.log, &buffer, buffer.count, 0)
  guard count > 0 else { return }
  ftruncate(world.log, 0)
  guard let text = String(validating: buffer[..<count], as: UTF8.self) else { fail("the log is not UTF-8") }
  // Code units, because Swift takes a carriage return and a line feed for one character.
  for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
    let line = String(Substring(line))
    requirePlain(line, "the log")
    require(line.dropFirst(3).hasPrefix("signetd: "), "a line of the log is somebody else's: \(line)")
  }
}

// MARK: - seeds

private var conversations: [[[UInt8]]] {
  let requests = vectors(of: ["OpenSessionRequest", "CloseSessionRequest", "AdministrationRequest", "VaultRequest"]).map { [$0] }
  let passcode = vectors(of: ["PasscodeRequest"])[0]
  let answers: [[[UInt8]]] = [
    [], [passcode], [[1, 3]], [[1, 4]], [[1, 3], passcode], [passcode, [1, 4]], [passcode, passcode],
  ]
  let kinds: [UInt8] = [RequestKind.enroll.rawValue, RequestKind.delete.rawValue]
  let changes = vectors(of: ["PasscodeChangedRequest"]).map { [$0] }
  return requests + changes + storing + contexts + answers.map { [login] + $0 }
    + kinds.map { [[1, $0, 0, 0, 0] + ($0 == kinds[0] ? [0, 0] : []), passcode] }
}

/// Items that are stored and replaced, whole, cut, and given up on; read and deleted.
private var storing: [[[UInt8]]] {
  let other = Item(ItemName(service: "other", account: ""), label: "Other")
  let requests: [VaultRequest] = [
    .add(user: "", other, length: 6), .add(user: "", other, length: 0), .update(user: "", Item(OpenVault.name), length: 6),
    .update(user: "", .loginSecret, length: 6), .update(user: "", other, length: 5000),
  ]
  let others: [VaultRequest] = [
    .read(user: "", OpenVault.name), .read(user: "", .loginSecret), .delete(user: "", OpenVault.name), .list(user: ""),
    .recover(user: ""), .reset(user: ""),
  ]
  let part = vectors(of: ["ValueRequest"])[0]
  return others.map { [written($0)] }
    + requests.map(written).flatMap { request in [[request, part], [request, [1, 4]], [request, part, part]] }
}

/// Many requests on one connection, in order and out of it, with items between them; and watches.
private var contexts: [[[UInt8]]] {
  let begin = vectors(of: ["ContextRequest"])[0]
  let evaluations = vectors(of: ["EvaluateRequest"])
  let questions = vectors(of: ["CanEvaluateRequest"])
  let forget: [UInt8] = [1, RequestKind.forget.rawValue]
  let watch: [UInt8] = [1, RequestKind.watch.rawValue]
  let watchVault: [UInt8] = [1, RequestKind.watchVault.rawValue]
  let passcode = vectors(of: ["PasscodeRequest"])[0]
  let cancel: [UInt8] = [1, RequestKind.cancel.rawValue]
  let fallback: [UInt8] = [1, RequestKind.fallback.rawValue]
  var conversations: [[[UInt8]]] = [
    [begin], [begin, begin], [watch], [watch, cancel], [watchVault],
    [watchVault, cancel], [begin, watch], [begin, fallback, cancel, forget],
  ]
  for stored in storing { conversations.append([begin] + stored + [forget] + stored) }
  for question in questions { conversations.append([begin, question, forget, question]) }
  for evaluate in evaluations {
    let answers: [[[UInt8]]] = [[], [cancel], [fallback, passcode], [passcode, passcode, passcode], [evaluate]]
    for answer in answers { conversations.append([begin, evaluate] + answer + [forget]) }
  }
  return conversations
}

private func written(_ request: VaultRequest) -> [UInt8] {
  var packet = SecretBytes(capacity: PacketLimit.packet)!
  guard (try? request.write(into: &packet)) != nil else { fail("\(request) cannot be written") }
  return Array(copying: packet.span)
}

/// An `authenticate` for whoever runs this.
private var login: [UInt8] {
  let name = Array(world.user.name.utf8)
  return [1, 1, 2, 30, 0, UInt8(name.count), 0] + name + [4, 0] + Array("sudo".utf8) + [0, 0, 0, 0]
}

private func framed(_ packets: [[UInt8]]) -> [UInt8] {
  packets.flatMap { [UInt8($0.count & 0xFF), UInt8($0.count >> 8)] + $0 }
}
