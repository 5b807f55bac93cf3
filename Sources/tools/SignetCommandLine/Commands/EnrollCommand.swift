import ArgumentParser
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

struct EnrollCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", abstract: say("Enroll a finger."),
    discussion: say(
      """
      Without a name the first free finger is taken, beginning with right-index-finger. A finger that is enrolled already is \
      replaced once the new scan is whole. Asks for your passcode (your login password) first, unless root runs it.
      """))

  @Argument(help: ArgumentHelp(say("Which finger, for instance right-index-finger or left-thumb.")))
  var finger: Finger?
  @Option(
    name: .long, help: ArgumentHelp(say("Which reader, by its identifier from `signet readers`."), valueName: "id"),
    completion: Completions.readers)
  var reader = ""
  @OptionGroup var loss: LossOptions
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions
  @OptionGroup var logins: LoginStackOptions

  func validate() throws {
    guard reader.utf8.count <= FieldLimit.name else {
      throw ValidationError(say("--reader: `signet readers` shows the identifiers."))
    }
  }

  func run() throws {
    let chosen = try finger ?? firstFree()
    try BoundItems(of: user.user, at: helper.socket).change(loss, isMoot: hasNoReader) {
      try Dialogue.follow(
        AdministrationRequest.enroll(user: user.user, chosen, reader: reader), at: helper.socket,
        title: DoneText.enrolling(chosen), reason: QuestionText.passcodeToEnroll)
      Report.say(DoneText.enrolled(chosen))
      ComparedAlone.tell(of: user.user, at: helper.socket)
    }
    if let notice = logins.notice(at: helper.socket) { Report.complain(notice) }
  }

  /// Then signetd says so, and nothing changes.
  private func hasNoReader() -> Bool {
    guard let readers = try? Listing<ReaderDescription>.readers(at: helper.socket), readers.failure == nil else { return false }
    return readers.rows.isEmpty
  }

  /// People use these fingers first.
  static let usual: [Finger] = [
    .rightIndexFinger, .leftIndexFinger, .rightThumb, .leftThumb, .rightMiddleFinger, .leftMiddleFinger, .rightRingFinger,
    .leftRingFinger, .rightLittleFinger, .leftLittleFinger,
  ]

  private func firstFree() throws -> Finger {
    let listing = try Listing<FingerRow>.fingers(of: user.user, at: helper.socket)
    // A damaged template is named by `signet list`; it takes no finger's place.
    if let failure = listing.failure, failure.status != .locked { throw failure }
    let taken = listing.rows.map(\.finger)
    guard let free = EnrollCommand.usual.first(where: { !taken.contains($0) }) else {
      throw CommandFailure(.refused, ObstacleText.allFingersEnrolled)
    }
    return free
  }
}

extension Finger: ExpressibleByArgument {
  /// Also without the word that all but the thumbs end in.
  public init?(argument: String) {
    guard let finger = Finger(name: argument) ?? Finger(name: argument + "-finger") else { return nil }
    self = finger
  }
  public static var allValueStrings: [String] { allCases.map(\.name) }
}
