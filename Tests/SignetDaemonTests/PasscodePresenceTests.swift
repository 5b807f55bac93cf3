import CLinux
import Glibc
import SignetFiles
import SignetTestKit
import SignetWire
import Testing

@testable import DaemonConnections
@testable import DaemonPasscodes
@testable import DaemonService

/// What is made of signet-passcode's answer to whether there is a passcode. The test's own script stands in for it.
@Suite struct PasscodePresenceTests {
  private let folder = try! TemporaryFolder()
  private let user = User(uid: 1000, name: "alice")
  private var program: String { folder.path + "/signet-passcode" }

  /// A program that notes that it was started, and then does this.
  private func presence(_ script: String, isAsked: Bool = true) throws -> PasscodePresence {
    // It reads the question first: who ends with one unread takes the answer along (unix(7), ECONNRESET).
    try writeScript("#!/bin/sh\necho >> \(folder.path)/starts\nhead -c 1 > /dev/null\n\(script)\n", to: program)
    return PasscodePresence(path: program, isAsked: isAsked)
  }

  private var starts: Int { (try? RawFile.read(folder.path + "/starts").count) ?? 0 }

  private func answering(_ outcome: PasscodeAnswer.Outcome) -> String {
    "printf '\\001\\002\\\(String(outcome.rawValue, radix: 8))\\000\\000\\000\\000' >&0"
  }

  /// One question, of a client who waits.
  private func ask(_ presence: PasscodePresence) throws -> Waited<PasscodePresence.Answer> {
    try withWaitingClient { try presence.ask(about: user).wait(for: $0) }
  }

  @Test(arguments: [(PasscodeAnswer.Outcome.isSet, PasscodePresence.Answer.isSet), (.notSet, .notSet)])
  func `an answer holds as long as the files stay as they are`(
    outcome: PasscodeAnswer.Outcome, answer: PasscodePresence.Answer
  ) throws {
    let presence = try presence(answering(outcome))
    let before = presence.ask(about: user).answer
    #expect(before == nil)
    for _ in 1...3 { #expect(try ask(presence) == .answer(answer)) }
    let after = presence.ask(about: user).answer
    #expect(after == answer)
    // Once for the question whose answer nobody waited for, and it may have been ended before it came as far.
    #expect((1...2).contains(starts))
  }

  @Test(arguments: [
    "exit 0", "head -c 64 /dev/urandom >&0", "printf '\\001\\002\\005' >&0", "printf '\\001\\002\\245\\000\\000\\000\\000' >&0",
    "printf '\\001\\002\\003\\000\\000\\000\\000' >&0", "printf '\\001\\001\\005\\000\\000\\000\\000' >&0",
  ])
  func `any other answer is none, and is not kept`(script: String) throws {
    let presence = try presence(script)
    for _ in 1...2 { #expect(try ask(presence) == .answer(.unknown)) }
    #expect(starts == 2)
  }

  @Test func `where signet-passcode is missing nothing is known`() throws {
    #expect(try ask(PasscodePresence(path: program, isAsked: true)) == .answer(.unknown))
  }

  @Test func `where passcodes are another service's nobody is asked`() throws {
    let presence = try presence(answering(.notSet), isAsked: false)
    #expect(try ask(presence) == .answer(.isSet))
    #expect(starts == 0)
  }
}

/// Serves a client that waits for its answer.
func withWaitingClient<Value>(_ body: (ClientConnection) throws -> Value) throws -> Value {
  var ends: [Int32] = [-1, -1]
  try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
  defer { close(ends[0]) }
  let socket = Descriptor(ends[1])
  guard let peer = Peer(of: socket.raw),
    let client = ClientConnection(
      Arrival(socket, from: peer), at: ConnectionSlot(number: 1, crowd: .ofAsker), permitted: PermittedRequests([]),
      shutdown: Shutdown())
  else { throw TestKitError("no connection") }
  return try body(client)
}
