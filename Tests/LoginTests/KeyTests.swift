import Foundation
import Glibc
import SignetDigest
import SignetMemory
import SignetTestKit
import SignetTokens
import SignetVocabulary
import SignetWire
import Synchronization
import Testing

@testable import SignetVault

/// Keys that sign by finger, and of which nothing but signatures and the public point leaves signetd.
@Suite(.serialized) struct KeyTests {
  fileprivate static let name = ItemName(kind: .key, service: "git.example.org", account: "alice")
  fileprivate static let message = Array("what is signed".utf8)
  fileprivate static let digest = SHA256.hash(message.span)

  private let scene: Scene

  /// A finger is enrolled, and the vault open.
  init() throws {
    scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
  }

  private func make(
    _ constraints: AccessControl.Constraints = .biometryCurrentSet, _ name: ItemName = Self.name,
    _ accessibility: Accessibility = .whenUnlocked
  ) throws -> ES256PublicKey {
    let item = Item(name, label: "Key", accessControl: AccessControl(constraints), accessibility: accessibility)
    let answer = try scene.ask(.makeKey(user: "", item))
    guard answer.end == .done, let point = answer.value, point.count == ItemLimit.publicKey, point[0] == 4,
      let key = ES256PublicKey(Array(point.dropFirst()))
    else { throw TestKitError("\(answer)") }
    return key
  }

  private func sign(_ proving: Proving = Proving(), with name: ItemName = Self.name, mayInteract: Bool = true) throws
    -> VaultAnswer
  {
    try scene.ask(.sign(user: "", name, digest: Self.digest, mayInteract: mayInteract), proving)
  }

  @Test func `a finger signs, and what is listed of the key verifies it`() throws {
    let key = try make()
    try scene.daemon.awaitLog("key made")
    let answer = try sign(Proving(touch: scene.touch()))
    #expect(isSigned(answer, by: key) && answer.questions == [.finger], "\(answer)")
    try scene.daemon.awaitLog("signed with a key")
    let row = try #require(try scene.ask(.list(user: "")).items.first)
    #expect(row.item.name == Self.name && row.item.attributes == [4] + key.point && row.isOfCurrentSet)
    #expect(try make(.biometryAny, ItemName(kind: .key, service: "other", account: "")).point != key.point)
    // Each signature asks anew, and where nothing may be asked for there is none.
    #expect(try sign(mayInteract: false).end == .refused(.interactionNotAllowed))
    #expect(isSigned(try sign(Proving(touch: scene.touch())), by: key))
  }

