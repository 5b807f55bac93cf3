import SignetAuthTestKit
import SignetJWT
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// The agent is killed, or the power cut, at each of its steps: before and after each request and each write.
@Suite struct InterruptionTests {
  /// At which step everything ends.
  struct End: Sendable {
    var step: Int
    /// Whether the step itself is done still.
    var isAfter: Bool
  }

  private static let ends = (1...16).flatMap { step in [false, true].map { End(step: step, isAfter: $0) } }

  /// What is left after an end in the midst of `action`: whether the next agent can sign in, and what the steps were.
  private func leave(_ action: FaultTests.Action, _ end: End, isGraceful: Bool) async throws -> (signsIn: Bool, steps: [String]) {
    let world = try FaultWorld()
    world.provider.change { $0.isGraceful = isGraceful }
    if action != .bind { try await world.bind() }
    world.time.advance(by: 400)
    if action == .login { world.restart() }
    let doom = Doom(end)
    world.replaceService(storage: DoomedStorage(world.storage, doom), network: DoomedNetwork(world.provider, doom))
    if action == .refresh {
      _ = try? await world.service.login(credentials: .stored)
      world.time.advance(by: 400)
    }
    try? await world.act(action)
    world.restart()
    return ((try? await world.service.login(credentials: .stored)) != nil, doom.steps)
  }

  @Test(arguments: [FaultTests.Action.refresh, .login])
  func `only an answer that nobody has yet can be lost, and with a grace period not that`(action: FaultTests.Action) async throws
  {
    var lost: [String] = []
    for end in Self.ends {
      let left = try await leave(action, end, isGraceful: false)
      if !left.signsIn { lost.append("\(end.isAfter ? "after" : "before") \(left.steps.last ?? "")") }
      let graceful = try await leave(action, end, isGraceful: true)
      #expect(graceful.signsIn, "\(end) \(graceful.steps)")
    }
    // Each refresh has these two moments, which are one to the provider.
    #expect(lost == Array(repeating: ["after /o/token", "before store"], count: action == .refresh ? 2 : 1).flatMap(\.self))
  }

  @Test func `a sign-in that was interrupted is whole, or is none`() async throws {
    var results: [Bool] = []
    for end in Self.ends { results.append(try await leave(.bind, end, isGraceful: false).signsIn) }
    // Once it is stored it is there for good.
    #expect(results == results.sorted { !$0 && $1 } && results.contains(false) && results.contains(true))
  }

  @Test func `what was unbound is erased before the provider is told`() async throws {
    for end in Self.ends {
      let left = try await leave(.unbind, end, isGraceful: false)
      let isErased = left.steps.contains("delete") && !(left.steps.last == "delete" && !end.isAfter)
      #expect(left.signsIn == !isErased, "\(end) \(left.steps)")
    }
  }

  @Test(arguments: 1...4) func `a disk that is full at one write, or from then on, loses nothing`(write: Int) async throws {
    for isForGood in [false, true] {
      let world = try FaultWorld()
      try await world.bind()
      world.time.advance(by: 400)
      world.restart()
      let disk = FullDisk(world.storage, at: write, isForGood: isForGood)
      world.replaceService(storage: disk, network: world.provider)
      let said = await world.outcome(of: .login)
      #expect(write == 1 ? said.contains("cannot be asked") : said.isEmpty, "\(said)")
      disk.makeRoom()
      _ = try await world.service.login(credentials: .stored)
      world.restart()
      _ = try await world.service.login(credentials: .stored)
    }
  }
}

/// Counts steps, and ends everything at one of them.
private final class Doom: Sendable {
  struct Death: Error {}

  private let end: InterruptionTests.End
  private let done = Mutex<[String]>([])

  init(_ end: InterruptionTests.End) { self.end = end }

  /// What was begun.
  var steps: [String] { done.withLock { $0 } }

  func step<Value>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
    let isLast = try begin(name)
    let value = try await body()
    if isLast { throw Death() }
    return value
  }

  func step<Value>(_ name: String, _ body: () throws -> Value) throws -> Value {
    let isLast = try begin(name)
    let value = try body()
    if isLast { throw Death() }
    return value
  }

  private func begin(_ name: String) throws -> Bool {
    try done.withLock { done in
      guard done.count < end.step else { throw Death() }
      done.append(name)
      guard done.count == end.step else { return false }
      if !end.isAfter { throw Death() }
      return true
    }
  }
}

private struct DoomedNetwork: NetworkClient {
  let provider: FakeProvider
  let doom: Doom

  init(_ provider: FakeProvider, _ doom: Doom) { (self.provider, self.doom) = (provider, doom) }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    do { return try await doom.step(request.endpoint.path) { try await provider.send(request) } } catch is Doom.Death {
      throw NetworkError.timedOut(host: "id.example")
    }
  }
}

private struct DoomedStorage: TokenStorage {
  let storage: MemoryTokenStorage
  let doom: Doom

  init(_ storage: MemoryTokenStorage, _ doom: Doom) { (self.storage, self.doom) = (storage, doom) }

  func store(token: String, for key: TokenKey) throws { try doom.step("store") { try storage.store(token: token, for: key) } }
  func retrieve(for key: TokenKey) throws -> String? { try doom.step("retrieve") { try storage.retrieve(for: key) } }
  func delete(for key: TokenKey) throws { try doom.step("delete") { try storage.delete(for: key) } }
}

/// Takes nothing at one write, or from it on.
private final class FullDisk: TokenStorage {
  private let storage: MemoryTokenStorage
  private let isForGood: Bool
  private let left: Mutex<Int?>

  init(_ storage: MemoryTokenStorage, at write: Int, isForGood: Bool) {
    self.storage = storage
    self.isForGood = isForGood
    left = Mutex(write)
  }

  func makeRoom() { left.withLock { $0 = nil } }

  func store(token: String, for key: TokenKey) throws {
    let isFull = left.withLock { left in
      guard let count = left else { return false }
      left = count - 1
      return isForGood ? count <= 1 : count == 1
    }
    if isFull { throw TokenStorageError.unavailable }
    try storage.store(token: token, for: key)
  }

  func retrieve(for key: TokenKey) throws -> String? { try storage.retrieve(for: key) }
  func delete(for key: TokenKey) throws { try storage.delete(for: key) }
}
