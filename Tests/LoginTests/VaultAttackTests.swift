import CLinux
import Foundation
import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Hostile clients of the vault: they send what nobody asked for, stop in the middle, guess, and ask for another user's items.
/// They get nothing, and nobody has to wait because of them.
@Suite struct VaultAttackTests {
  // MARK: - values

  /// What is sent for a value of so many bytes, part by part; none of them is what was announced.
  struct Parts: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let length: Int
    let parts: [Int]

    static let all = [
      Parts(testDescription: "too short", length: 100, parts: [99]),
      Parts(testDescription: "too long", length: 100, parts: [101]),
      Parts(testDescription: "in smaller parts than there may be", length: 100, parts: [50, 50]),
      Parts(testDescription: "the second too long", length: PacketLimit.valuePart + 1, parts: [PacketLimit.valuePart, 2]),
      Parts(testDescription: "one byte at a time", length: ItemLimit.value, parts: [1]),
    ]
  }

  @Test func `parts that are not what was announced end the connection, and nothing is stored`() throws {
    let scene = try Scene.stocked()
    for wrong in Parts.all {
      let item = Item(ItemName(service: wrong.testDescription, account: ""))
      let client = try scene.begin(.add(user: "", item, length: UInt32(wrong.length)))
      #expect(try client.nextQuestion() == .askValue)
      // signetd may have left after the first.
      for part in wrong.parts { try? client.send(part: [UInt8](repeating: 65, count: part)) }
      let isClosed = client.isClosedInSilence()
      #expect(isClosed, "\(wrong.testDescription)")
    }
    #expect(try scene.ask(.list(user: "")).items.count == Stock.allCases.count)
  }

  @Test func `more parts than were announced change nothing`() throws {
    let scene = try Scene.stocked()
    let item = Item(ItemName(service: "more", account: ""), accessibility: .afterFirstUnlock)
    let client = try scene.begin(.add(user: "", item, length: 2))
    #expect(try client.nextQuestion() == .askValue)
    for part in [[1, 2], [3, 4], [5]] as [[UInt8]] { try? client.send(part: part) }
    // A connection that is closed with unread packets has no last reply.
    let reply = try? client.nextQuestion()
    #expect(reply == .done || reply == nil)
    #expect(try scene.ask(.read(user: "", item.name)).value == [1, 2])
  }

  @Test func `who sends no value is left after ten seconds, and nobody waits for them meanwhile`() throws {
    let scene = try Scene.stocked()
    let began = Date()
    let idle = try scene.begin(.update(user: "", Stock.unasked.item, length: 1))
    #expect(try idle.nextQuestion() == .askValue)
    #expect(try scene.store(Stock.unasked.item, [9], replaces: true).end == .done)
    #expect(try scene.read(.unasked).value == [9])
    #expect(try scene.attempt("right").isSuccess)
    #expect(Date().timeIntervalSince(began) < 5)
    let isClosed = idle.isClosedInSilence(within: 15_000)
    #expect(isClosed)
    #expect(try scene.read(.unasked).value == [9])
  }

  // MARK: - requests that are none

  @Test func `a length over the limit, a passcode and a value that nobody asked for end the connection`() throws {
    let scene = try Scene.stocked()
    let unasked: [[UInt8]] = [
      Self.value([65]), [PacketLimit.version, RequestKind.passcode.rawValue, 1, 0, 65],
      [PacketLimit.version, RequestKind.passcodeChanged.rawValue],
      [PacketLimit.version, RequestKind.vaultRead.rawValue, 255, 255],
      [PacketLimit.version, RequestKind.vaultAdd.rawValue, 0, 0],
    ]
    for packet in unasked + [try Self.oversized()] {
      let client = try scene.daemon.connect()
      try client.send(raw: packet)
      let isClosed = client.isClosedInSilence()
      #expect(isClosed, "\(packet.prefix(4))")
    }
    // In the middle of another request, too.
    for packet in unasked {
      let client = try scene.begin(.read(user: "", Stock.passcode.name))
      #expect(try client.nextQuestion() == .askPasscode(.vault))
      // Of these only a passcode was asked for.
      if packet[1] == RequestKind.passcode.rawValue { continue }
      try client.send(raw: packet)
      let isClosed = client.isClosedInSilence()
      #expect(isClosed, "\(packet.prefix(4)) at the passcode")
    }
    #expect(try scene.status().account.wrongPasscodes == 0)
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
  }

  private static func value(_ part: [UInt8]) -> [UInt8] {
    [PacketLimit.version, RequestKind.value.rawValue, UInt8(part.count & 255), UInt8(part.count >> 8)] + part
  }

  /// A request to add a value of one byte more than there may be.
  private static func oversized() throws -> [UInt8] {
    var bytes = try packet(.add(user: "", Item(ItemName(service: "x", account: "")), length: UInt32(ItemLimit.value)))
    let length = UInt32(ItemLimit.value + 1)
    for index in 0..<4 { bytes[bytes.count - 4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
    return bytes
  }

  // MARK: - guesses

  /// How somebody who guesses at the vault's passcode leaves before hearing whether it was right.
  enum Leaving: CaseIterable { case staying, cancelling, disconnecting }

  /// A vault whose user got another passcode from root.
  private func resetScene() throws -> Scene {
    let scene = try Scene.stocked(configuration: RunningDaemon.usualScrypt)
    try scene.lockNow()
    try scene.setPasscode("another horse")
    return scene
  }

  @Test(arguments: Leaving.allCases) func `a wrong old passcode counts, however early its sender leaves`(
    leaving: Leaving
  ) throws {
    let scene = try resetScene()
    for guess in ["changed", "recover"] {
      let before = try scene.status().account.wrongPasscodes
      let client = try scene.daemon.connect()
      if guess == "changed" {
        try client.sendPasscodeChanged(scene.daemon.user, from: "guess", to: "another horse")
      } else {
        try client.send { packet in try VaultRequest.recover(user: "").write(into: &packet) }
        #expect(try client.nextQuestion() == .askPasscode(.vault))
        try client.answer(passcode: "another horse")
        #expect(try client.nextQuestion() == .askPasscode(.oldPasscode))
        try client.answer(passcode: "guess")
      }
      // The scrypt may be that of the guess before, which goes on for who has left.
      try wait(for: "the guess to be charged") { try scene.status().account.wrongPasscodes == before + 1 }
      try scene.awaitScrypt()
      switch leaving {
      case .staying: break
      case .cancelling: try client.cancel()
      case .disconnecting: client.disconnect()
      }
      if leaving != .disconnecting { guard case .refused = try client.nextQuestion() else { throw TestKitError("not refused") } }
      try scene.daemon.awaitLog("count=\(before + 1)")
      #expect(try scene.status().account.wrongPasscodes == before + 1, "\(guess)")
    }
    let recovered = try scene.ask(.recover(user: ""), Proving(passcode: "another horse", oldPasscode: RunningDaemon.passcode))
    #expect(recovered.end == .done, "\(recovered) \(scene.daemon.loggedSoFar)")
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
  }

  @Test func `who leaves at a prompt is charged nothing, who leaves while the passcode is checked is`() throws {
    let scene = try Scene.stocked()
    try scene.lockNow()
    for cancels in [true, false] {
      let client = try scene.begin(.read(user: "", Stock.passcode.name))
      #expect(try client.nextQuestion() == .askPasscode(.vault))
      if cancels { try client.cancel() } else { client.disconnect() }
    }
    #expect(try scene.status().account.wrongPasscodes == 0)
    try scene.holdPasscodeChecks()
    let client = try scene.begin(.read(user: "", Stock.passcode.name))
    #expect(try client.nextQuestion() == .askPasscode(.vault))
    try client.answer(passcode: RunningDaemon.passcode)
    try scene.checking?.awaitArrival()
    client.disconnect()
    try scene.daemon.awaitLog("cancelled=yes")
    #expect(try scene.status().account.wrongPasscodes == 1)
    #expect(try scene.status().vault.state == .closed)
  }

  @Test func `a cancel while a login's passcode opens the vault is a cancel, and the passcode is not asked for again`() throws {
    let scene = try Scene.stocked(configuration: RunningDaemon.usualScrypt)
    try scene.lockNow()
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    guard case .askPasscode = try login.afterShowing() else { throw TestKitError("no passcode is asked for") }
    try login.answer(passcode: RunningDaemon.passcode)
    #expect(try login.afterShowing().isSuccess)
    try scene.awaitScrypt()
    // It finds both at once, and scrypt is not over.
    kill(scene.daemon.pid, SIGSTOP)
    let client = try scene.begin(.add(user: "", Item(ItemName(service: "new", account: "")), length: 0))
    try client.cancel()
    kill(scene.daemon.pid, SIGCONT)
    guard case .refused(let refusal) = try client.nextQuestion(), refusal.code == .cancelled else {
      throw TestKitError("not cancelled")
    }
  }

  // MARK: - floods

  @Test func `who asks for long lists and reads none is left, and others are answered meanwhile`() throws {
    let scene = try Scene.stocked()
    let text = String(repeating: "x", count: ItemLimit.text)
    for number in 1...120 {
      #expect(try scene.store(Item(ItemName(service: "\(number)", account: ""), label: text, comment: text), []).end == .done)
    }
    let deaf = try (1...20).map { _ in try scene.begin(.list(user: "")) }
    let began = Date()
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
    #expect(try scene.attempt("right").isSuccess)
    #expect(Date().timeIntervalSince(began) < 2)
    for client in deaf {
      try client.awaitHangUp()
      var rows = 0
      while case .item = try? client.nextAdministration() { rows += 1 }
      #expect(rows > 0 && rows < 120)
    }
  }

  // MARK: - others

  private func asNobody(_ scene: Scene, _ request: String, _ word: String) throws -> [String] {
    chmod(scene.daemon.folder, 0o711)
    let run = try HostRun.run(["administer", scene.daemon.socket, "65534", request, word], answers: [RunningDaemon.passcode])
    #expect(run.step("broken") == nil, "\(run.step("broken")?.text ?? "")")
    return run.steps.compactMap(\.text)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to become another user"))
  func `nothing of another's vault is had, said or changed, and each try is in their history`() throws {
    let scene = try Scene.stocked()
    let requests: [(String, RequestKind)] = [
      ("vault-read", .vaultRead), ("vault-add", .vaultAdd), ("vault-update", .vaultUpdate), ("vault-delete", .vaultDelete),
      ("vault-list", .vaultList), ("vault-recover", .vaultRecover), ("vault-reset", .vaultReset),
      ("passcode-changed", .passcodeChanged), ("key-make", .keyMake), ("key-sign", .keySign),
    ]
    for (request, kind) in requests {
      for name in [scene.daemon.user, "no-such-user"] {
        let replies = try asNobody(scene, request, name)
        #expect(replies.count == 1 && replies[0].contains("otherUser"), "\(request): \(replies)")
      }
      try scene.daemon.awaitLog("request=\(kind)")
    }
    #expect(try scene.status().account.wrongPasscodes == 0)
    #expect(try scene.ask(.list(user: "")).items.count == Stock.allCases.count)
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
  }

  @Test func `root reads no item of another without that user's proof`() throws {
    let scene = try Scene.stocked()
    // These tests run as root, who has neither the finger nor the passcode of another user.
    try scene.daemon.write(
      "passcodes", "\(scene.daemon.user):\(RunningDaemon.passcode):signet-passcode\nnobody:n:signet-passcode\n")
    let client = try scene.daemon.connect()
    let item = Item(ItemName(service: "nobody's", account: ""), accessControl: AccessControl(.devicePasscode))
    let own = Proving(passcode: "n")
    #expect(try client.ask(.add(user: "nobody", item, length: 1), value: [1], own).end == .done)
    let answer = try scene.ask(.read(user: "nobody", item.name), Proving(passcode: RunningDaemon.passcode))
    #expect(answer.end != .done && answer.value == nil)
    #expect(try scene.ask(.read(user: "nobody", item.name), own).value == [1])
  }

  // MARK: - what is left behind

  @Test func `no passcode, value or name of an item is in a log, a history, an argument or an environment`() throws {
    let scene = try Scene.stocked()
    let names = ["marked-service", "marked-account", "marked-label", "marked-comment", "marked-value"]
    let item = Item(
      ItemName(service: names[0], account: names[1]), label: names[2], comment: names[3],
      accessControl: AccessControl(.devicePasscode))
    let value = Array(names[4].utf8)
    var answers: [VaultAnswer] = []
    answers.append(try scene.store(item, value))
    answers.append(try scene.store(item, value))
    answers.append(try scene.store(item, value, replaces: true))
    answers.append(try scene.ask(.read(user: "", item.name), Proving(passcode: "marked-guess")))
    answers.append(try scene.ask(.read(user: "", item.name), Proving(passcode: RunningDaemon.passcode)))
    let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/items")
    let newest = try #require(files.max { Int($0.split(separator: ".")[1])! < Int($1.split(separator: ".")[1])! })
    try RawFile.overwrite("\(scene.folder)/items/\(newest)", value)
    answers.append(try scene.ask(.read(user: "", item.name), Proving(passcode: RunningDaemon.passcode)))
    let problems = try scene.status().vault.explanation
    answers.append(try scene.ask(.delete(user: "", item.name)))
    answers.append(try scene.ask(.delete(user: "", item.name)))
    #expect(Set(answers.map { "\($0.end)" }).count > 3, "\(answers.map(\.end))")
    try scene.holdPasscodeChecks()
    let client = try scene.begin(.read(user: "", Stock.passcode.name))
    #expect(try client.nextQuestion() == .askPasscode(.vault))
    try client.answer(passcode: RunningDaemon.passcode)
    try scene.checking?.awaitArrival()
    var texts = [scene.daemon.loggedSoFar, problems] + answers.map(\.explanation)
    for pid in [scene.daemon.pid] + (try scene.awaitChild(named: "signet-passcode")) {
      texts += [try RawFile.text("/proc/\(pid)/cmdline"), try RawFile.text("/proc/\(pid)/environ")]
    }
    texts.append(String(decoding: try RawFile.read(scene.folder + "/history"), as: UTF8.self))
    #expect(texts.contains { $0.contains("item stored") })
    for secret in names + ["marked-guess", RunningDaemon.passcode] {
      #expect(!texts.contains { $0.contains(secret) }, "\(secret)")
    }
  }
}

private func packet(_ request: VaultRequest) throws -> [UInt8] {
  guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
  try request.write(into: &packet)
  return Array(copying: packet.span)
}