  @Test func `no request hands out a key's value or puts another in its place`() throws {
    let key = try make(.userPresence)
    let proving = Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)
    let item = Item(Self.name)
    for request: VaultRequest in [
      .read(user: "", Self.name), .update(user: "", item, length: 32), .add(user: "", item, length: 32),
      .add(user: "", Item(ItemName(kind: .key, service: "new", account: ""), attributes: [4] + key.point), length: 32),
    ] {
      let answer = try scene.ask(request, value: [UInt8](repeating: 7, count: 32), proving)
      #expect(answer.end == .refused(.keyOnlySigns) && answer.value == nil && answer.questions == [], "\(request): \(answer)")
    }
    #expect(try scene.ask(.makeKey(user: "", item)).end == .refused(.duplicateItem))
    #expect(isSigned(try sign(proving), by: key))
    #expect(try scene.ask(.delete(user: "", Self.name)).end == .done)
    #expect(try sign(proving).end == .refused(.notFound))
  }

  @Test func `a finger releases what a key and another's point agree on, and nothing less does`() throws {
    let key = try make()
    let other = try ES256Key(random: ())
    func agree(_ proving: Proving = Proving(), mayInteract: Bool = true) throws -> VaultAnswer {
      let point = [4] + other.publicKey.point
      return try scene.ask(.agree(user: "", Self.name, point: point, mayInteract: mayInteract), proving)
    }
    let answer = try agree(Proving(touch: scene.touch()))
    let shared = try other.agree(with: key)
    #expect(answer.value == (0..<shared.count).map { shared.span[$0] } && answer.questions == [.finger] && answer.end == .done)
    try scene.daemon.awaitLog("agreed on a secret with a key")
    #expect(try agree(mayInteract: false).end == .refused(.interactionNotAllowed))
    let missed = try agree(Proving(touch: scene.touch("wrong")))
    #expect(missed.end != .done && missed.value == nil && scene.daemon.strikesOnDisk == 1)
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    let late = try agree(Proving(touch: scene.touch()))
    #expect(late.end == .refused(.fingersChanged) && late.value == nil)
  }

  @Test func `a point that is not on the curve ends the connection, and asks nobody`() throws {
    let key = try make([], Self.name, .afterFirstUnlock)
    var elsewhere = key.point
    elsewhere[63] ^= 1
    for point in [[4] + elsewhere, [2] + key.point, [UInt8](repeating: 0, count: ItemLimit.publicKey)] {
      #expect(throws: (any Error).self) { try scene.ask(.agree(user: "", Self.name, point: point)) }
      try scene.daemon.awaitLog("a point that is not on the curve")
    }
    #expect(isSigned(try sign(), by: key))
  }

  @Test func `a key's label and comment change without its value, and nothing else of it does`() throws {
    let key = try make(.userPresence)
    let point = [4] + key.point
    var item = Item(Self.name, label: "Another", comment: "c", accessControl: AccessControl(.userPresence), attributes: point)
    #expect(try scene.ask(.update(user: "", item, length: 0)).end == .done)
    let row = try #require(try scene.ask(.list(user: "")).items.first)
    #expect(row.item == item && row.isOfCurrentSet)
    for change: (inout Item) -> Void in [
      { $0.accessControl = AccessControl() }, { $0.accessibility = .afterFirstUnlock }, { $0.attributes[5] ^= 1 },
      { $0.attributes = [] },
    ] {
      item.label = "Changed"
      var other = item
      change(&other)
      #expect(try scene.ask(.update(user: "", other, length: 0)).end == .refused(.keyOnlySigns))
    }
    item = Item(ItemName(kind: .key, service: "none", account: ""), attributes: point)
    #expect(try scene.ask(.update(user: "", item, length: 0)).end == .refused(.notFound))
    #expect(try scene.ask(.list(user: "")).items.map(\.item.label) == ["Another"])
    #expect(isSigned(try sign(Proving(passcode: RunningDaemon.passcode)), by: key))
  }

  @Test func `a finger that is not known signs nothing, and counts`() throws {
    let key = try make()
    let answer = try sign(Proving(touch: scene.touch("wrong")))
    #expect(answer.end != .done && answer.value == nil && answer.questions == [.finger], "\(answer)")
    #expect(scene.daemon.strikesOnDisk == 1)
    #expect(isSigned(try sign(Proving(touch: scene.touch())), by: key))
  }

  enum Locked: CaseIterable { case fiveStrikes, signetLock, restart }

  @Test(arguments: Locked.allCases) func `a locked user's keys sign nothing, and are kept for the passcode`(how: Locked) throws {
    let (key, ofPresence) = (try make(), ItemName(kind: .key, service: "presence", account: ""))
    let other = try make(.userPresence, ofPresence)
    switch how {
    case .fiveStrikes: try scene.strikeOut()
    case .signetLock: try scene.lock()
    case .restart: try scene.restart()
    }
    for name in [Self.name, ofPresence] {
      let answer = try sign(Proving(touch: scene.touch()), with: name)
      #expect(answer.end != .done && answer.value == nil && answer.questions == [.passcode(.vault)], "\(answer)")
    }
    // The passcode opens the vault, and what is for a finger still asks for one.
    let both = Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)
    let byBoth = try sign(both)
    #expect(isSigned(byBoth, by: key) && byBoth.questions == [.passcode(.vault), .finger], "\(byBoth)")
    #expect(isSigned(try sign(Proving(passcode: RunningDaemon.passcode), with: ofPresence), by: other))
  }

  @Test func `another finger ends what was for those before, and no other key`() throws {
    let (kept, other) = (
      ItemName(kind: .key, service: "kept", account: ""), ItemName(service: "git.example.org", account: "alice")
    )
    _ = try make()
    let key = try make(.userPresence, kept)
    #expect(try scene.store(Item(other, accessControl: AccessControl(.biometryAny)), [1]).end == .done)
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    let proving = Proving(touch: scene.touch(), passcode: RunningDaemon.passcode)
    let answer = try sign(proving)
    #expect(answer.end == .refused(.fingersChanged) && answer.value == nil && answer.questions == [], "\(answer)")
    #expect(isSigned(try sign(Proving(passcode: RunningDaemon.passcode), with: kept), by: key))
    let lost = try scene.ask(.list(user: "")).items.filter { !$0.isOfCurrentSet }
    #expect(lost.map(\.item.name) == [Self.name] && lost[0].change?.finger == .leftThumb)
  }

  @Test func `a context signs a hundred times from eight threads for one touch, until it is forgotten`() throws {
    let key = try make()
    nonisolated(unsafe) let client = try scene.daemon.connect()
    try client.openContext()
    let touch = Proving(touch: scene.touch())
    #expect(try client.ask(.sign(user: "", Self.name, digest: Self.digest), touch).questions == [.finger])
    let answers = Mutex<[VaultAnswer]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for _ in 0..<(thread < 4 ? 13 : 12) {
        answers.withLock { answers in
          guard let answer = try? client.ask(.sign(user: "", Self.name, digest: Self.digest, mayInteract: false)) else { return }
          answers.append(answer)
        }
      }
    }
    let all = answers.withLock { $0 }
    #expect(all.count == 100 && all.allSatisfy { isSigned($0, by: key) && $0.questions == [] })
    try client.forget()
    #expect(try client.ask(.sign(user: "", Self.name, digest: Self.digest), touch).questions == [.finger])
  }

  @Test func `eight programs sign at once with a key that asks for nothing`() throws {
    let key = try make([], Self.name, .afterFirstUnlock)
    nonisolated(unsafe) let shared = scene
    let signed = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      guard let client = try? shared.daemon.connect(), (try? client.openContext()) != nil else { return }
      for _ in 0..<13 {
        guard let answer = try? client.ask(.sign(user: "", Self.name, digest: Self.digest)), isSigned(answer, by: key),
          answer.questions == []
        else { return }
        signed.add(1, ordering: .relaxed)
      }
    }
    #expect(signed.load(ordering: .relaxed) == 8 * 13)
    // A row each would push out all that matters: of each program's there is one, and how many more there were.
    func rows() -> Int { scene.daemon.loggedSoFar.components(separatedBy: "signed with a key").count - 1 }
    try wait(for: "a row of each program") { rows() >= 8 }
    #expect(rows() == 8)
  }

  @Test func `a record that was cut or altered signs nothing, whatever byte it is`() throws {
    let key = try make([], Self.name, .afterFirstUnlock)
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/items")
    let path = scene.folder + "/items/" + (try #require(names.first))
    let whole = try RawFile.read(path)
    for length in stride(from: 0, to: whole.count, by: 11) {
      try RawFile.overwrite(path, Array(whole[..<length]))
      try expectNothing("cut to \(length)")
    }
    for index in stride(from: 0, to: whole.count, by: 7) {
      var altered = whole
      altered[index] ^= 1
      try RawFile.overwrite(path, altered)
      try expectNothing("byte \(index)")
    }
    try RawFile.overwrite(path, whole)
    #expect(isSigned(try sign(), by: key))
  }

  private func expectNothing(_ what: String) throws {
    let answer = try sign()
    #expect(answer.end == .refused(.vaultUnavailable) && answer.value == nil, "\(what): \(answer)")
    let isNamed = answer.explanation.contains(scene.folder)
    #expect(isNamed, "\(what): \(answer.explanation)")
  }

  @Test func `a key whose public point is another's signs nothing`() throws {
    let passcode = Array(RunningDaemon.passcode.utf8)
    let one = try ES256Key(random: ())
    let other = try ES256Key(random: ()).publicKey
    let vault = try scene.diskVault()
    for (service, point) in [("own", one.publicKey.point), ("other", other.point)] {
      let name = ItemName(kind: .key, service: service, account: "")
      let item = Item(name, accessibility: .afterFirstUnlock, attributes: [4] + point)
      try vault.add(item, value: one.secret, under: vault.openKey(passcode: passcode.span), now: 1)
      let answer = try sign(with: name)
      #expect(isSigned(answer, by: one.publicKey) == (service == "own"), "\(answer)")
      if service == "other" { #expect(answer.end == .refused(.vaultUnavailable) && answer.value == nil, "\(answer)") }
    }
  }

  @Test(.enabled(if: ProcessMemory.isReadable, "needs root, and a signetd without a sanitizer, to read its memory"))
  func `the private key is in no memory that can be read, while it is used and after`() throws {
    let key = try make()
    let secrets = try VaultSecrets(scene, [Self.name])
    #expect(secrets.all.contains { $0.name == "the value of git.example.org" && $0.bytes.count == ES256Key.privateLength })
    let ours = try ProcessMemory(of: getpid())
    #expect(secrets.found(in: ours.holds) == secrets.all.map(\.name), "what is searched for can be found")
    func expectNone() throws {
      for pid in [scene.daemon.pid] + (try scene.awaitChild(named: "signet-reader")) {
        let memory = try ProcessMemory(of: pid)
        // libcrypto has numbers with the lowest byte first.
        #expect(secrets.found { memory.holds($0) || memory.holds($0.reversed()) } == [], "\(pid)")
      }
    }
    let proving = Proving(touch: {
      try expectNone()
      try scene.reader.scan("right")
    })
    for _ in 1...2 { #expect(isSigned(try sign(proving), by: key)) }
    try expectNone()
  }

  @Test(.enabled(if: ProcessMemory.isReadable, "needs root, and a signetd without a sanitizer, to read its memory"))
  func `a program that signs by Apple's names has no byte of the private half`() throws {
    let flags = "\(1 << 30 | 1 << 3)"
    let program = try TerminalProgram(
      [try ReaderChannel.program("apple-style-6"), "keys", "org.example", "make", flags, "context", "sign", "sign", "typed"],
      environment: ["PATH=/usr/bin:/bin", "SIGNET_SOCKET=\(scene.daemon.socket)"])
    try program.touch("right", scene.reader)
    for _ in 1...2 { _ = try program.line(beginning: "sign true ") }
    let row = try #require(try scene.ask(.list(user: "")).items.first)
    let secrets = try VaultSecrets(scene, [row.item.name])
    let memory = try ProcessMemory(of: program.terminal.pid)
    // Its public half is there, so that what is searched is the right memory.
    #expect(memory.holds(Array(row.item.attributes.dropFirst())))
    #expect(secrets.found { memory.holds($0) || memory.holds($0.reversed()) } == [])
    program.terminal.type("\n")
    _ = try program.lines()
  }
}

private func isSigned(_ answer: VaultAnswer, by key: ES256PublicKey) -> Bool {
  answer.end == .done && key.verifies(answer.value ?? [], of: KeyTests.message)
}
