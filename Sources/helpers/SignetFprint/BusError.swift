/// Why a call is refused: one of the interface's errors, and a sentence for whoever reads the client's log.
struct BusError: Error, Equatable {
  /// How they are called behind `net.reactivated.Fprint.Error.`.
  enum Name: Equatable {
    case claimDevice, alreadyInUse, `internal`, permissionDenied, noEnrolledPrints, noActionInProgress, invalidFingername
    case noSuchDevice, printsNotDeleted
  }

  var name: Name
  var sentence: String

  init(_ name: Name, _ sentence: String) {
    self.name = name
    self.sentence = sentence
  }

  static var notClaimed: BusError { BusError(.claimDevice, "The reader was not claimed before use.") }
  static var otherClaim: BusError { BusError(.alreadyInUse, "Another program has claimed the reader.") }
  static var busy: BusError { BusError(.alreadyInUse, "The reader is in use.") }
  static var noReader: BusError { BusError(.noSuchDevice, "There is no such reader.") }
  static var noFinger: BusError { BusError(.noEnrolledPrints, "No finger is enrolled on this reader.") }
  static var badFinger: BusError { BusError(.invalidFingername, "No finger is called so.") }
  static var otherUser: BusError { BusError(.permissionDenied, "Only root may ask about another user.") }
  static var notHere: BusError {
    BusError(.permissionDenied, "No finger is asked for here: the reader can be at another's hand.")
  }
  static var notProved: BusError { BusError(.permissionDenied, "The passcode was not proved.") }
  static var locked: BusError { BusError(.internal, "The passcode is required: fingerprints are locked.") }
  static var unanswered: BusError { BusError(.internal, "Signet does not answer.") }
  static var crowded: BusError { BusError(.internal, "Too much is asked at once.") }
}

extension BusError.Name {
  /// For the bus.
  var text: StaticString {
    switch self {
    case .claimDevice: "ClaimDevice"
    case .alreadyInUse: "AlreadyInUse"
    case .internal: "Internal"
    case .permissionDenied: "PermissionDenied"
    case .noEnrolledPrints: "NoEnrolledPrints"
    case .noActionInProgress: "NoActionInProgress"
    case .invalidFingername: "InvalidFingername"
    case .noSuchDevice: "NoSuchDevice"
    case .printsNotDeleted: "PrintsNotDeleted"
    }
  }
}
