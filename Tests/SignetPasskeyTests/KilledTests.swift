import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetPasskey
import SignetSealing
import SignetTestKit
import SignetVault
import SignetVocabulary
import SignetWire
import Testing

/// The process of passkeys, killed and looked into.
@Suite(.serialized, .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs python3, which `make deps` installs"))
struct KilledTests {
  private let world: PasskeyWorld

  init() throws { world = try PasskeyWorld() }

  private func rows() throws -> [ItemRow] {
    try world.scene.daemon.connect().ask(.list(user: "")).items.filter { $0.item.name.isPasskey }
  }

  /// Makes one, by a touch; nothing where the program is gone before the whole answer.
  private func make(for user: String) throws -> MadePasskey? {
    let before = world.armings
    try world.begin(1, PasskeyWorld.make(user: user))
    try world.awaitArming(after: before)
    try world.scene.reader.scan("right")
    guard let answer = try? world.commandAnswer() else { return nil }
    guard answer.status == .success else { throw TestKitError("\(answer)") }
    return try MadePasskey(answer.value)
  }

  /// How often each of these calls is made in all, and before signetd is asked for a key.
  private func calls(in log: String, _ names: [String]) throws -> [(name: String, before: Int, all: Int)] {
    let lines = try RawFile.text(log).split(separator: "\n")
    let asked = try #require(lines.firstIndex { $0.hasPrefix("sendto(") && $0.contains("\"\\0015") })
    return names.map { name in
      let found = lines.indices.filter { lines[$0].hasPrefix("\(name)(") }
      return (name, found.count { $0 < asked }, found.count)
    }
  }

  @Test(.enabled(if: Strace.isAvailable, "needs root and strace; `make deps` installs strace, CI runs as root"))
  func `killed at any step of making one it leaves no half passkey, and the one that was told of stays`() throws {
    let log = world.scene.daemon.folder + "/calls"
    // Not those of the prompt, which it starts.
    let launcher = ["strace", "-qq", "-o", log]
    try world.restart(behind: launcher)
    _ = try #require(try make(for: "calm"))
    try world.restart()
    try removeAll()
    var (killed, steps) = (0, 0)
    for (name, before, all) in try calls(in: log, ["sendto", "recvfrom"]) {
      for number in before + 1...all {
        steps += 1
        try world.restart(behind: launcher + ["-e", "inject=\(name):signal=KILL:when=\(number)"])
        let told = try make(for: "\(name) \(number)")
        if told == nil { killed += 1 }
        let asLeft = try rows()
        try world.restart()
        let kept = try rows()
        #expect(kept.allSatisfy { !$0.item.label.isEmpty }, "at \(name) \(number)")
        #expect(kept.map(\.item.name) == asLeft.filter { !$0.item.label.isEmpty }.map(\.item.name), "at \(name) \(number)")
        #expect(try told.map { try has($0, kept) } ?? true, "at \(name) \(number)")
        try world.scene.daemon.awaitStrikes(0)
        // Each one that is there is a packet more to read.
        try removeAll()
      }
    }
    #expect(steps > 10 && killed * 10 >= steps * 8, "only \(killed) of \(steps) steps were reached")
  }

  private func removeAll() throws {
    for row in try rows() {
      let end = try world.scene.daemon.connect().ask(.delete(user: "", row.item.name)).end
      guard end == .done else { throw TestKitError("\(end)") }
    }
  }

  private func has(_ passkey: MadePasskey, _ rows: [ItemRow]) throws -> Bool {
    rows.contains { $0.item.attributes == [4] + passkey.point }
  }

  @Test func `what is being made is none yet, and is gone after the next start`() throws {
    let half = StoredCredential(
      name: [UInt8](repeating: 7, count: 32), site: Site(id: Array("example.org".utf8)),
      account: Account(id: [1], name: Array("half".utf8), displayName: []), isDiscoverable: true)
    let item = Item(
      .passkey(String(repeating: "07", count: 32)), comment: half.comment, accessControl: AccessControl(.userPresence),
      accessibility: .afterFirstUnlock)
    #expect(try world.scene.daemon.connect().ask(.makeKey(user: "", item)).end == .done)
    let look = PasskeyWorld.use(allowed: [half.name], options: .named([("up", .bool(false))]))
    #expect(try world.ask(2, look).status == .noCredentials)
    #expect(try rows().count == 1)
    try world.restart()
    #expect(try rows() == [])
  }

  @Test func `a strike outlives the process, and what is left of the five is told`() throws {
    func left() throws -> CBOR? { try world.ask(6, .numbered([(2, .int(7))])).value[5] }
    #expect(try left() == .int(5))
    let before = world.armings
    try world.begin(1, PasskeyWorld.make())
    try world.awaitArming(after: before)
    try world.scene.reader.scan("wrong")
    try wait(for: "the miss") { world.shown.contains("show 2\n") }
    try world.restart()
    try world.scene.daemon.awaitStrikes(1)
    #expect(try left() == .int(4))
    _ = try world.made()
    #expect(try left() == .int(5))
  }

  @Test(.enabled(if: ProcessMemory.isReadable, "needs root, and a signetd without a sanitizer, to read its memory"))
  func `no byte of a private key is in its memory, while it is used and after`() throws {
    _ = try world.made()
    let secret = try privateHalf(try #require(try rows().first).item.name)
    func expectNone() throws {
      let memory = try ProcessMemory(of: world.pid)
      let canFind = memory.holds(Array("signet-passkey".utf8))
      #expect(canFind, "what it has is found")
      // libcrypto has numbers with the lowest byte first, and an algorithm may keep one in pieces.
      for part in [secret, secret.reversed()].flatMap({ [Array($0.prefix(8)), Array($0.suffix(8))] }) {
        let isThere = memory.holds(part)
        #expect(!isThere)
      }
    }
    let ours = try ProcessMemory(of: getpid()).holds(secret)
    #expect(ours, "what is searched for can be found")
    let before = world.armings
    try world.begin(2, PasskeyWorld.use())
    try world.awaitArming(after: before)
    try expectNone()
    try world.scene.reader.scan("right")
    #expect(try world.commandAnswer().status == .success)
    try expectNone()
  }

  /// The private number, from the disk.
  private func privateHalf(_ name: ItemName) throws -> [UInt8] {
    let daemon = world.scene.daemon
    let state = try StateDirectory(path: daemon.stateDirectory, create: false)
    let vault = UserVault(
      directory: try StateDirectory(path: world.scene.folder, create: false),
      epochs: try StateDirectory(path: daemon.stateDirectory + "/epochs", create: false),
      deviceKey: try HostKeyFile(in: state, isNew: false), uid: daemon.uid, owner: daemon.user)
    let passcode = Array(RunningDaemon.passcode.utf8)
    let passcodeKey = try PasscodeKey(passcode.span, vault.salt())
    let userKey = try vault.openKey(passcodeKey)
    let secret = try vault.read(name, proof: .passcode, state: .unlocked, userKey: userKey)
    return Array(copying: secret.span)
  }
}
