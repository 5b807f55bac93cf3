import Testing

@testable import SignetAuthentication

/// Every way in which a finger can be asked for, and what comes of it. Alice is 1000, and it is her finger; Mallory is 1001.
@Suite struct WhoseHandTests {
  struct Way: Sendable, CustomTestStringConvertible {
    let name: String
    let asker: Asker
    let place: WhoseHand.Place
    let doubt: WhoseHand.Doubt?
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
    terminal: WhoseHand.Terminal = .other
  ) -> WhoseHand.Place {
    WhoseHand.Place(
      hasLogind: true, session: session, manager: manager, ownSessions: own, seatSession: shown, terminal: terminal)
  }

  private static func without(_ terminal: WhoseHand.Terminal) -> WhoseHand.Place {
    WhoseHand.Place(hasLogind: false, terminal: terminal)
  }

  /// A program of a user's own, or a setuid one that they started (`su`), or one that made itself root (`sudo`).
  private static func program(of user: UInt32, login: Asker.Answer? = nil) -> Asker {
    Asker(uid: user, real: .user(user), login: login ?? .user(user))
  }
  private static func su(by user: UInt32, login: Asker.Answer? = nil) -> Asker {
    Asker(uid: 0, real: .user(user), login: login ?? .user(user))
  }
  private static func sudo(login: Asker.Answer) -> Asker { Asker(uid: 0, real: .user(0), login: login) }
  private static let service = Asker(uid: 0, real: .user(0), login: .nobody)

