import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonConnections
@testable import SignetDaemon

@Suite struct PermittedRequestsTests {
  private static let all: [RequestKind] = [
    .authenticate, .passcode, .fallback, .cancel, .openSession, .closeSession, .enroll, .delete, .list, .status, .readers,
    .reset, .sessions, .revokeSession, .lock, .history, .suspend, .resume, .value, .passcodeChanged, .vaultAdd, .vaultUpdate,
    .vaultRead, .vaultDelete, .vaultList, .vaultRecover, .vaultReset, .vaultRevoke, .context, .evaluate, .canEvaluate, .watch,
    .watchVault,
    .forget, .importFprintd, .follow, .onBehalf, .verify, .keyMake, .keySign,
  ]

  private static let inContext: [RequestKind] = [
    .vaultAdd, .vaultUpdate, .vaultRead, .vaultDelete, .vaultList, .vaultRevoke, .evaluate, .canEvaluate, .forget,
    .keyMake, .keySign,
  ]

  private func permitted(in phase: PermittedRequests.Phase, by caller: PermittedRequests.Caller = .root) -> [RequestKind] {
    Self.all.filter {
      var requests = RequestTable.permitted
      return requests.judge($0, in: phase, by: caller) == .permitted
    }
  }

  @Test func `a connection starts with a request, never with an answer`() {
    #expect(
      permitted(in: .start)
        == Self.all.filter {
          ![.passcode, .fallback, .cancel, .value, .evaluate, .canEvaluate, .forget, .follow].contains($0)
        })
  }

  @Test func `while a reader is armed only its end may be asked`() {
    #expect(permitted(in: .scanning) == [.fallback, .cancel])
    #expect(permitted(in: .scanningBeside) == [.passcode, .cancel])
  }

  @Test func `a passcode is taken only when it was asked for`() {
    #expect(permitted(in: .passcode) == [.passcode, .fallback, .cancel, .follow])
    #expect(permitted(in: .working) == [.cancel])
  }

  @Test func `a value is taken only when it was asked for, and no more of it than the longest has parts`() {
    #expect(permitted(in: .receiving) == [.cancel, .value])
    var requests = RequestTable.permitted
    var parts = 0
    while requests.judge(.value, in: .receiving, by: .user) == .permitted { parts += 1 }
    #expect(parts == 17)
    #expect((parts - 1) * PacketLimit.valuePart < ItemLimit.value && parts * PacketLimit.valuePart >= ItemLimit.value)
  }

  @Test func `the old passcode is taken after the present one, and no third`() {
    #expect(permitted(in: .oldPasscode) == [.passcode, .cancel])
    var requests = RequestTable.permitted
    #expect(requests.judge(.passcode, in: .passcode, by: .user) == .permitted)
    #expect(requests.judge(.passcode, in: .oldPasscode, by: .user) == .permitted)
    #expect(requests.judge(.passcode, in: .oldPasscode, by: .user) == .notNow)
  }

  @Test func `each request is permitted once, and the passcode as often as an application asks for it`() {
    var requests = RequestTable.permitted
    for request in [RequestKind.fallback, .cancel] {
      #expect(requests.judge(request, in: .scanning, by: .root) == .permitted)
      #expect(requests.judge(request, in: .scanning, by: .root) == .notNow)
    }
    for _ in 1...3 { #expect(requests.judge(.passcode, in: .passcode, by: .root) == .permitted) }
    #expect(requests.judge(.passcode, in: .passcode, by: .root) == .notNow)
  }

  @Test func `a context is asked what belongs in one, again and again, and what came too late is let pass`() {
    #expect(Set(permitted(in: .context)) == Set(Self.inContext + [.fallback, .cancel]))
    var requests = RequestTable.permitted
    for request in Self.inContext {
      for _ in 1...1_000 { #expect(requests.judge(request, in: .context, by: .user) == .permitted) }
    }
    #expect(permitted(in: .watching) == [.cancel])
  }

  @Test func `each request of a context has its own answers before it`() {
    var requests = RequestTable.permitted
    for _ in 1...3 {
      #expect(requests.judge(.evaluate, in: .context, by: .user) == .permitted)
      #expect(requests.judge(.fallback, in: .scanning, by: .user) == .permitted)
      #expect(requests.judge(.fallback, in: .scanning, by: .user) == .notNow)
      requests.beginAnew()
    }
  }

  @Test(arguments: [RequestKind.reset, .suspend, .resume])
  func `only root resets, suspends and resumes`(request: RequestKind) {
    var requests = RequestTable.permitted
    #expect(requests.judge(request, in: .start, by: .user) == .denied)
  }

  @Test func `on behalf of somebody on the bus only what releases nothing is asked, whoever they are`() {
    #expect(permitted(in: .start, by: .busService) == [.readers, .onBehalf])
    #expect(permitted(in: .start, by: .user).contains(.onBehalf) == false)
    #expect(permitted(in: .onBehalf, by: .busService) == [.enroll, .delete, .list, .verify])
    for caller in [PermittedRequests.Caller.root, .user, .sessionLocker] {
      #expect(permitted(in: .onBehalf, by: caller) == [])
    }
    for phase in [PermittedRequests.Phase.scanning, .working] { #expect(permitted(in: phase, by: .busService) == [.cancel]) }
    #expect(permitted(in: .asksPolkit, by: .busService) == [.fallback, .cancel])
    #expect(permitted(in: .asksPolkit, by: .user) == [])
    for phase in [PermittedRequests.Phase.scanningBeside, .passcode, .receiving, .oldPasscode, .context, .watching] {
      #expect(permitted(in: phase, by: .busService) == [])
    }
  }

  @Test func `signet-logind may lock, and nothing else`() {
    #expect(permitted(in: .start, by: .sessionLocker) == [.lock])
    for phase in [
      PermittedRequests.Phase.scanning, .scanningBeside, .passcode, .working, .receiving, .oldPasscode, .context, .watching,
    ] {
      #expect(permitted(in: phase, by: .sessionLocker) == [])
    }
  }
}
