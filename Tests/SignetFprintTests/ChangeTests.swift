import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Enrolling and deleting: polkit consents, and the passcode is proved to polkit's PAM service, each of which alone does nothing.
@Suite(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct ChangeTests {
  private let world: FprintWorld
  private let polkit: BusClient
  private let client: BusClient

  init() throws {
    world = try FprintWorld()
    polkit = try world.polkit()
    client = try world.client()
    #expect(try client.call("Claim") == "ok")
  }

  private func awaitQuestion() throws {
    try client.say("name")
    let name = try client.line(with: "name is ").dropFirst("name is ".count)
    try polkit.line(with: "polkit asked net.reactivated.fprint.device.enroll system-bus-name \(name) 1")
  }

  @Test func `a finger is enrolled stage by stage, with the passcode that polkit's dialog asks for`() throws {
    try client.say("EnrollStart left-thumb")
    try awaitQuestion()
    // The finger that is enrolled already would do otherwise.
    #expect(try world.proveToPolkit().isSuccess)
    try polkit.say("consent")
    #expect(try client.answer(to: "EnrollStart") == "ok")
    try client.line(with: "{'finger-needed': True}")
    for stage in 1...5 {
      try world.scene.reader.scan("left")
      try client.line(
        with: stage < 5 ? "signal EnrollStatus enroll-stage-passed False" : "signal EnrollStatus enroll-completed True")
    }
    #expect(try client.call("EnrollStop") == "ok")
    #expect(try client.call("EnrollStop") == "error NoActionInProgress")
    #expect(try client.call("ListEnrolledFingers").contains("left-thumb"))
    #expect(try client.call("VerifyStart left-thumb") == "ok")
    try world.scene.reader.scan("left")
    try client.line(with: "signal VerifyStatus verify-match True")
  }

  @Test func `polkit's consent without a passcode enrolls nothing`() throws {
    try client.say("EnrollStart left-thumb")
    try awaitQuestion()
    try polkit.say("consent")
    #expect(try client.answer(to: "EnrollStart") == "error PermissionDenied")
    #expect(try client.call("ListEnrolledFingers") == "ok ['right-index-finger']")
    // It may be tried again.
    try client.say("EnrollStart left-thumb")
    try awaitQuestion()
  }

  @Test func `a passcode without polkit's consent enrolls nothing`() throws {
    try client.say("EnrollStart left-thumb")
    try awaitQuestion()
    #expect(try world.proveToPolkit().isSuccess)
    try polkit.say("refuse")
    #expect(try client.answer(to: "EnrollStart") == "error PermissionDenied")
    #expect(try client.call("ListEnrolledFingers") == "ok ['right-index-finger']")
  }

  @Test func `a wrong passcode is none, and one of before does not count`() throws {
    #expect(try proveToPolkitBefore().isSuccess)
    try client.say("DeleteEnrolledFinger right-index-finger")
    try awaitQuestion()
    #expect(try !world.proveToPolkit("wrong").isSuccess)
    try polkit.say("consent")
    #expect(try client.answer(to: "DeleteEnrolledFinger") == "error PermissionDenied")
    #expect(try client.call("ListEnrolledFingers") == "ok ['right-index-finger']")
  }

  /// While nothing is awaited, polkit's dialog takes the finger first, as ever.
  private func proveToPolkitBefore() throws -> LoginClient.Reply {
    let login = try world.scene.daemon.connect()
    try login.authenticate(world.scene.daemon.user, service: "polkit-1")
    try login.awaitArmed()
    try login.fallback()
    return try login.verdict(passcode: RunningDaemon.passcode)
  }

  @Test(arguments: ["DeleteEnrolledFinger right-index-finger", "DeleteEnrolledFingers2", "DeleteEnrolledFingers"])
  func `a finger is deleted with the passcode`(method: String) throws {
    try client.say(method)
    try awaitQuestion()
    #expect(try world.proveToPolkit().isSuccess)
    try polkit.say("consent")
    #expect(try client.answer(to: method) == "ok")
    #expect(try client.call("ListEnrolledFingers") == "error NoEnrolledPrints")
  }

  @Test func `who leaves takes the dialog along, and the next begins anew`() throws {
    let next = try world.client()
    try client.say("EnrollStart left-thumb")
    try awaitQuestion()
    client.program.signal(SIGKILL)
    try polkit.line(with: "polkit cancelled")
    try wait(for: "the claim to end") { try next.call("Claim") == "ok" }
    try next.say("EnrollStart left-thumb")
    try polkit.line(with: "polkit asked")
  }

  @Test func `no finger has a name of its own making`() throws {
    for method in ["EnrollStart any", "EnrollStart", "EnrollStart toe", "DeleteEnrolledFinger any"] {
      #expect(try client.call(method) == "error InvalidFingername", "\(method)")
    }
  }
}
