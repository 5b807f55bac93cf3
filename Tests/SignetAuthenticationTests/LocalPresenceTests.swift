import Testing

@testable import SignetAuthentication

/// Every way in which a finger can be asked for, and what comes of it. Alice is 1000, and it is her finger; Mallory is 1001.
@Suite struct LocalPresenceTests {
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let asker: RequestOrigin
    let place: LocalPresencePolicy.Location
    let failure: LocalPresencePolicy.PresenceFailure?
    var isSeatService = false
    var testDescription: String { name }
  }

  private static let alice: UInt32 = 1000
  private static let mallory: UInt32 = 1001

  private static let here = LoginSession(user: alice)
  private static let away = LoginSession(user: alice, isRemote: true, seat: "")
  private static let greeter = LoginSession(user: 110, isGreeter: true)

  private static func at(
    _ session: LoginSession?, manager: UInt32? = nil, own: [LoginSession] = [], shown: LoginSession? = nil,
    terminal: LocalPresencePolicy.Terminal = .other
  ) -> LocalPresencePolicy.Location {
    LocalPresencePolicy.Location(
      hasLogind: true, session: session, manager: manager, ownSessions: own, seatSession: shown, terminal: terminal)
  }

  private static func without(_ terminal: LocalPresencePolicy.Terminal) -> LocalPresencePolicy.Location {
    LocalPresencePolicy.Location(hasLogind: false, terminal: terminal)
  }

  /// A program of a user's own, or a setuid one that they started (`su`, `sudo`); with their login, in their session or their
  /// desktop.
  private static func program(of user: UInt32) -> RequestOrigin { program(of: user, login: .user(user)) }
  private static func su(by user: UInt32) -> RequestOrigin { su(by: user, login: .user(user)) }
  /// The same from elsewhere: where the control group or the login is another.
  private static func program(of user: UInt32, login: RequestOrigin.Answer, _ group: ControlGroup = .system) -> RequestOrigin {
    RequestOrigin(uid: user, real: .user(user), login: login, realGroup: user, group: group)
  }
  private static func su(by user: UInt32, login: RequestOrigin.Answer, _ group: ControlGroup = .system) -> RequestOrigin {
    RequestOrigin(uid: 0, real: .user(user), login: login, realGroup: user, group: group)
  }
  /// A program that made itself root before it asks; its group is still that of who started it.
  private static func root(by user: UInt32, login: RequestOrigin.Answer, _ group: ControlGroup = .system) -> RequestOrigin {
    RequestOrigin(uid: 0, real: .user(0), login: login, realGroup: user, group: group)
  }
  private static func rootShell(login: RequestOrigin.Answer, _ group: ControlGroup = .system) -> RequestOrigin {
    root(by: 0, login: login, group)
  }
  private static let service = rootShell(login: .nobody)
  /// A service's user, as www-data.
  private static let www: UInt32 = 33

  static let ways = [
    Way(name: "her own program in her session", asker: program(of: alice), place: at(here), failure: nil),
    Way(name: "her sudo in her session", asker: su(by: alice), place: at(here), failure: nil),
    Way(
      name: "the same, of a program that made itself root", asker: root(by: alice, login: .user(alice), .user(alice)),
      place: at(here), failure: nil),
    Way(
      name: "her root shell in her session", asker: rootShell(login: .user(alice), .user(alice)), place: at(here), failure: nil),
    Way(
      name: "her session where nothing sets the login", asker: su(by: alice, login: .nobody, .user(alice)), place: at(here),
      failure: nil),
    Way(name: "her polkit helper in her session", asker: su(by: alice), place: at(here), failure: nil),
    Way(
      name: "her sudo in a terminal of her desktop, which is in no session", asker: su(by: alice),
      place: at(nil, manager: alice, own: [here]), failure: nil),
    Way(
      name: "the same while she is logged in by ssh, too", asker: su(by: alice),
      place: at(nil, manager: alice, own: [away, here]), failure: nil),

    Way(name: "su by another user", asker: su(by: mallory), place: at(LoginSession(user: mallory)), failure: .otherUser),
    Way(name: "polkit's helper by another user", asker: su(by: mallory), place: at(nil, manager: mallory), failure: .otherUser),
    Way(
      name: "sudo, as her, by another user's login", asker: rootShell(login: .user(mallory), .user(mallory)), place: at(here),
      failure: .otherUser),
    Way(
      name: "a program of hers that another user started (sudo -u)",
      asker: program(of: alice, login: .user(mallory), .user(mallory)),
      place: at(LoginSession(user: mallory)), failure: .otherUser),
    Way(
      name: "su by another user who became her", asker: su(by: alice, login: .user(mallory), .user(mallory)),
      place: at(LoginSession(user: mallory)), failure: .otherUser),
    Way(
      name: "her process in a session of another user", asker: program(of: alice),
      place: at(LoginSession(user: mallory)), failure: .otherUser),
    Way(name: "su by a service's user", asker: su(by: www, login: .nobody), place: at(nil), failure: .otherUser),
    Way(
      name: "a peer that is gone", asker: RequestOrigin(uid: 0, real: .unknown, login: .unknown), place: at(nil),
      failure: .otherUser),

    Way(name: "sudo by ssh", asker: su(by: alice), place: at(away, own: [away]), failure: .remote),
    Way(
      name: "sudo by ssh while she is at the machine, too", asker: su(by: alice), place: at(away, own: [away, here]),
      failure: .remote),
    Way(
      name: "a desktop's terminal while only ssh is left of her", asker: su(by: alice),
      place: at(nil, manager: alice, own: [away]), failure: .elsewhere),
    Way(
      name: "a session in the background", asker: su(by: alice),
      place: at(LoginSession(user: alice, isActive: false)), failure: .inactive),
    Way(
      name: "a desktop's terminal while her session is in the background", asker: su(by: alice),
      place: at(nil, manager: alice, own: [LoginSession(user: alice, isActive: false)]), failure: .elsewhere),
    Way(
      name: "a session at another seat", asker: program(of: alice), place: at(LoginSession(user: alice, seat: "seat1")),
      failure: .elsewhere),
    Way(
      name: "a session on a serial line, which is at no seat", asker: program(of: alice),
      place: at(LoginSession(user: alice, seat: "")), failure: .elsewhere),
    Way(
      name: "systemd-run --uid", asker: program(of: alice, login: .nobody), place: at(nil, own: [here]), failure: .elsewhere),
    Way(
      name: "a process that her closed session left", asker: program(of: alice),
      place: at(LoginSession(user: .max, isRemote: true, isActive: false, seat: "")), failure: .otherUser),

    Way(
      name: "a display manager's greeter", asker: service, place: at(nil, shown: greeter, terminal: .none), failure: nil,
      isSeatService: true),
    Way(
      name: "a display manager that unlocks her session", asker: service, place: at(nil, shown: here, terminal: .none),
      failure: nil, isSeatService: true),
    Way(
      name: "login on the console that is shown", asker: service, place: at(nil, terminal: .shownConsole), failure: nil,
      isSeatService: true),
    Way(
      name: "login on a console in the background", asker: service, place: at(nil, shown: here, terminal: .other),
      failure: .elsewhere, isSeatService: true),
    Way(
      name: "login on a serial line, or by telnet", asker: service, place: at(nil, shown: greeter, terminal: .other),
      failure: .elsewhere, isSeatService: true),
    Way(
      name: "a display manager while another user is at the seat", asker: service,
      place: at(nil, shown: LoginSession(user: mallory), terminal: .none), failure: .otherUser, isSeatService: true),
    Way(
      name: "a display manager while the seat shows nobody", asker: service, place: at(nil, terminal: .none),
      failure: .elsewhere, isSeatService: true),
    Way(name: "sshd", asker: service, place: at(nil, shown: here, terminal: .none), failure: .service),
    Way(name: "sudo by a service of the system", asker: service, place: at(nil, shown: here), failure: .service),
    Way(
      name: "a user's setuid program that calls itself login", asker: su(by: mallory),
      place: at(nil, shown: here, terminal: .shownConsole), failure: .otherUser, isSeatService: true),
    Way(
      name: "a root shell of another user's that calls itself login", asker: rootShell(login: .user(mallory), .user(mallory)),
      place: at(nil, shown: here, terminal: .shownConsole), failure: .otherUser, isSeatService: true),
    Way(
      name: "the same where nothing sets the login", asker: rootShell(login: .nobody, .user(mallory)),
      place: at(nil, shown: here, terminal: .shownConsole), failure: .otherUser, isSeatService: true),

    Way(name: "without logind, on the console that is shown", asker: su(by: alice), place: without(.shownConsole), failure: nil),
    Way(
      name: "without logind, on a terminal of a program or of ssh", asker: su(by: alice), place: without(.other),
      failure: .elsewhere),
    Way(name: "without logind, on no terminal", asker: program(of: alice), place: without(.none), failure: .elsewhere),
    Way(
      name: "without logind, on the console, but from nobody's login", asker: program(of: alice, login: .nobody),
      place: without(.shownConsole), failure: .elsewhere),
    Way(
      name: "without logind, login on the console", asker: service, place: without(.shownConsole), failure: nil,
      isSeatService: true),
  ]

  /// Who wrote the login of their choice, once, because theirs was never set: nobody has her finger by it.
  private static let madeUp = both(
    Origin("a service's program that wrote her login", su(by: www, login: .user(alice)), .otherUser),
    Origin("the same, of a program that made itself root", root(by: www, login: .user(alice)), .otherUser),
    Origin("the same, which calls itself login", root(by: www, login: .user(alice)), .otherUser, isSeatService: true),
    Origin(
      "a service's program that made itself root and calls itself login", root(by: www, login: .nobody), .otherUser,
      isSeatService: true),
    Origin("a user's service that wrote her login", su(by: mallory, login: .user(alice), .user(mallory)), .otherUser),
    Origin("the same, of a program that made itself root", root(by: mallory, login: .user(alice), .user(mallory)), .otherUser),
    Origin("her own service that wrote her login", program(of: alice, login: .user(alice)), .elsewhere),
    Origin("a service's program that wrote root's login", su(by: www, login: .user(0)), .otherUser))

  /// Who comes from no session, while she is at the machine; without logind on no terminal.
  private static let elsewhere =
    both(
      Origin("cron", su(by: alice), .elsewhere), Origin("at", program(of: alice), .elsewhere),
      Origin("another user's job", su(by: mallory), .otherUser),
      Origin("a container", program(of: alice, login: .nobody, .guest), .elsewhere),
      Origin("a container's root", rootShell(login: .nobody, .guest), .otherUser, isSeatService: true),
      Origin("another user in a rootless container of hers", program(of: 100_033, login: .user(alice), .user(alice)), .otherUser),
      Origin("a rootless container of another user", program(of: mallory, login: .user(mallory), .user(mallory)), .otherUser),
      Origin("systemd-run as her", su(by: alice, login: .nobody), .elsewhere),
      Origin("run0 to root", rootShell(login: .user(0), .user(0)), .otherUser),
      Origin("run0 to root where nothing sets the login", rootShell(login: .nobody, .user(0)), .otherUser))
    + [
      Way(
        name: "systemd-run --user, and a service of her manager", asker: su(by: alice),
        place: at(nil, manager: alice, own: [here]),
        failure: nil),
      Way(
        name: "root in a rootless container of hers", asker: program(of: alice), place: at(nil, manager: alice, own: [here]),
        failure: nil),
      Way(
        name: "without logind, root in a rootless container of hers", asker: program(of: alice), place: without(.none),
        failure: .elsewhere),
      Way(
        name: "systemd-run --user where nothing sets the manager's login", asker: su(by: alice, login: .nobody, .user(alice)),
        place: at(nil, manager: alice, own: [here]), failure: nil),
      Way(
        name: "a service of another user's manager", asker: su(by: mallory, login: .user(mallory), .user(mallory)),
        place: at(nil, manager: mallory, own: [here]), failure: .otherUser),
      Way(
        name: "without logind, a service of her manager", asker: su(by: alice, login: .nobody), place: without(.none),
        failure: .elsewhere),
      Way(
        name: "run0 to her by another user", asker: program(of: alice, login: .user(alice), .user(alice)),
        place: at(LoginSession(user: alice, seat: "")), failure: .elsewhere),
    ]

  /// Somebody of whom the same is expected with logind and without it.
  private struct Origin {
    let name: String
    let asker: RequestOrigin
    let failure: LocalPresencePolicy.PresenceFailure
    let isSeatService: Bool

    init(_ name: String, _ asker: RequestOrigin, _ failure: LocalPresencePolicy.PresenceFailure, isSeatService: Bool = false) {
      (self.name, self.asker, self.failure, self.isSeatService) = (name, asker, failure, isSeatService)
    }
  }

  private static func both(_ origins: Origin...) -> [Way] {
    origins.flatMap { origin in
      [("", at(nil, own: [here], shown: here, terminal: .none)), ("without logind, ", without(.none))].map { prefix, place in
        Way(
          name: prefix + origin.name, asker: origin.asker, place: place, failure: origin.failure,
          isSeatService: origin.isSeatService)
      }
    }
  }

  @Test(arguments: ways + madeUp + elsewhere) func `a finger is asked for only where it can be the owner's`(_ way: Way) {
    var failure: LocalPresencePolicy.PresenceFailure?
    do throws(LocalPresencePolicy.PresenceFailure) {
      let hand = LocalPresencePolicy(owner: Self.alice, seat: "seat0")
      try hand.judge(way.asker, isSeatService: way.isSeatService)
      try hand.judge(way.place, of: way.asker)
    } catch {
      failure = error
    }
    #expect(failure == way.failure)
  }

  @Test func `what somebody does is counted where they logged in, whoever they become`() {
    #expect(Self.su(by: Self.mallory).source == .user(Self.mallory))
    #expect(Self.su(by: Self.alice, login: .user(Self.mallory), .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.program(of: Self.www, login: .user(Self.mallory), .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.rootShell(login: .user(Self.mallory), .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.su(by: Self.www, login: .nobody).source == .user(Self.www))
    #expect(Self.service.source == .service)
    #expect(RequestOrigin(uid: 0, real: .unknown, login: .nobody).source == .unknown)
    #expect(RequestOrigin(uid: 0, real: .user(0), login: .unknown, realGroup: 0).source == .unknown)
  }

  @Test(arguments: [0, alice, mallory, 4_000_000]) func `a login that a process wrote itself makes nobody else of it`(
    login: UInt32
  ) {
    #expect(Self.su(by: Self.www, login: .user(login)).source == .user(Self.www))
    #expect(Self.program(of: Self.www, login: .user(login)).source == .user(Self.www))
    #expect(Self.su(by: Self.www, login: .user(login), .guest).source == .user(Self.www))
    #expect(Self.su(by: Self.mallory, login: .user(login), .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.root(by: Self.mallory, login: .user(login), .user(Self.mallory)).source == .user(Self.mallory))
    // Root by itself, but started by somebody else: nobody knows who.
    #expect(Self.root(by: Self.www, login: .user(login)).source == .unknown)
    #expect(Self.rootShell(login: .user(login), .guest).source == .unknown)
  }

  @Test func `without a control group that says more, who became somebody else is them, and root is who logged in`() {
    #expect(Self.su(by: Self.alice, login: .user(Self.mallory)).source == .user(Self.alice))
    #expect(Self.rootShell(login: .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.rootShell(login: .user(0)).source == .user(0))
  }

  @Test func `a program that made itself root is no service of the system`() {
    #expect(Self.root(by: Self.www, login: .nobody).source == .unknown)
    #expect(Self.root(by: Self.mallory, login: .nobody, .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.rootShell(login: .nobody, .guest).source == .unknown)
  }
}
