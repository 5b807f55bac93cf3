import SignetVocabulary
import SignetWire

extension Scene {
  /// Enrolls a finger and returns what signetd answered. `instead` does something else than scanning where it returns true.
  @discardableResult
  public func enroll(
    _ finger: Finger, as scan: String, user: String = "", instead: (AdministrationReply) throws -> Bool = { _ in false }
  ) throws -> [AdministrationReply] {
    let client = try daemon.connect()
    try client.send(.enroll(user: user, finger, reader: ""))
    return try client.followEnrolment(as: scan, on: reader, instead: instead)
  }

  /// Deletes every finger, with the passcode; what came at the end.
  public func deleteAll() throws -> AdministrationReply {
    let client = try daemon.connect()
    try client.send(.delete(user: "", nil))
    while true {
      switch try client.nextAdministration() {
      case .askPasscode: try client.answer(passcode: RunningDaemon.passcode)
      case .show: continue
      case let reply: return reply
      }
    }
  }
}

extension LoginClient {
  /// Goes on with an enrolment, on any reader, to its end.
  public func followEnrolment(
    as scan: String, on reader: VirtualReader, instead: (AdministrationReply) throws -> Bool = { _ in false }
  ) throws -> [AdministrationReply] {
    var replies: [AdministrationReply] = []
    while true {
      let reply = try nextAdministration()
      replies.append(reply)
      if try instead(reply) { continue }
      switch reply {
      // Not of root.
      case .askPasscode: try answer(passcode: RunningDaemon.passcode)
      case .show(.touchReader, _, _): try reader.scan(scan)
      case .enrollStage(let completed, let all, _): if completed < all { try reader.scan(scan) }
      case .done, .refused: return replies
      default: continue
      }
    }
  }
}
