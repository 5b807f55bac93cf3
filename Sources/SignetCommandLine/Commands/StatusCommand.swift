import ArgumentParser
import SignetWire

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show readers, enrolled fingers, strikes, and what is locked and why.")

  @OptionGroup var user: UserOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let status = try Listing.status(of: user.user, at: helper.socket)
    let fingers = try Listing.fingers(of: user.user, at: helper.socket)
    let readers = try Listing.readers(at: helper.socket)
    if output.json { return try Report.json(StatusRecord(status, fingers: fingers, readers: readers)) }
    print("User:     \(Printable.text(status.user)) (uid \(status.uid))")
    print("Readers:  \(StatusCommand.joined(readers.map { "\($0.name) (\($0.identifier))" }))")
    print("Fingers:  \(StatusCommand.joined(fingers.map(\.finger.name)))")
    print("Strikes:  \(status.strikes) of \(status.limit)")
    print("Locked:   \(StatusCommand.reason(status))")
  }

  private static func joined(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.map(Printable.text).joined(separator: ", ")
  }

  /// Why the fingerprints are locked, and the way out.
  static func reason(_ status: StatusRow) -> String {
    switch status.lock {
    case .none: "no"
    case .strikes:
      "yes, after \(status.limit) misses in a row. The passcode at a login unlocks, or root: signet reset "
        + Printable.text(status.user)
    case .stateUnusable: "yes. " + Printable.text(status.explanation)
    }
  }
}
