import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What somebody reads in the first hours, in terminals of three widths and two languages. signetd's part is played, so that each screen
/// stands still. The screens are in screens.txt, whole.
extension `Debian's sudo and login` {
  /// A command, and what signetd says to it, connection by connection.
  struct Everyday: Sendable, CustomTestStringConvertible {
    /// As screens.txt calls it.
    let name: String
    let command: String
    var daemon: [[ScriptedDaemon.Step]] = []
    /// What ends the last row where the command waits for an answer.
    var question: [String] = []
    /// What is typed then, in tmux's words: the screen is that behind it.
    var key: String?
    var rows = Rows.broken
    var testDescription: String { name }

    /// At a real sudo, which is asked by the user and lets them try so often.
    static func sudo(
      _ name: String, tries: Int = 1, question: [String] = [], key: String? = nil, _ daemon: [[ScriptedDaemon.Step]]
    ) -> Everyday {
      Everyday(
        name: name,
        command: """
          mkdir -p /run/signet && ln -sf SOCKET /run/signet/socket && \
          sed -i 's/passwd_tries=./passwd_tries=\(tries)/' /etc/sudoers.d/signet && \
          setpriv --reuid finger --regid finger --init-groups sudo id -un
          """, daemon: daemon, question: question, key: key, rows: .wrapped)
    }
  }

  /// Who breaks what is too long for a row.
  enum Rows {
    /// The command, between words.
    case broken
    /// The command, in columns, each by itself.
    case table
    /// The terminal, wherever the row ends: who has asked is another program, or the row is one that a finger may end.
    case wrapped
  }

  @Test(arguments: everyday)
  func `a screen is whole at any width, with no word cut and the way out on it`(screen: Everyday) throws {
    let screens = try Self.screens()
    for locale in ["C", "ko_KR"] {
      var texts: [[String]] = []
      for columns in [80, 60, 40] {
        let title = "\(screen.name), \(locale), \(columns)"
        let daemon = try ScriptedDaemon(screen.daemon)
        let seen = try show(screen, locale, columns, daemon)
        if let key = screen.key {
          try seen.awaitEnd(of: screen.question)
          try seen.press(key)
        }
        let rows = try #require(screens[title], "\(title)")
        try seen.awaitRows(rows, Self.withoutNumber)
        texts.append(
          screen.rows == .wrapped
            ? [rows.joined().filter { $0 != " " }] : rows.flatMap { $0.split(separator: " ").map(String.init) })
        #expect(rows.allSatisfy { width($0) <= columns }, "\(title)")
      }
      // The same words, whatever rows they are in.
      #expect(screen.rows == .table || texts.allSatisfy { $0 == texts[0] }, "\(screen.name), \(locale)")
    }
  }

  /// A command that ends leaves its exit status below.
  private func show(_ screen: Everyday, _ locale: String, _ columns: Int, _ daemon: ScriptedDaemon) throws -> SeenScreen {
    let ends = screen.question.isEmpty || screen.key != nil
    // What interrupts the command would end the shell, too.
    let line = "trap : INT; " + screen.command.replacing("SOCKET", with: daemon.path) + (ends ? "; echo \"[$?]\"" : "")
    return try SeenScreen(
      world.inside(["env", "LC_ALL=\(locale).UTF-8", "TZ=UTC", "PATH=/usr/local/bin:/usr/bin:/bin", "bash", "-c", line]),
      columns: columns, lines: 120)
  }

  /// Which pseudo-terminal it is, in the line that says what the finger is for, differs.
  private static func withoutNumber(_ row: String) -> String { row.replacing(/\/dev\/pts\/\d+/, with: "/dev/pts/0") }

  /// Each below a line `== NAME, LOCALE, COLUMNS`.
  private static func screens() throws -> [String: [String]] {
    let file = #filePath.dropLast("EverydayScreensTests.swift".count) + "screens.txt"
    let pairs = try RawFile.text(String(file)).split(separator: "== ").map { part in
      var rows = part.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      while rows.count > 1, rows.last == "" { rows.removeLast() }
      return (rows.removeFirst(), rows)
    }
    return try Dictionary(pairs) { _, _ in throw TestKitError("a screen is there twice") }
  }
}

private func reply(_ reply: AdministrationReply) -> ScriptedDaemon.Step {
  .send(Packet.bytes { try reply.write(into: &$0) })
}

private let done = reply(.done)

private let wantsRightIndexFinger = TouchForm.naming(Finger.rightIndexFinger.rawValue)

/// A login while passcodes have to wait.
private func waiting(_ seconds: UInt64, _ steps: ScriptedDaemon.Step...) -> [ScriptedDaemon.Step] {
  [.expect(.authenticate), .send(Packet.show(.passcodeDelayed, value: DelayForm.value(of: seconds)))] + steps
}

private let reader = ReaderDescription(
  identifier: "synaptics:0", name: "Synaptics Sensors", driver: "synaptics", isSwipe: false, canIdentify: false, hasStorage: true,
  enrollStages: 8)

