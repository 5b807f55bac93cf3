import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Enrolling, without a terminal: each change is a line.
@Suite struct EnrollTests {
  private static func finger(_ finger: Finger) -> ScriptedDaemon.Step {
    .reply(.finger(FingerRow(finger: finger, reader: "virtual_device:0", enrolled: 0)))
  }

  @Test func `stages and guidance are shown as they come`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.enroll), .reply(.show(.touchReader, value: 0, detail: "")), .reply(.heartbeat),
        .reply(.enrollStage(completed: 1, of: 5, retry: nil)), .reply(.enrollStage(completed: 1, of: 5, retry: .tooFast)),
        .reply(.enrollStage(completed: 5, of: 5, retry: nil)), .done,
      ])
    let run = try Signet.run(["enroll", "left-thumb", "--user", "alice", "--reader", "virtual_device:0"], with: daemon)
    #expect(run.status == 0)
    #expect(run.output == "Enrolled left-thumb.\n")
    #expect(
      run.errors == """
        Enrolling left-thumb: Touch the fingerprint reader
        Enrolling left-thumb: [####----------------] 1 of 5  Lift the finger, then put it on again
        Enrolling left-thumb: [####----------------] 1 of 5  Scan again: the finger moved too fast
        Enrolling left-thumb: [####################] 5 of 5

        """)
    #expect(try request(daemon.finish()[1][0]) == .enroll(user: "alice", .leftThumb, reader: "virtual_device:0"))
  }

  @Test(
    arguments: [
      ([], Finger.rightIndexFinger), ([.rightIndexFinger], .leftIndexFinger), ([.leftIndexFinger], .rightIndexFinger),
      ([.rightIndexFinger, .leftIndexFinger, .rightThumb], .leftThumb),
    ] as [([Finger], Finger)])
  func `without a name the first free finger is taken, the right index finger first`(taken: [Finger], free: Finger) throws {
    let daemon = try ScriptedDaemon(
      [.expect(.list)] + taken.map(EnrollTests.finger) + [.done], emptyVault, [.expect(.enroll), .done])
    let run = try Signet.run(["enroll"], with: daemon)
    #expect(run.output == "Enrolled \(free.name).\n")
    #expect(try request(daemon.finish()[2][0]) == .enroll(user: "", free, reader: ""))
  }

  @Test(arguments: Finger.allCases) func `a finger may be named without its last word`(finger: Finger) throws {
    let name = finger.name.replacing("-finger", with: "")
    let daemon = try ScriptedDaemon(emptyVault, [.expect(.enroll), .done])
    #expect(try Signet.run(["enroll", name], with: daemon).output == "Enrolled \(finger.name).\n")
    #expect(try request(daemon.finish()[1][0]) == .enroll(user: "", finger, reader: ""))
  }

  @Test func `with ten fingers enrolled it asks which one to replace`() throws {
    let daemon = try ScriptedDaemon([.expect(.list)] + Finger.allCases.map(EnrollTests.finger) + [.done])
    let run = try Signet.run(["enroll"], with: daemon)
    #expect(run.status == 1)
    #expect(run.errors.contains("all ten fingers"))
  }

  private static let notice = "No login asks Signet yet. Switch it on: sudo pam-auth-update --enable signet\n"

  @Test func `who has enrolled is told that no login asks Signet yet, as long as none does`() throws {
    let stacks = PAMFolder()
    try stacks.write("sudo", "auth required pam_unix.so\n")
    func enroll(_ words: String...) throws -> Signet {
      try Signet.run(["enroll", "left-thumb"] + words, with: ScriptedDaemon(emptyVault, [.expect(.enroll), .done]))
    }
    let none = try enroll("--confdir", stacks.path)
    #expect(none.output == "Enrolled left-thumb.\n" && none.errors == EnrollTests.notice)
    // Of a signetd that no login asks, the machine's files say nothing.
    #expect(try enroll().errors == "")
    try stacks.write("login", "auth sufficient pam_signet.so\nauth required pam_unix.so\n")
    #expect(try enroll("--confdir", stacks.path).errors == "")
    #expect(try enroll("--confdir", "/proc/nonexistent").errors == "")
  }

  @Test func `a duplicate finger is named`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.enroll), .reply(.enrollStage(completed: 1, of: 5, retry: nil)),
        .reply(.refused(.duplicateFinger(.rightThumb))),
      ])
    let run = try Signet.run(["enroll", "left-thumb"], with: daemon)
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("signet: This finger is enrolled already, as right-thumb."))
    #expect(run.errors.contains("signet delete right-thumb"))
  }

  @Test func `a finger that the reader has of somebody else has a way out`() throws {
    let daemon = try ScriptedDaemon(emptyVault, [.expect(.enroll), .reply(.refused(.duplicateOnReader("Reader")))])
    let run = try Signet.run(["enroll", "left-thumb"], with: daemon)
    #expect(run.status == 1)
    #expect(run.errors.contains("Reader has this finger already") && run.errors.contains("signet delete"))
  }

  /// Who calls sudo means their own fingers. Without root's rights these variables say nothing.
  @Test(
    arguments: [
      (["SUDO_UID=65534"], [String](), "nobody"), (["PKEXEC_UID=65534"], [], "nobody"), (["DOAS_USER=nobody"], [], "nobody"),
      (["SUDO_UID=65534"], ["--user", "root"], "root"), (["SUDO_UID=0"], [], ""), (["SUDO_UID=x"], [], ""),
      (["SUDO_UID=4294967294"], [], ""), (["DOAS_USER=root"], [], ""), ([], [], ""),
    ])
  func `under sudo the fingers are the caller's, who is told, and --user decides`(
    environment: [String], words: [String], user: String
  ) throws {
    let daemon = try ScriptedDaemon(emptyVault, [.expect(.enroll), .done])
    let run = try Signet.run(["enroll", "left-thumb"] + words, with: daemon, environment: environment)
    let isCaller = geteuid() == 0 && user == "nobody"
    #expect(try request(daemon.finish()[1][0]) == .enroll(user: isCaller || user == "root" ? user : "", .leftThumb, reader: ""))
    #expect(run.errors.components(separatedBy: "about nobody").count == (isCaller ? 2 : 1))
    #expect(run.errors.contains("--user root") == isCaller)
  }

  @Test func `without a terminal no passcode is asked and nothing changes`() throws {
    let daemon = try ScriptedDaemon(emptyVault, [.expect(.enroll), .reply(.askPasscode(.administration)), .silence])
    let run = try Signet.run(["enroll", "left-thumb"], with: daemon)
    #expect(run.status == 1)
    #expect(run.errors.contains("there is no terminal to ask it on"))
    #expect(try daemon.finish()[1].count == 1)
  }

  @Test func `an interrupt cancels at signetd, then ends as the signal would`() throws {
    let daemon = try ScriptedDaemon(
      emptyVault,
      [
        .expect(.enroll), .reply(.show(.touchReader, value: 0, detail: "")), .expect(.cancel),
        .reply(.refused(.cancelled)),
      ])
    let errors = try Pipe()
    let program = try Program(
      [Signet.path(), "enroll", "left-thumb", "--socket", daemon.path], environment: Signet.environment,
      descriptors: [2: errors.writing])
    _ = try errors.read(until: "Touch the fingerprint reader")
    program.signal(15)
    #expect(try program.waitForExit() == 128 + 15)
    errors.closeWriting()
    #expect(try errors.readToEnd().hasSuffix("signet: Cancelled.\n"))
    try daemon.finish()
  }

  @Test func `deleting names the finger, or all`() throws {
    let one = try ScriptedDaemon(emptyVault, [.expect(.delete), .done])
    #expect(try Signet.run(["delete", "left-thumb"], with: one).output == "Deleted left-thumb.\n")
    #expect(try request(one.finish()[1][0]) == .delete(user: "", .leftThumb))
    let all = try ScriptedDaemon(emptyVault, [.expect(.delete), .done])
    #expect(try Signet.run(["delete", "--all", "--user", "bob"], with: all).output == "Deleted all fingers.\n")
    #expect(try request(all.finish()[1][0]) == .delete(user: "bob", nil))
  }
}
