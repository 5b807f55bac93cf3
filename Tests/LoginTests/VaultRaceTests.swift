import Foundation
import SignetBytes
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A vault that is locked, changed and asked at the same time, through the real signetd: a lock always wins, and nobody gets
/// what was proved by or for another.
@Suite(.serialized) struct VaultRaceTests {
  /// How a vault is closed while somebody waits for it.
  enum Closing: CaseIterable { case lock, strikes }

  private func close(_ scene: Scene, _ how: Closing) throws {
    switch how {
    case .lock: try scene.lockNow()
    case .strikes: try scene.strikeOut()
    }
  }

  @Test(arguments: Closing.allCases) func `a value that is being sent in is not stored where the vault closes meanwhile`(
    closing: Closing
  ) throws {
    let scene = try Scene.stocked()
    let value = [UInt8](repeating: 7, count: PacketLimit.valuePart + 1)
    let new = Item(ItemName(service: "new", account: ""))
    let client = try scene.begin(.add(user: "", new, length: UInt32(value.count)))
    #expect(try client.nextQuestion() == .askValue)
    try client.send(part: Array(value.dropLast()))
    try close(scene, closing)
    try client.send(part: [7])
    guard case .refused(let refusal) = try client.nextQuestion(), refusal.code == .vaultUnavailable else {
      throw TestKitError("stored")
    }
    #expect(try scene.ask(.list(user: "")).items.count == Stock.allCases.count)
    #expect(try scene.status().vault.state == .closed)
  }

  @Test func `a lock while scrypt runs stays a lock, and the passcode before it releases nothing`() throws {
    let scene = try Scene.stocked(configuration: RunningDaemon.usualScrypt)
    try scene.lockNow()
    let client = try scene.begin(.read(user: "", Stock.passcode.name))
    #expect(try client.nextQuestion() == .askPasscode(.vault))
    try client.answer(passcode: RunningDaemon.passcode)
    try scene.awaitScrypt()
    try scene.lockNow()
    guard case .refused(let refusal) = try client.nextQuestion(), refusal.code == .vaultNotOpened else {
      throw TestKitError("released")
    }
    #expect(try scene.status().vault.state == .closed)
    #expect(try scene.status().account.lock == .requested)
    #expect(try scene.read(.passcode, Proving(passcode: RunningDaemon.passcode)).value == Stock.passcode.value)
  }

  @Test func `a lock while the reader is armed makes the right finger worthless`() throws {
    let scene = try Scene.stocked()
    let client = try scene.begin(.read(user: "", Stock.finger.name))
    guard case .show(.touchReader, _, _) = try client.nextAdministration() else { throw TestKitError("not armed") }
    try scene.lockNow()
    try scene.reader.scan("right")
    guard case .refused = try client.nextQuestion() else { throw TestKitError("released") }
  }

  @Test func `between the finger and the passcode the fingers change, and what was for the old ones stays shut`() throws {
    let scene = try Scene.stocked()
    let both = AccessControl([.biometryCurrentSet, .devicePasscode])
    let item = Item(ItemName(service: "both", account: ""), accessControl: both)
    #expect(try scene.store(item, [1, 2, 3]).end == .done)
    let client = try scene.begin(.read(user: "", item.name))
    guard case .show(.touchReader, _, _) = try client.nextAdministration() else { throw TestKitError("not armed") }
    try scene.reader.scan("right")
    #expect(try client.nextQuestion() == .askPasscode(.vault))
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    try client.answer(passcode: RunningDaemon.passcode)
    guard case .refused(let refusal) = try client.nextQuestion(), refusal.code == .fingersChanged else {
      throw TestKitError("released")
    }
  }

  @Test func `a finger for one request opens nothing for another`() throws {
    let scene = try Scene.stocked()
    let first = try scene.begin(.read(user: "", Stock.finger.name))
    guard case .show(.touchReader, _, _) = try first.nextAdministration() else { throw TestKitError("not armed") }
    let second = try scene.begin(.read(user: "", Stock.finger.name))
    guard case .show(.readerBusy, _, _) = try second.nextAdministration() else { throw TestKitError("not busy") }
    guard case .refused = try second.nextQuestion() else { throw TestKitError("released") }
    try scene.reader.scan("right")
    // The parts of a value are no reply of administration: that there is one is seen by asking for it.
    let value: [UInt8] = try first.receive { packet in
      let reply = try ValueReply(parsing: packet.span)
      return (0..<reply.part.count).map { reply.part[$0] }
    }
    #expect(value == Stock.finger.value)
  }

