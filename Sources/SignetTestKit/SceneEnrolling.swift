import Glibc
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
    return try Scene.follow(client, reader, as: scan, instead: instead)
  }

  /// Goes on with an enrolment, on any reader.
  public static func follow(
    _ client: LoginClient, _ reader: VirtualReader, as scan: String,
    instead: (AdministrationReply) throws -> Bool = { _ in false }
  ) throws -> [AdministrationReply] {
    var replies: [AdministrationReply] = []
    while true {
      let reply = try client.nextAdministration()
      replies.append(reply)
      if try instead(reply) { continue }
      switch reply {
      // Not of root.
      case .askPasscode: try client.answer(passcode: RunningDaemon.passcode)
      case .show(.touchReader, _, _): try reader.scan(scan)
      case .enrollStage(let completed, let all, _): if completed < all { try reader.scan(scan) }
      case .done, .refused: return replies
      default: continue
      }
    }
  }
}
