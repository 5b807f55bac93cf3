import ArgumentParser
import SignetClient
import SignetLanguage
import SignetMachine
import SignetVocabulary
import SignetWire
import SignetWords

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: say("Show readers, enrolled fingers, strikes, and what is locked and why."))

  @Flag(name: .long, help: ArgumentHelp(say("Also say what keeps keys, where nothing is wrong with it.")))
  var verbose = false
  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions
  @OptionGroup var logins: LoginStackOptions

  func run() throws {
    let answer = try Listing<AdministrationReply>.status(of: user.user, at: helper.socket)
    let fingers = try Listing<FingerRow>.fingers(of: user.user, at: helper.socket)
    let readers = try Listing<ReaderDescription>.readers(at: helper.socket)
    let isHeld = readers.rows.contains { $0.obstacle == .heldByOther }
    let holders = isHeld ? ReaderHolders().seen().map(\.words) : []
    let passkeys = StatusCommand.passkeys(answer.vault, of: user.user, at: helper.socket)
    if output.json {
      return try Report.json(
        StatusRecord(answer, fingers: fingers, readers: readers, holders: holders, passkeys: passkeys))
    }
    for (label, words) in rows(answer, fingers, readers, holders, passkeys) {
      Report.say(label.words.padded(to: StatusLabel.width) + " ", words)
    }
  }

  private func rows(
    _ answer: UserStatus, _ fingers: Listing<FingerRow>, _ readers: Listing<ReaderDescription>, _ holders: [String],
    _ passkeys: Int?
  ) -> [(StatusLabel, String)] {
    let status = answer.strikes
    let lock = LockText.status(status.lock, of: status.user, limit: Int(status.limit), fault: status.fault)
    let wait = WaitText.of(
      wrong: status.wrongPasscodes, seconds: status.passcodeDelay, wrongElsewhere: status.wrongElsewhere,
      secondsElsewhere: status.delayElsewhere)
    let isMemoryTold = answer.vault.state != .none && (verbose || answer.vault.protection != .secret)
    let memory = isMemoryTold ? ItemText.keys(answer.vault.protection) : nil
    let keys = verbose || !status.keys.isInOrder ? KeyText.of(status.keys, pcrs: status.pcrs) : nil
    let rows: [(StatusLabel, String?)] =
      [
        (.user, "\(status.user) (uid \(status.uid))"),
        (.readers, StatusCommand.joined(readers, empty: say("none")) { "\($0.name) (\($0.identifier))" }),
      ] + StatusCommand.obstacles(readers.rows, holders) + [
        (.fingers, StatusCommand.joined(fingers, empty: StatusText.noFinger) { StatusCommand.words($0, readers) }),
        (.strikes, say("\(status.strikes) of \(status.limit)")), (.locked, lock), (.passcode, wait),
        (.vault, answer.vault.words), (.passkeys, passkeys.map { "\($0)" }), (.memory, memory), (.keys, keys),
        (.tokens, verbose ? KeyText.of(status.tokenKey) : nil),
        (.restart, RestartText.of(status.afterRestart, uid: status.uid)), (.logins, logins.notice(at: helper.socket)),
      ]
    return rows.compactMap { label, words in words.map { (label, $0) } }
  }

  /// How many passkeys there are, where programs find them; `nil` for none.
  private static func passkeys(_ vault: VaultRow, of user: String, at socket: String) -> Int? {
    guard vault.items > 0, CommandPath.program("signet-passkey") != nil,
      let count = (try? OwnPasskeys.all(of: user, at: socket))?.count, count > 0
    else { return nil }
    return count
  }

  /// What keeps readers from being used.
  private static func obstacles(_ readers: [ReaderDescription], _ holders: [String]) -> [(StatusLabel, String?)] {
    func names(_ obstacle: ReaderObstacle) -> [String] { readers.filter { $0.obstacle == obstacle }.map(\.identifier) }
    let (held, covered) = (names(.heldByOther), names(.lidClosed))
    return [
      (.held, held.isEmpty ? nil : StatusText.held(held, by: holders)),
      (.lid, covered.isEmpty ? nil : StatusText.lidClosed(covered)),
    ]
  }

  /// A finger, and its reader where that is known not to be there: no other reader knows the finger.
  private static func words(_ finger: FingerRow, _ readers: Listing<ReaderDescription>) -> String {
    let isAbsent = readers.failure == nil && !readers.rows.contains { $0.identifier == finger.reader }
    let name = FingerText.name(finger.finger)
    return isAbsent ? StatusText.absent(name, reader: finger.reader) : name
  }

  /// Names in a line, with what signetd said of the rest: a reader in use, or a damaged template, is part of the status.
  private static func joined<Row>(_ listing: Listing<Row>, empty: String, _ name: (Row) -> String) -> String {
    let names = listing.rows.map { Printable.text(name($0)) }
    guard let failure = listing.failure else { return names.isEmpty ? empty : names.joined(separator: ", ") }
    return (names + [failure.message]).joined(separator: ", ")
  }
}

/// What stands before each line of `signet status`.
private enum StatusLabel: CaseIterable {
  case user, readers, held, lid, fingers, strikes, locked, passcode, vault, passkeys, memory, keys, tokens, restart, logins

  /// Of the widest one, in columns.
  static var width: Int { allCases.map(\.words.columns).max() ?? 0 }

  var words: String {
    switch self {
    case .user: say("User:")
    case .readers: say("Readers:")
    case .held: say("Held:")
    case .lid: say("Lid:")
    case .fingers: say("Fingers:")
    case .strikes: say("Strikes:")
    case .locked: say("Locked:")
    case .passcode: say("Passcode:")
    case .vault: say("Vault:")
    case .passkeys: say("Passkeys:")
    case .memory: say("Memory:")
    case .keys: say("Keys:")
    case .tokens: say("Tokens:")
    case .restart: say("Restart:")
    case .logins: say("Logins:")
    }
  }
}
