import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct BroadcastTests {
  private let alice = AuthState.signedIn(User(id: "1"))

  @Test func `each change is told once and in order, the same state not at all`() {
    let broadcast = AuthBroadcast()
    let told = Mutex<[AuthState]>([])
    let observation = broadcast.observe { state in told.withLock { $0.append(state) } }
    broadcast.set(.signedOut)
    broadcast.set(alice)
    broadcast.set(alice)
    broadcast.set(.loginRequired(.refusedByServer))
    observation.cancel()
    broadcast.set(.signedOut)
    #expect(told.withLock { $0 } == [.signedOut, alice, .loginRequired(.refusedByServer)])
  }

  @Test func `who changes the state while being told is told of that behind it`() {
    let broadcast = AuthBroadcast()
    let told = Mutex<[AuthState]>([])
    let changing = broadcast.observe { if $0.user != nil { broadcast.set(.signedOut) } }
    let observation = broadcast.observe { state in told.withLock { $0.append(state) } }
    broadcast.set(alice)
    #expect(told.withLock { $0 } == [.signedOut, alice, .signedOut])
    withExtendedLifetime((changing, observation)) {}
  }

  @Test func `many threads change it, and the last that is told is what it is`() async {
    let broadcast = AuthBroadcast()
    let told = Mutex<[AuthState]>([])
    let observation = broadcast.observe { state in told.withLock { $0.append(state) } }
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { broadcast.set(.signedIn(User(id: "\(number)"))) } }
    }
    let all = told.withLock { $0 }
    #expect(all.count == 201 && Set(all.compactMap(\.user)).count == 200 && all.last == broadcast.state)
    withExtendedLifetime(observation) {}
  }
}
