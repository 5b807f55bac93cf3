import CPAM
import Glibc
import SignetTestKit
import Testing

/// Several sessions, services and programs of one user at a time: they share five strikes, one reader and one lock.
@Suite struct SessionTests {
  @Test func `misses in one service and the next add up`() throws {
    let scene = try Scene()
    for (number, service) in ["login", "vlock", "ftp", "polkit-1", "cups"].enumerated() {
      // There the passcode is asked for beside the finger, and the host's user is slow to answer (in microseconds).
      let pause = service == "polkit-1" ? "60000000" : "0"
      let host = try scene.armedHost(service: service, "--sigint", "ignore", "--answer-delay", pause)
      try scene.reader.scan("wrong")
      _ = try host.nextMessage()
      // The fifth is asked for the passcode, and cancels there.
      if number < 4 { kill(host.pid, SIGINT) }
      #expect(try host.finish().code != PAM_SUCCESS)
      try scene.daemon.awaitStrikes(number + 1)
    }
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `a lock that one session meets holds in a session that was open before`() throws {
    let scene = try Scene()
    guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
    let client = try scene.daemon.connect()
    try client.openSession(token: token)
    _ = try client.nextAdministration()
    try scene.lock()
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `sixty logins at a time get five looks between them`() throws {
    let scene = try ReaderScene()
    var looks = 0
    var clients: [LoginClient] = []
    for _ in 1...60 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      clients.append(client)
      while let scan = try scene.reader.nextScan(within: 20) {
        looks += 1
        try scene.reader.send(.miss(operation: scan))
      }
    }
    #expect(looks == 5)
    #expect(scene.strikes == 5)
  }

  @Test func `whoever comes second is not charged, and not served by the first one's finger`() throws {
    let scene = try ReaderScene()
    let (first, scan) = try scene.login()
    for _ in 1...10 {
      let second = try scene.daemon.connect()
      try second.authenticate(scene.daemon.user, service: "second")
      #expect(try second.afterShowing() == .askPasscode(.readerUnavailable))
    }
    #expect(scene.strikes == 1)
    try scene.reader.send(.match(operation: scan, index: 0))
    #expect(try first.next().isSuccess)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to act for another user")) func `one user's misses are not another's`() throws {
    let scene = try Scene()
    #expect(try scene.enroll(.leftThumb, as: "nobody's", user: "nobody").last == .done)
    try scene.lock()
    let client = try scene.daemon.connect()
    try client.authenticate("nobody")
    try client.awaitArmed()
    try scene.reader.scan("nobody's")
    #expect(try client.next().isSuccess)
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }
}
