import ArgumentParser
import SignetMachine
import SignetVocabulary
import SignetWire
import SignetWords

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show readers, enrolled fingers, strikes, and what is locked and why.")

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let answer = try Listing<AdministrationReply>.status(of: user.user, at: helper.socket)
    let status = answer.strikes
    let fingers = try Listing<FingerRow>.fingers(of: user.user, at: helper.socket)
    let readers = try Listing<ReaderDescription>.readers(at: helper.socket)
    let isHeld = readers.rows.contains { $0.obstacle == .heldByOther }
    let holders = isHeld ? ReaderHolders().seen().map(\.words) : []
    if output.json { return try Report.json(StatusRecord(answer, fingers: fingers, readers: readers, holders: holders)) }
    print("User:     \(Printable.text(status.user)) (uid \(status.uid))")
    print("Readers:  \(StatusCommand.joined(readers) { "\($0.name) (\($0.identifier))" })")
    for line in StatusCommand.obstacles(readers.rows, holders) { Report.say(line) }
    print("Fingers:  \(StatusCommand.joined(fingers, empty: StatusText.noFinger) { StatusCommand.words($0, readers) })")
    print("Strikes:  \(status.strikes) of \(status.limit)")
    let limit = Int(status.limit)
    Report.say("Locked:   \(LockText.status(status.lock, of: status.user, limit: limit, fault: status.fault))")
    let wait = WaitText.of(
      wrong: status.wrongPasscodes, seconds: status.passcodeDelay, wrongElsewhere: status.wrongElsewhere,
      secondsElsewhere: status.delayElsewhere)
    if let wait { Report.say("Passcode: \(wait)") }
    Report.say("Vault:    \(answer.vault.words)")
    if answer.vault.state != .none { Report.say("Memory:   \(ItemText.keys(answer.vault.protection))") }
    if let keys = KeyText.of(status.keys, pcrs: status.pcrs) { Report.say("Keys:     \(keys)") }
    if let words = KeyText.of(status.tokenKey) { Report.say("Tokens:   \(words)") }
    if let words = RestartText.of(status.afterRestart, uid: status.uid) { Report.say("Restart:  \(words)") }
  }

  /// What keeps readers from being used.
  private static func obstacles(_ readers: [ReaderDescription], _ holders: [String]) -> [String] {
    func names(_ obstacle: ReaderObstacle) -> [String] { readers.filter { $0.obstacle == obstacle }.map(\.identifier) }
    let (held, covered) = (names(.heldByOther), names(.lidClosed))
    return (held.isEmpty ? [] : ["Held:     \(StatusText.held(held, by: holders))"])
      + (covered.isEmpty ? [] : ["Lid:      \(StatusText.lidClosed(covered))"])
  }

  /// A finger, and its reader where that is known not to be there: no other reader knows the finger.
  private static func words(_ finger: FingerRow, _ readers: Listing<ReaderDescription>) -> String {
    let isAbsent = readers.failure == nil && !readers.rows.contains { $0.identifier == finger.reader }
    return isAbsent ? StatusText.absent(finger.finger.name, reader: finger.reader) : finger.finger.name
  }

  /// Names in a line, with what signetd said of the rest: a reader in use, or a damaged template, is part of the status.
  private static func joined<Row>(_ listing: Listing<Row>, empty: String = "none", _ name: (Row) -> String) -> String {
    let names = listing.rows.map { Printable.text(name($0)) }
    guard let failure = listing.failure else { return names.isEmpty ? empty : names.joined(separator: ", ") }
    return (names + [failure.message]).joined(separator: ", ")
  }
}
