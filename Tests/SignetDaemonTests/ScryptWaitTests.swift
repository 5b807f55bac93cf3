import DaemonAccounts
import DaemonPasscodes
import Dispatch
import Foundation
import SignetBytes
import SignetTestKit
import SignetVault
import SignetVocabulary
import Testing

@testable import DaemonService
@testable import DaemonVaults

/// Nobody waits for scrypt but who brought the passcode: it is held open here while others ask for something.
@Suite struct ScryptWaitTests: @unchecked Sendable {
  /// Each way in which a passcode has scrypt run.
  enum Way: CaseIterable { case create, open, openForNewPasscode, change, changeWhileClosed }

  private let folder: TemporaryFolder
  private let keys = UserKeys(store: DescriptorStore())
  private let gate = Gate()
  private let vault: Vault
  private let alice = User(uid: 1000, name: "alice")
  private let bob = User(uid: 1001, name: "bob")

  init() throws {
    folder = try TemporaryFolder()
    let store = SharedStore(try AccountStore(path: folder.path + "/state", runtimePath: folder.path + "/run"))
    _ = try store.value.deviceKey()
    vault = Vault(
      keys: keys, store: store, sessions: try SessionRegistry(path: folder.path + "/run"), closesWithSession: true,
      cost: ScryptCost(mebibytes: 16), whenScryptRuns: { [gate] in gate.pass($0) })
  }

  private static func typed(_ passcode: String) throws -> TypedPasscode {
    let bytes = Array(passcode.utf8)
    guard let typed = TypedPasscode(bytes.span) else { throw TestKitError("no memory") }
    return typed
  }

  private static func verified(_ passcode: String, of user: User) throws -> VerifiedPasscode {
    VerifiedPasscode(checked: try typed(passcode), of: user)
  }

  @discardableResult
  private func open(_ passcode: String, of user: User) throws -> Vault.Opening {
    vault.open(
      try Self.verified(passcode, of: user), vault.beginOpening(user.uid), creates: true, keepsLoginSecret: false
    ).opening
  }

  private func change(to passcode: String, from old: String) throws -> Vault.Opening {
    vault.change(
      to: try Self.verified(passcode, of: alice), from: try Self.typed(old), vault.beginOpening(alice.uid),
      renewsLoginSecret: false
    ).opening
  }

  private func run(_ way: Way) throws -> Vault.Opening {
    switch way {
    case .create, .open: try open("horse", of: alice)
    case .openForNewPasscode: try open("new horse", of: alice)
    case .change, .changeWhileClosed: try change(to: "new horse", from: "horse")
    }
  }

  @Test(arguments: Way.allCases) func `while scrypt runs everybody else is answered, and a lock counts at once`(way: Way) throws {
    try open("cow", of: bob)
    if way != .create { try open("horse", of: alice) }
    if way == .open || way == .changeWhileClosed { keys.erase(alice.uid) }
    gate.close()
    let opening = Background { try run(way) }
    defer { gate.open() }
    try gate.awaitArrival()

    let answers = Background { () throws in
      #expect(vault.row(of: bob).state == .open)
      #expect(vault.row(of: alice).fault == nil)
      if way != .create { _ = try vault.list(of: alice) }
      _ = vault.loginSecret(of: bob)
      _ = vault.state(of: alice)
      // What signetd's main loop looks at in each round.
      #expect(keys.ofSessions.isEmpty && keys.isAnyHeld)
      vault.closeEnded()
      _ = try vault.renewFingerSet(of: alice, for: FingerChange(.enrolled, .leftThumb, time: 0))
      vault.close(alice.uid, "locked")
    }
    guard try answers.value(within: 20) != nil else { throw TestKitError("somebody waits for scrypt") }
    gate.open()
    let end = try opening.value(within: 60)
    #expect(end == (way == .openForNewPasscode ? .failed(.wrongPasscode) : .overtaken))
    #expect(!vault.isOpen(alice.uid))
  }

  @Test func `while one user's scrypt runs another's vault opens, and of the same user no second one begins`() throws {
    for user in [alice, bob] { try open("horse", of: user) }
    for user in [alice, bob] { keys.erase(user.uid) }
    gate.close(to: alice.uid)
    let openings = (1...3).map { _ in Background { try open("horse", of: alice) } }
    defer { gate.open() }
    try gate.awaitArrival()
    let other = Background { try open("horse", of: bob) }
    guard try other.value(within: 60) == .opened else { throw TestKitError("one user waits for another's scrypt") }
    // bob has had the time for a scrypt of his own, in which any other of alice's would have begun.
    #expect(gate.arrivals == 1)
    gate.open()
    for opening in openings { #expect(try opening.value(within: 60) == .opened) }
  }

  @Test func `a vault that is opened while its passcode is changed follows the change`() throws {
    try open("horse", of: alice)
    keys.erase(alice.uid)
    gate.close()
    let opening = Background { try open("horse", of: alice) }
    try gate.awaitArrival()
    let slow = Background { try change(to: "new horse", from: "horse") }
    gate.open()
    // Whichever is first, both end, and the last word opens the vault.
    _ = try opening.value(within: 60)
    _ = try slow.value(within: 60)
    keys.erase(alice.uid)
    let passcodes = try ["horse", "new horse"].filter { passcode in
      let isRight = try open(passcode, of: alice) == .opened
      keys.erase(alice.uid)
      return isRight
    }
    #expect(passcodes.count == 1)
  }

  @Test func `of two that make a vault at the same time both have it open, and with one key`() throws {
    gate.close()
    let first = Background { try open("horse", of: alice) }
    try gate.awaitArrival()
    let second = Background { try open("horse", of: alice) }
    gate.open()
    let openings = [try first.value(within: 60), try second.value(within: 60)]
    #expect(openings.contains(.created))
    #expect(openings.allSatisfy { $0 == .created || $0 == .opened })
    #expect(vault.isOpen(alice.uid))
  }
}

/// Something that is done in a thread of its own.
private final class Background<Value: Sendable>: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private var result: Result<Value, any Error>?

  init(_ body: @escaping @Sendable () throws -> Value) {
    Thread.detachNewThread { [self] in
      result = Result { try body() }
      done.signal()
    }
  }

  /// `nil` where it is not done within so many seconds.
  func value(within limit: Double) throws -> Value? {
    guard done.wait(timeout: .now() + limit) == .success else { return nil }
    done.signal()
    return try result?.get()
  }
}

/// Where scrypt begins: open, or closed to all or to one user so that it takes until the gate is opened.
private final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isClosed: (UInt32) -> Bool = { _ in false }
  /// How many came to the closed gate.
  private var waiting = 0

  var arrivals: Int { condition.withLock { waiting } }

  func close(to uid: UInt32? = nil) {
    condition.withLock {
      (isClosed, waiting) = ({ uid == nil || uid == $0 }, 0)
    }
  }

  func open() {
    condition.withLock {
      isClosed = { _ in false }
      condition.broadcast()
    }
  }

  func pass(_ uid: UInt32) {
    condition.withLock {
      guard isClosed(uid) else { return }
      waiting += 1
      condition.broadcast()
      while isClosed(uid) { condition.wait() }
    }
  }

  func awaitArrival() throws {
    try condition.withLock {
      while waiting == 0 {
        guard condition.wait(until: Date(timeIntervalSinceNow: 20)) else { throw TestKitError("no scrypt") }
      }
    }
  }
}
