import Glibc
import SignetTestKit
import Testing

/// The token of a session that a greeter opened, for what the desktop starts beside it.
@Suite(.serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"))
struct `The token of the seat` {
  private let world: World

  init() throws {
    world = try World()
    try world.becomeShared()
    try world.enroll()
  }

  /// Opens the user's session on a terminal, as a greeter does; back when it runs. It ends with the next line that is typed.
  private func open(on terminal: String) throws -> (session: PseudoTerminal, token: String) {
    let session = try world.run([
      ReaderChannel.program("pam-host"), "--service", "login", "--confdir", "/etc/pam.d", "--user", World.user, "--tty", terminal,
      "--answer", "text:" + World.passcode, "--credentials", "--session", "--user-session", "signet token; echo inside; read end",
    ])
    try session.read(until: "inside")
    return (session, try #require(tokens(of: session).last))
  }

  private func tokens(of terminal: PseudoTerminal) -> [String] {
    let words = terminal.screen.split(whereSeparator: \.isWhitespace).map(String.init)
    return words.filter { $0.utf8.count == 64 && $0.allSatisfy(\.isHexDigit) }
  }

  /// What `signet token` prints there; `nil` where it is refused.
  private func token(as user: String = World.user, from place: SessionLocation) throws -> String? {
    let terminal = try world.run(["signet", "token"], as: user, from: place)
    try terminal.readToEnd()
    let isGiven = try terminal.waitForExit() == 0
    #expect(isGiven == !tokens(of: terminal).isEmpty, "\(terminal.screen)")
    return tokens(of: terminal).first
  }

  @Test func `is for what her own manager starts, and for nothing else of hers or anybody's`() throws {
    let (session, own) = try open(on: ":0")
    for place in [SessionLocation.desktop, .userService] { #expect(try token(from: place) == own, "\(place.name)") }
    for place in [SessionLocation.ssh, .background, .leftBehind, .cron, .at, .service, .container] {
      #expect(try token(from: place) == nil, "\(place.name)")
    }
    #expect(try token(as: World.other, from: .byAnother) == nil)
    #expect(try token(from: SessionLocation(name: "", group: SessionLocation.byAnother.group, login: World.other)) == nil)
    session.type("\n")
    try session.readToEnd()
    #expect(try token(from: .desktop) == nil)
  }

  @Test func `is not given while another is at the seat, and is the newest of hers there`() throws {
    let (_, first) = try open(on: "/dev/tty2")
    let (_, remote) = try open(on: "ssh")
    #expect(try token(from: .desktop) == first && remote != first)
    let (_, second) = try open(on: "tty3")
    #expect(try token(from: .desktop) == second)
    try world.switchUser()
    #expect(try token(from: .desktop) == nil)
  }
}