private func finger(_ finger: Finger, isFirst: Bool = false) -> ScriptedDaemon.Step {
  reply(.finger(FingerRow(finger: finger, reader: reader.identifier, enrolled: 1_795_240_800, isFirst: isFirst)))
}

private func item(
  _ service: String, _ account: String = "", _ access: AccessControl = AccessControl(.userPresence),
  creator: String = "/usr/local/bin/signet", change: FingerChange? = nil
) -> ScriptedDaemon.Step {
  let item = Item(ItemName(service: service, account: account), accessControl: access)
  return reply(
    .item(
      ItemRow(
        item: item, created: 1_795_240_800, modified: 1_795_240_860, isOfCurrentSet: change == nil, creator: creator,
        change: change)))
}

private let bound = item("mail.example.org", "alice", AccessControl(.biometryCurrentSet))
private let noItems: [ScriptedDaemon.Step] = [.expect(.vaultList), done]
private let someReader: [ScriptedDaemon.Step] = [.expect(.readers), reply(.reader(reader)), done]

private func status(_ row: StatusRow, _ vault: VaultRow = VaultRow(state: .none)) -> [[ScriptedDaemon.Step]] {
  [
    [.expect(.status), reply(.status(row)), reply(.vault(vault)), done],
    [.expect(.list), finger(.rightIndexFinger), done], someReader,
  ]
}

private func user(_ lock: LockReason = .none, wrong: UInt8 = 0, delay: UInt32 = 0) -> StatusRow {
  StatusRow(
    user: "finger", uid: 1000, strikes: lock == .strikes ? 5 : 0, limit: 5, lock: lock, wrongPasscodes: wrong,
    passcodeDelay: delay)
}

private func event(_ event: Event) -> ScriptedDaemon.Step {
  reply(
    .event(
      EventRow(
        time: 1_795_240_800, event: event,
        requester: EventRequester(
          pid: 4711, uid: 0, loginUser: 1000, session: 7, program: "/usr/bin/sudo", service: "sudo", terminal: "pts/0"))))
}

private func enrolling(_ refusal: Refusal) -> [[ScriptedDaemon.Step]] {
  [noItems, [.expect(.enroll), reply(.refused(refusal))]]
}

