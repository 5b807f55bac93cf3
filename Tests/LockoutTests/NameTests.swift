import CPAM
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Names that no user has, or that two programs may read differently. Each of them is nobody, no file is touched, and the locked
/// user stays locked.
@Suite struct NameTests {
  /// What a host can put into `PAM_USER`; USER is the locked user's own name.
  static let names = [
    "USER:x", "USER:", ":USER", "USER\n", "\nUSER", "USER\nroot", "USER\r", "USER\t", " USER", "USER ", "/USER", "USER/",
    "../USER",
    "../../users/0", "./USER", "0", "00", "+0", "#0", "-1", "4294967295", "4294967296", "USER\u{7F}", "USER\u{1B}[2J",
    "USER\u{200B}", "ＵＳＥＲ", "USER%s%n", "USER\\", "*", "USER,root", "--help",
  ]

  private let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.lock()
  }

  /// Through the module, as a host that takes the name from a user would ask.
  private func logIn(as name: String) throws -> HostRun {
    let host = try LoginHost(scene.daemon, user: name, options: "timeout=1", answers: [RunningDaemon.passcode])
    return try host.finish(presenting: ["right"], on: scene.reader)
  }

  private func files() throws -> [String] {
    let paths = try Program.output(["find", scene.daemon.stateDirectory, scene.daemon.runtimeDirectory])
    return paths.split(separator: "\n").map(String.init).sorted()
  }

  private func check(_ name: String) throws {
    let before = try files()
    let run = try logIn(as: name)
    #expect(run.code != PAM_SUCCESS, "\(name.debugDescription): \(run.texts)")
    #expect(run.texts == [], "\(name.debugDescription) is asked for something")
    #expect(try files() == before, "\(name.debugDescription)")
    #expect(scene.daemon.strikesOnDisk == 5)
  }

  @Test func `a name with separators, control characters, paths or numbers is nobody's`() throws {
    for name in Self.names { try check(name.replacing("USER", with: scene.daemon.user)) }
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `a name of 255, 256, 257, 300 or 5000 letters is nobody's`() throws {
    for count in [255, 256, 257, 300, 5000] {
      try check(String(repeating: "a", count: count))
      try check(scene.daemon.user + String(repeating: " ", count: count))
    }
    #expect(try scene.nextLogin() == .askPasscode(.lockout))
  }

  @Test func `a name with a zero byte in a packet is nobody's, whatever stands before it`() throws {
    for name in ["\(scene.daemon.user)\0", "\(scene.daemon.user)\0x", "\0\(scene.daemon.user)", "\0"] {
      let client = try scene.daemon.connect()
      try client.authenticate(name)
      #expect(try client.next().verdict == .biometryNotEnrolled)
      let reset = try scene.daemon.connect()
      try reset.send(.reset(user: name))
      guard case .refused = try reset.nextAdministration() else { throw TestKitError("a reset of \(name.debugDescription)") }
    }
    #expect(scene.daemon.strikesOnDisk == 5)
  }

  @Test func `a name that is not UTF-8 is nobody's`() throws {
    let name = Array(scene.daemon.user.utf8)
    for bytes in [name + [0xFF], [0xC0, 0x80] + name, name + [0xED, 0xA0, 0x80]] {
      let client = try scene.daemon.connect()
      let count = UInt8(bytes.count)
      try client.send(
        raw: [1, RequestKind.authenticate.rawValue, 2, 5, 0, count, 0] + bytes + [0, 0, 0, 0, 0, 0, QuestionForm.beside.rawValue])
      #expect(try client.next().verdict == .biometryNotEnrolled)
    }
    #expect(scene.daemon.strikesOnDisk == 5)
  }

  @Test func `no name writes a line of the log`() throws {
    for name in ["\(scene.daemon.user)\n<3>signetd: authenticated user=root", "x\u{1B}]0;title\u{7}", "a\u{85}b\u{2028}c"] {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user, service: name)
      _ = try client.verdict()
      _ = try? logIn(as: name)
    }
    let log = scene.daemon.loggedSoFar
    #expect(!log.contains("\n<3>signetd: authenticated"))
    #expect(!log.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x85 || $0.value == 0x2028 })
  }
}