  static let ways = [
    Way(name: "her own program in her session", asker: program(of: alice), place: at(here), doubt: nil),
    Way(name: "her sudo in her session", asker: sudo(login: .user(alice)), place: at(here), doubt: nil),
    Way(name: "her polkit helper in her session", asker: su(by: alice), place: at(here), doubt: nil),
    Way(
      name: "her sudo in a terminal of her desktop, which is in no session", asker: sudo(login: .user(alice)),
      place: at(nil, manager: alice, own: [here]), doubt: nil),
    Way(
      name: "the same while she is logged in by ssh, too", asker: sudo(login: .user(alice)),
      place: at(nil, manager: alice, own: [away, here]), doubt: nil),

    Way(name: "su by another user", asker: su(by: mallory), place: at(LoginSession(user: mallory)), doubt: .otherUser),
    Way(name: "polkit's helper by another user", asker: su(by: mallory), place: at(nil, manager: mallory), doubt: .otherUser),
    Way(
      name: "sudo, as her, by another user's login", asker: sudo(login: .user(mallory)), place: at(here), doubt: .otherUser),
    Way(
      name: "a program of hers that another user started (sudo -u)", asker: program(of: alice, login: .user(mallory)),
      place: at(LoginSession(user: mallory)), doubt: .otherUser),
    Way(
      name: "su by another user who became her", asker: su(by: alice, login: .user(mallory)),
      place: at(LoginSession(user: mallory)), doubt: .otherUser),
    Way(
      name: "her process in a session of another user", asker: program(of: alice),
      place: at(LoginSession(user: mallory)), doubt: .otherUser),
    Way(name: "su by a service's user", asker: su(by: 33, login: .nobody), place: at(nil), doubt: .otherUser),
    Way(name: "a peer that is gone", asker: Asker(uid: 0, real: .unknown, login: .unknown), place: at(nil), doubt: .otherUser),

    Way(name: "sudo by ssh", asker: sudo(login: .user(alice)), place: at(away, own: [away]), doubt: .remote),
    Way(
      name: "sudo by ssh while she is at the machine, too", asker: sudo(login: .user(alice)), place: at(away, own: [away, here]),
      doubt: .remote),
    Way(
      name: "a desktop's terminal while only ssh is left of her", asker: sudo(login: .user(alice)),
      place: at(nil, manager: alice, own: [away]), doubt: .elsewhere),
    Way(
      name: "a session in the background", asker: sudo(login: .user(alice)),
      place: at(LoginSession(user: alice, isActive: false)), doubt: .inactive),
    Way(
      name: "a desktop's terminal while her session is in the background", asker: sudo(login: .user(alice)),
      place: at(nil, manager: alice, own: [LoginSession(user: alice, isActive: false)]), doubt: .elsewhere),
    Way(
      name: "a session at another seat", asker: program(of: alice), place: at(LoginSession(user: alice, seat: "seat1")),
      doubt: .elsewhere),
    Way(
      name: "a session on a serial line, which is at no seat", asker: program(of: alice),
      place: at(LoginSession(user: alice, seat: "")), doubt: .elsewhere),
    Way(name: "cron", asker: sudo(login: .user(alice)), place: at(nil, own: [here]), doubt: .elsewhere),
    Way(
      name: "systemd-run --uid", asker: program(of: alice, login: .nobody), place: at(nil, own: [here]), doubt: .elsewhere),
    Way(name: "a container", asker: program(of: alice, login: .user(alice)), place: at(nil, own: [here]), doubt: .elsewhere),
    Way(
      name: "a process that her closed session left", asker: program(of: alice),
      place: at(LoginSession(user: .max, isRemote: true, isActive: false, seat: "")), doubt: .otherUser),

    Way(
      name: "a display manager's greeter", asker: service, place: at(nil, shown: greeter, terminal: .none), doubt: nil,
      isSeatService: true),
    Way(
      name: "a display manager that unlocks her session", asker: service, place: at(nil, shown: here, terminal: .none),
      doubt: nil, isSeatService: true),
    Way(
      name: "login on the console that is shown", asker: service, place: at(nil, terminal: .shownConsole), doubt: nil,
      isSeatService: true),
    Way(
      name: "login on a console in the background", asker: service, place: at(nil, shown: here, terminal: .other),
      doubt: .elsewhere, isSeatService: true),
    Way(
      name: "login on a serial line, or by telnet", asker: service, place: at(nil, shown: greeter, terminal: .other),
      doubt: .elsewhere, isSeatService: true),
    Way(
      name: "a display manager while another user is at the seat", asker: service,
      place: at(nil, shown: LoginSession(user: mallory), terminal: .none), doubt: .otherUser, isSeatService: true),
    Way(
      name: "a display manager while the seat shows nobody", asker: service, place: at(nil, terminal: .none),
      doubt: .elsewhere, isSeatService: true),
    Way(name: "sshd", asker: service, place: at(nil, shown: here, terminal: .none), doubt: .service),
    Way(name: "sudo by a service of the system", asker: service, place: at(nil, shown: here), doubt: .service),
    Way(
      name: "a user's setuid program that calls itself login", asker: su(by: mallory),
      place: at(nil, shown: here, terminal: .shownConsole), doubt: .otherUser, isSeatService: true),
    Way(
      name: "a root shell of another user's that calls itself login", asker: sudo(login: .user(mallory)),
      place: at(nil, shown: here, terminal: .shownConsole), doubt: .otherUser, isSeatService: true),

    Way(
      name: "without logind, on the console that is shown", asker: sudo(login: .user(alice)), place: without(.shownConsole),
      doubt: nil),
    Way(
      name: "without logind, on a terminal of a program or of ssh", asker: sudo(login: .user(alice)), place: without(.other),
      doubt: .elsewhere),
    Way(name: "without logind, on no terminal", asker: program(of: alice), place: without(.none), doubt: .elsewhere),
    Way(
      name: "without logind, on the console, but from nobody's login", asker: program(of: alice, login: .nobody),
      place: without(.shownConsole), doubt: .elsewhere),
    Way(
      name: "without logind, login on the console", asker: service, place: without(.shownConsole), doubt: nil,
      isSeatService: true),
  ]

  @Test(arguments: ways) func `a finger is asked for only where it can be the owner's`(_ way: Way) {
    var doubt: WhoseHand.Doubt?
    do throws(WhoseHand.Doubt) {
      let hand = WhoseHand(owner: Self.alice, seat: "seat0")
      try hand.judge(way.asker, isSeatService: way.isSeatService)
      try hand.judge(way.place, of: way.asker)
    } catch {
      doubt = error
    }
    #expect(doubt == way.doubt)
  }

  @Test func `what somebody does is counted where they logged in, whoever they become`() {
    #expect(Self.su(by: Self.mallory).source == .user(Self.mallory))
    #expect(Self.su(by: Self.alice, login: .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.program(of: 33, login: .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.sudo(login: .user(Self.mallory)).source == .user(Self.mallory))
    #expect(Self.su(by: 33, login: .nobody).source == .user(33))
    #expect(Self.service.source == .service)
    #expect(Asker(uid: 0, real: .unknown, login: .nobody).source == .unknown)
    #expect(Asker(uid: 0, real: .user(0), login: .unknown).source == .unknown)
  }
}
