import DaemonAccounts
import DaemonConnections
import DaemonProving
import DaemonReaders
import DaemonService
import SignetVocabulary
import SignetWire

/// Taking over the fingers that fprintd has of a user: a fresh passcode, a look into each print, and each that is what its place
/// says as a finger like any other. fprintd's files stay as they are, and so does what is stored on a reader.
struct FprintdImport {
  private let addition: FingerAddition
  private let prints: FprintdPrints

  typealias Interruption = ClientConnection.Interruption

  init(_ attempt: Attempt, _ prints: FprintdPrints) {
    addition = FingerAddition(attempt: attempt)
    self.prints = prints
  }

  private var client: ClientConnection { addition.attempt.client }
  private var user: User { addition.attempt.user }

  func run() throws(Interruption) {
    guard prints.locations.isEmpty else {
      return try addition.run(as: "signet import") { session throws(Refusal) in try takeOver(with: session) }
    }
    // Nothing changes, so nothing has to be proved.
    for fault in prints.faults { try client.sendPatiently(.imported(fault)) }
    try client.send(AdministrationReply.done)
  }

  /// A print, as far as it can be told without keeping anything.
  private enum Inspection {
    case usable(ClearTemplate, ReaderDescription)
    case not(ImportOutcome)
  }

  private func takeOver(with session: ReaderSession) throws(Refusal) {
    guard let readers = session.list() else { throw .readerUnavailable }
    let known = try addition.stored()
    // All before the first is kept: if signet-reader ends over one, nothing has changed.
    var inspections: [(FprintdPrints.FileLocation, Inspection)] = []
    for location in prints.locations { inspections.append((location, try inspect(at: location, readers, known, with: session))) }
    for fault in prints.faults { try tell(fault) }
    for (location, inspection) in inspections {
      try tell(ImportRow(finger: location.finger, reader: location.reader, outcome: try outcome(of: inspection, location)))
    }
  }

  private func inspect(
    at location: FprintdPrints.FileLocation, _ readers: [ReaderDescription], _ known: [EnrolledFinger],
    with session: ReaderSession
  ) throws(Refusal) -> Inspection {
    let template: ClearTemplate
    do throws(SystemError) { template = try prints.read(location) } catch { return .not(.unreadable(error)) }
    let print: ForeignPrint
    switch try session.examine(template) {
    case .print(let examined): print = examined
    case .unusable(let words): return .not(.unusable(words))
    }
    guard let reader = readers.first(where: { $0.identifier == print.reader && $0.driver == location.driver }) else {
      return .not(location.objection(to: print, of: user) ?? .readerMissing)
    }
    if let objection = location.objection(to: print, of: user) { return .not(objection) }
    let isKnown = known.contains { $0.finger == location.finger && $0.reader == reader.identifier }
    return isKnown ? .not(.enrolledAlready) : .usable(template, reader)
  }

  private func outcome(of inspection: Inspection, _ location: FprintdPrints.FileLocation) throws(Refusal) -> ImportOutcome {
    switch inspection {
    case .not(let outcome): return outcome
    case .usable(let template, let reader):
      var finger = EnrolledFinger(
        uid: user.uid, owner: user.name, finger: location.finger, reader: reader.identifier, isSwipe: reader.isSwipe,
        enrolled: wallSeconds())
      try addition.seal(template, in: &finger)
      try addition.keep(finger, .imported)
      return .taken
    }
  }

  private func tell(_ row: ImportRow) throws(Refusal) {
    if row.outcome != .taken {
      let finger = row.finger?.name ?? ""
      Log.write(
        .notice, "not taken over from fprintd: \(row.outcome)", [("user", user.name), ("finger", finger), ("reader", row.reader)])
    }
    do { try client.sendPatiently(.imported(row)) } catch { throw .cancelled }
  }
}

extension FprintdPrints.FileLocation {
  /// Why a print is not what its place says, or not this user's; `nil` where it is. Only the place is root's word: what is in the
  /// file says whose finger it was when it was enrolled, and a file that was copied there opens nobody else's account.
  func objection(to print: ForeignPrint, of user: User) -> ImportOutcome? {
    guard print.driver == driver, print.device == device, print.finger == finger else { return .misplaced }
    return print.user == user.name ? nil : .otherUser(print.user)
  }
}
