import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// A uid that is given to somebody else, a user who is renamed or removed, two names of one uid: with a user database of
/// signetd's own. Strikes belong to the uid, fingers to the name that enrolled them.
@Suite(.enabled(if: geteuid() == 0, "needs root, to mount")) struct IdentityTests {
  private static let root = "root:x:0:0:root:/root:/bin/sh\n"
  private static let alice = "alice:x:4242:4242::/nonexistent:/bin/sh\n"

  private let machine: Stage
  private var daemon: RunningDaemon { machine.daemon }

  init() throws {
    machine = try Stage(rules: RunningDaemon.noRules, users: Self.root + Self.alice)
    #expect(try machine.scene.enroll(.leftThumb, as: "alice's", user: "alice").last == .done)
  }

  private var strikes: Int? { daemon.strikesOnDisk(of: 4242) }

  private func setUsers(_ users: String...) throws { try daemon.write("passwd", Self.root + users.joined()) }

  /// What a login of this user begins with; a finger is put on the reader where one is asked for.
  private func logIn(as name: String, finger: String) throws -> LoginClient.Reply {
    for _ in 1...100 {
      let client = try daemon.connect()
      try client.authenticate(name)
      while true {
        let reply = try client.next()
        if case .show(.readerBusy, _, _) = reply { break }
        switch reply {
        case .show(.touchReader, _, _): try machine.scene.reader.scan(finger)
        case .show(.locked, _, _), .show(.readerUnavailable, _, _): continue
        default:
          try? client.cancel()
          return reply
        }
      }
      _ = poll(nil, 0, 5)
    }
    throw TestKitError("the reader stays busy")
  }

  private func lock(_ name: String) throws {
    for _ in 1...5 { _ = try logIn(as: name, finger: "wrong") }
    try daemon.awaitStrikes(5, of: 4242)
  }

  @Test func `a finger opens for the name that enrolled it`() throws {
    #expect(try logIn(as: "alice", finger: "alice's").isSuccess)
  }

  @Test func `a uid that is given to somebody else brings no finger along`() throws {
    try setUsers("mallory:x:4242:4242::/nonexistent:/bin/sh\n")
    for _ in 1...2 {
      #expect(try !logIn(as: "mallory", finger: "alice's").isSuccess)
      #expect(try logIn(as: "alice", finger: "alice's").verdict == .biometryNotEnrolled, "nobody has that name any more")
      try machine.scene.restart(SIGKILL)
    }
  }

  @Test func `a uid that is given to somebody else keeps its strikes`() throws {
    try lock("alice")
    try setUsers("mallory:x:4242:4242::/nonexistent:/bin/sh\n")
    try machine.scene.restart()
    #expect(try logIn(as: "mallory", finger: "mallory's") == .askPasscode(.lockout))
    #expect(strikes == 5)
  }

  @Test func `a renamed user keeps the strikes, and enrolls anew`() throws {
    try lock("alice")
    try setUsers("alicia:x:4242:4242::/nonexistent:/bin/sh\n")
    #expect(try logIn(as: "alicia", finger: "alice's") == .askPasscode(.lockout))
    let client = try daemon.connect()
    try client.send(.reset(user: "alicia"))
    #expect(try client.nextAdministration() == .done)
    #expect(try !logIn(as: "alicia", finger: "alice's").isSuccess, "the finger is of another name")
    try setUsers(Self.alice)
    #expect(try logIn(as: "alice", finger: "alice's").isSuccess)
  }

  @Test func `a removed user has no login, and comes back with their strikes`() throws {
    try lock("alice")
    try setUsers()
    #expect(try logIn(as: "alice", finger: "alice's").verdict == .biometryNotEnrolled)
    try setUsers(Self.alice)
    #expect(try logIn(as: "alice", finger: "alice's") == .askPasscode(.lockout))
    #expect(strikes == 5)
  }

  @Test func `a user who is removed while the finger is waited for, and the uid given away, is not followed`() throws {
    let client = try daemon.connect()
    try client.authenticate("alice")
    try client.awaitArmed()
    try setUsers("mallory:x:4242:4242::/nonexistent:/bin/sh\n")
    try machine.scene.reader.scan("wrong")
    _ = try client.next()
    try client.cancel()
    _ = try client.verdict()
    #expect(try !logIn(as: "mallory", finger: "alice's").isSuccess)
    try daemon.awaitStrikes(1, of: 4242)
  }

  @Test func `a user with another uid under the same name has neither fingers nor strikes of the first`() throws {
    try lock("alice")
    try setUsers("alice:x:4343:4343::/nonexistent:/bin/sh\n")
    #expect(try logIn(as: "alice", finger: "alice's").verdict == .biometryNotEnrolled)
    try setUsers(Self.alice)
    #expect(try logIn(as: "alice", finger: "alice's") == .askPasscode(.lockout))
  }

  @Test func `a login under another name of the uid says so, and not that there is no reader`() throws {
    try setUsers("alicia:x:4242:4242::/home/alice:/bin/sh\n")
    let client = try daemon.connect()
    try client.authenticate("alicia")
    #expect(try client.next() == .show(.readerUnavailable, value: UnavailableForm.otherName, detail: ""))
    #expect(try client.next() == .askPasscode(.readerUnavailable))
    #expect(strikes == 0)
  }

  @Test func `a user whose name has a blank is a user`() throws {
    try setUsers("alice smith:x:4343:4343::/nonexistent:/bin/sh\n")
    #expect(try machine.scene.enroll(.leftThumb, as: "hers", user: "alice smith").last == .done)
    #expect(try logIn(as: "alice smith", finger: "hers").isSuccess)
    for name in [" alice smith", "alice smith ", "alice\tsmith"] {
      #expect(try logIn(as: name, finger: "hers").verdict == .biometryNotEnrolled)
    }
  }

  @Test func `two names of one uid share five strikes`() throws {
    try setUsers(Self.alice, "twin:x:4242:4242::/nonexistent:/bin/sh\n")
    for number in 1...3 {
      _ = try logIn(as: "alice", finger: "wrong")
      try daemon.awaitStrikes(number, of: 4242)
    }
    #expect(try !logIn(as: "twin", finger: "alice's").isSuccess)
    for _ in 1...2 { _ = try logIn(as: "alice", finger: "wrong") }
    #expect(try logIn(as: "alice", finger: "alice's") == .askPasscode(.lockout))
    #expect(try logIn(as: "twin", finger: "alice's") == .askPasscode(.lockout))
  }
}