/// In the order of what was minded, and which of it each shows.
private let everyday: [`Debian's sudo and login`.Everyday] = [
  .init(
    name: "1 enroll asks about items that would go", command: "signet enroll left-thumb --socket SOCKET",
    daemon: [
      [.expect(.vaultList), bound, item("kept"), done], someReader,
    ], question: ["Go on? [y/N]", "계속하시겠습니까? [y/N]"]),
  .init(
    name: "1 enroll says what is gone", command: "signet enroll left-thumb --yes --socket SOCKET",
    daemon: [
      [.expect(.vaultList), bound, item("kept"), done], someReader, [.expect(.enroll), done],
      [.expect(.list), finger(.leftThumb), done],
      [
        .expect(.vaultList),
        item(
          "mail.example.org", "alice", AccessControl(.biometryCurrentSet),
          change: FingerChange(.enrolled, .leftThumb, time: 1_795_240_900)), item("kept"), done,
      ],
    ]),
  .init(
    name: "3 enroll says which finger is asked for", command: "signet enroll left-thumb --socket SOCKET",
    daemon: [
      noItems, [.expect(.enroll), done],
      [.expect(.list), finger(.rightIndexFinger, isFirst: true), finger(.leftThumb), done], someReader,
    ]),
  .init(
    name: "3 readers says that it compares with one finger", command: "signet readers --socket SOCKET", daemon: [someReader],
    rows: .table),
  .init(
    name: "3 verify names the finger that it wants", command: "signet verify --socket SOCKET",
    daemon: [[.expect(.authenticate), .send(Packet.show(.touchReader, value: wantsRightIndexFinger)), .wait]],
    question: ["finger", "주십시오", "대십시오"]),
  .sudo(
    "3 sudo names the finger that it wants", question: ["passcode:", "대기:", "집게손가락):"],
    [[.expect(.authenticate), .send(Packet.show(.touchReader, value: wantsRightIndexFinger)), .wait]]),
  .init(
    name: "3 list says which finger is asked for", command: "signet list --socket SOCKET",
    daemon: [[.expect(.list), finger(.rightIndexFinger, isFirst: true), finger(.leftThumb), done], someReader], rows: .table),
  .init(
    name: "4 status says that no login asks Signet", command: "signet status --socket SOCKET --confdir /etc/signet",
    daemon: status(user())),
  .init(
    name: "4 policy says that the service does not ask Signet",
    command: "mkdir -p /run/pam; echo auth required pam_unix.so > /run/pam/sudo; signet policy sudo --confdir /run/pam",
    rows: .table),
  .init(name: "4 policy of no service", command: "signet policy nosuchservice"),
  .init(
    name: "5 status says how long passcodes wait", command: "signet status --socket SOCKET",
    daemon: status(user(.strikes, wrong: 5, delay: 54))),
  .sudo(
    "5 sudo says how long passcodes wait", tries: 3,
    [
      waiting(54, .send(Packet.refusal(.biometryLockout))), waiting(52, .send(Packet.refusal(.biometryLockout))),
      waiting(51, .send(Packet.refusal(.biometryLockout))),
    ]),
  .sudo(
    "5 sudo asks for the finger alone while passcodes wait", question: ["reader", "대십시오"],
    [waiting(54, .send(Packet.show(.touchReader, value: TouchForm.fingerFirst | TouchForm.alone)), .wait)]),
  .init(
    name: "6 enroll says which passcode", command: "signet enroll left-thumb --socket SOCKET",
    daemon: [noItems, [.expect(.enroll), reply(.askPasscode(.administration)), .silence]], question: ["Passcode:", "암호:"]),
  .init(
    name: "7 selftest says what it does", command: "signet selftest --socket SOCKET", daemon: [noItems, someReader],
    question: ["Begin? [y/N]", "시작하시겠습니까? [y/N]"]),
  .init(name: "8 help of a command", command: "signet enroll --help"),
  .init(name: "8 a mistyped command", command: "signet vualt list"),
  .init(
    name: "8 history", command: "signet history --socket SOCKET",
    daemon: [
      [
        .expect(.history), event(.authenticated(.fingerprint, .leftThumb)), event(.missed(strikes: 2)), event(.locked(.strikes)),
        done,
      ]
    ], rows: .table),
  .init(
    name: "8 vault list without anything special", command: "signet vault list --socket SOCKET",
    daemon: [[.expect(.vaultList), item("mail.example.org"), item("web"), done]], rows: .table),
  .init(
    name: "8 vault list", command: "signet vault list --socket SOCKET",
    daemon: [
      [
        .expect(.vaultList), item("mail.example.org", "alice", creator: "/usr/bin/msmtp"),
        item(
          "web", "", AccessControl(.biometryCurrentSet), change: FingerChange(.enrolled, .leftThumb, time: 1_795_240_900)), done,
      ]
    ], rows: .table),
  .init(
    name: "9 askpass without a pinentry",
    command: "SIGNET_PINENTRY=/none bash -c 'exec -a signet-askpass signet --keep ssh-key /home/finger/.ssh/id'"),
  .init(
    name: "10 status says nothing of keys that are in order", command: "signet status --socket SOCKET",
    daemon: status(user(), VaultRow(state: .open, items: 3, lost: 0, hasLoginSecret: true, protection: .secret))),
  .init(
    name: "10 doctor says the same of keys", command: "signet doctor --only keys --socket SOCKET",
    daemon: [
      [
        .expect(.status), reply(.status(user())),
        reply(.vault(VaultRow(state: .open, items: 3, lost: 0, hasLoginSecret: true, protection: .unkept))), done,
      ]
    ]),
  .init(
    name: "11 enroll without a reader", command: "signet enroll left-thumb --socket SOCKET", daemon: enrolling(.noReader)),
  .init(name: "11 vault get of nothing", command: "signet vault get nothing --socket SOCKET", daemon: [noItems]),
  .init(
    name: "11 vault add of what is there", command: "signet vault add kept --socket SOCKET",
    daemon: [[.expect(.vaultList), item("kept"), done]]),
  .init(
    name: "12 a hot reader", command: "signet enroll left-thumb --socket SOCKET",
    daemon: enrolling(.readerFailed("synaptics:0", .tooHot, detail: "Device disabled to prevent overheating."))),
  .init(
    name: "12 enroll is interrupted at the reader", command: "signet enroll left-thumb --socket SOCKET",
    daemon: [
      noItems,
      [
        .expect(.enroll), reply(.show(.touchReader, value: 0, detail: "")), .wait, .expect(.cancel), reply(.refused(.cancelled)),
      ],
    ], question: ["reader", "대십시오"], key: "C-c"),
  .init(
    name: "12 enroll is interrupted at its question", command: "signet enroll left-thumb --socket SOCKET",
    daemon: [noItems, [.expect(.enroll), reply(.askPasscode(.administration)), .silence]], question: ["Passcode:", "암호:"],
    key: "C-c"),
  .sudo(
    "12 sudo is interrupted", question: ["passcode:", "대기:", "집게손가락):"], key: "C-c",
    [[.expect(.authenticate), .send(Packet.show(.touchReader, value: 0)), .silence]]),
  .init(
    name: "12 lock of whom nothing locks", command: "signet lock finger --socket SOCKET",
    daemon: [
      [.expect(.lock), done], [.expect(.status), reply(.status(user())), reply(.vault(VaultRow(state: .none))), done],
    ]),
  .init(
    name: "12 status says what unlocks", command: "signet status --socket SOCKET", daemon: status(user(.requested))),
  .init(name: "13 help of signet-askpass", command: "bash -c 'exec -a signet-askpass signet --help'"),
  .init(name: "13 help of signet-credential", command: "bash -c 'exec -a signet-credential signet --help'"),
]