  @Test func `twelve that store at the same time all do, whichever is first to send`() throws {
    let scene = try Scene.stocked()
    let clients = try (0..<12).map { number in
      let client = try scene.begin(.add(user: "", Item(ItemName(service: "item \(number)", account: "")), length: 2))
      #expect(try client.nextQuestion() == .askValue)
      return (client, UInt8(number))
    }
    for (client, number) in clients.reversed() { try client.send(part: [number, 0]) }
    for (client, _) in clients { #expect(try client.nextQuestion() == .done) }
    let items = try scene.ask(.list(user: "")).items
    #expect(items.count == Stock.allCases.count + 12)
  }

  @Test func `of two that add the same item one is told that it is there`() throws {
    let scene = try Scene.stocked()
    let item = Item(ItemName(service: "twice", account: ""), accessibility: .afterFirstUnlock)
    let clients = try (0..<2).map { _ in try scene.begin(.add(user: "", item, length: 1)) }
    for client in clients { #expect(try client.nextQuestion() == .askValue) }
    for (client, value) in zip(clients, [UInt8(1), 2]) { try client.send(part: [value]) }
    let ends = try clients.map { try $0.nextQuestion() }
    let stored = try #require(ends.firstIndex(of: .done))
    guard case .refused(let refusal) = ends[1 - stored], refusal.code == .duplicateItem else { throw TestKitError("\(ends)") }
    #expect(try scene.ask(.read(user: "", item.name)).value == [UInt8(stored + 1)])
  }

  @Test func `three that bring the passcode at the same time all get in`() throws {
    let scene = try Scene.stocked()
    try scene.lockNow()
    let clients = try (0..<3).map { _ in try scene.begin(.read(user: "", Stock.passcode.name)) }
    for client in clients { #expect(try client.nextQuestion() == .askPasscode(.vault)) }
    for client in clients { try client.answer(passcode: RunningDaemon.passcode) }
    for client in clients {
      let value: [UInt8] = try client.awaitValue()
      #expect(value == Stock.passcode.value)
    }
  }

  @Test func `a login gets its secret, and a lock wins, while the passcode is being changed`() throws {
    let scene = try Scene.stocked(configuration: "authtok_services = test\n" + RunningDaemon.usualScrypt)
    #expect(try scene.store(.loginSecret, Array("keyring".utf8)).end == .done)
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    try login.awaitArmed()
    try scene.setPasscode("another horse")
    let change = try scene.daemon.connect()
    try change.sendPasscodeChanged(scene.daemon.user, from: RunningDaemon.passcode, to: "another horse")
    try scene.awaitScrypt()
    try scene.reader.scan("right")
    #expect(try login.afterShowing().isSuccess)
    #expect(login.authtok == Array("keyring".utf8))
    #expect(try change.nextQuestion() == .done)

    try scene.setPasscode("a third horse")
    let second = try scene.daemon.connect()
    try second.sendPasscodeChanged(scene.daemon.user, from: "another horse", to: "a third horse")
    try scene.awaitScrypt()
    try scene.lockNow()
    let end = try second.nextQuestion()
    #expect(try scene.status().vault.state == .closed)
    // Either passcode may have won. The one that did opens the vault, and the answer says which it is.
    try scene.setPasscode(end == .done ? "a third horse" : "another horse")
    let passcode = end == .done ? "a third horse" : "another horse"
    #expect(try scene.read(.passcode, Proving(passcode: passcode)).value == Stock.passcode.value)
  }

  @Test(.enabled(if: Strace.isAvailable, "needs root and strace; `make deps` installs strace, CI runs as root"))
  func `a login gets its secret while other items are being stored`() throws {
    let scene = try Scene.stocked(configuration: "authtok_services = test")
    #expect(try scene.store(.loginSecret, Array("keyring".utf8)).end == .done)
    // This makes it likely that a login reads the index before a change, and the epoch, whose file is named by the uid, after
    // it.
    let strace = try Strace(scene.daemon.pid, delaying: "openat", of: "\(scene.daemon.uid)", by: 80_000)
    defer { withExtendedLifetime(strace) {} }
    let storing = Storing(scene.daemon.socket)
    defer { storing.stop() }
    for login in 1...8 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      try client.awaitArmed()
      try scene.reader.scan("right")
      #expect(try client.afterShowing().isSuccess)
      #expect(client.authtok == Array("keyring".utf8), "login \(login)")
    }
    #expect(storing.stop() > 3)
  }
}

/// Somebody who stores one item again and again, in a thread.
private final class Storing: @unchecked Sendable {
  private let lock = NSCondition()
  private var isStopped = false
  private var count = 0
  private var isRunning = true

  init(_ socket: String) {
    Thread.detachNewThread { [self] in
      while !lock.withLock({ isStopped }) {
        let request = VaultRequest.update(user: "", Stock.unasked.item, length: 1)
        guard (try? LoginClient(socket: socket).ask(request, value: [1]))?.end == .done else { break }
        lock.withLock { count += 1 }
      }
      lock.withLock {
        isRunning = false
        lock.broadcast()
      }
    }
  }

  /// How often it was stored.
  @discardableResult func stop() -> Int {
    lock.withLock {
      isStopped = true
      while isRunning { lock.wait() }
      return count
    }
  }
}
