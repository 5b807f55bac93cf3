import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What a program is told that watches how its user's fingers stand.
@Suite struct WatchTests {
  private let scene: Scene
  private let client: LoginClient

  init() throws {
    scene = try Scene()
    client = try scene.daemon.connect()
    try client.watch()
  }

  @Test func `a watch says how things stand, and then what changes`() throws {
    let first = try client.nextState()
    #expect(first.state == .usable && first.lock == .none && first.verdict == .success && first.domainState.count == 32)
    let locker = try scene.daemon.connect()
    try locker.send(.lock(user: ""))
    let locked = try client.nextState()
    #expect(locked.state == .lockout && locked.lock == .requested && locked.domainState == first.domainState)
    _ = try scene.loginByPasscode(until: "vault made")
    #expect(try client.nextState() == first)
    try scene.strikeOut()
    #expect(try client.nextState().lock == .strikes)
  }

  @Test func `a finger added or removed is another domain state, and none is not working`() throws {
    let first = try client.nextState()
    try scene.enroll(.leftThumb, as: "left")
    let second = try client.nextState()
    #expect(second.state == .usable && second.domainState.count == 32 && second.domainState != first.domainState)
    let deleting = try scene.daemon.connect()
    try deleting.send(.delete(user: "", .leftThumb))
    #expect(try deleting.followEnrolment(as: "", on: scene.reader).last == .done)
    #expect(try client.nextState() == first)
    let last = try scene.daemon.connect()
    try last.send(.delete(user: "", nil))
    #expect(try last.followEnrolment(as: "", on: scene.reader).last == .done)
    #expect(
      try client.nextState() == WatchedState(state: .notWorking, lock: .none, verdict: .biometryNotEnrolled, domainState: []))
  }

  @Test func `a reader that is pulled out is told of, and that it is there again`() throws {
    let first = try client.nextState()
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    try login.awaitArmed()
    try scene.reader.unplug()
    #expect(try client.nextState().verdict == .biometryNotAvailable)
    // Until then the first login has the reader.
    while true { if case .askPasscode = try login.next() { break } }
    try scene.attemptOnceBack("right")
    #expect(try client.nextState() == first)
  }

  @Test func `a user has four watches, and the fifth is told that there is no place`() throws {
    _ = try client.nextState()
    var others: [LoginClient] = []
    for _ in 2...4 {
      let other = try scene.daemon.connect()
      try other.watch()
      _ = try other.nextState()
      others.append(other)
    }
    let fifth = try scene.daemon.connect()
    try fifth.watch()
    guard case .busy = try fifth.next() else {
      Issue.record("a fifth watch")
      return
    }
    let locker = try scene.daemon.connect()
    try locker.send(.lock(user: ""))
    for watch in [client] + others { #expect(try watch.nextState().lock == .requested) }
  }

  @Test func `a watch that is cancelled or closed is over, and its place free`() throws {
    _ = try client.nextState()
    try client.cancel()
    #expect(try client.next() == .closed)
    for _ in 1...8 {
      let next = try scene.daemon.connect()
      try next.watch()
      _ = try next.nextState()
      try next.cancel()
      #expect(try next.next() == .closed)
    }
  }
}
