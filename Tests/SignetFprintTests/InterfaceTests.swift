import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The interface as a client sees it: methods, errors and signals, in every order.
@Suite(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct InterfaceTests {
  // MARK: What there is

  @Test func `the devices have a description, which does not wait for a claim`() throws {
    let client = try FprintWorld().client()
    #expect(try client.call("GetDevices") == "ok ['/net/reactivated/Fprint/Device/0']")
    #expect(
      try client.call("GetAll")
        == "ok [('finger-needed', False), ('finger-present', False), ('name', 'Virtual device for debugging'), "
        + "('num-enroll-stages', 5), ('scan-type', 'swipe')]")
    #expect(try client.call("Get num-enroll-stages") == "ok 5")
    #expect(try client.call("Get nothing") == "error org.freedesktop.DBus.Error.UnknownProperty")
    #expect(try client.call("Objects") == "ok ['/net/reactivated/Fprint/Device/0']")
    #expect(try client.call("Introspect") == "ok 10 3 5")
    for stranger in ["1/Claim", "00/Claim", "64/Claim", "99999999999/Claim"] {
      #expect(try client.call(stranger) == "error org.freedesktop.DBus.Error.UnknownObject")
    }
  }

  @Test func `no finger is an error, and not an empty list`() throws {
    let world = try FprintWorld(enrolls: false)
    let client = try world.client()
    #expect(try client.call("ListEnrolledFingers") == "error NoEnrolledPrints")
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart any") == "error NoEnrolledPrints")
    // What was not started needs no stop.
    #expect(try client.call("VerifyStop") == "error NoActionInProgress")
  }

  // MARK: Claims

  @Test func `a device is one client's from Claim to Release`() throws {
    let world = try FprintWorld()
    let (first, second) = (try world.client(), try world.client())
    for method in ["Release", "VerifyStart any", "VerifyStop", "EnrollStop", "EnrollStart left-thumb"] {
      #expect(try first.call(method) == "error ClaimDevice", "\(method)")
    }
    #expect(try first.call("Claim") == "ok")
    for method in ["Claim", "Release", "VerifyStart any", "VerifyStop", "EnrollStart left-thumb"] {
      #expect(try second.call(method) == "error AlreadyInUse", "\(method)")
    }
    #expect(try first.call("Claim") == "error AlreadyInUse")
    #expect(try second.call("ListEnrolledFingers") == "ok ['right-index-finger']")
    #expect(try first.call("Release") == "ok")
    #expect(try second.call("Claim") == "ok")
  }

  @Test func `who leaves the bus, however, has released the device and ended its scan`() throws {
    let world = try FprintWorld()
    let second = try world.client()
    do {
      let first = try world.client()
      #expect(try first.call("Claim") == "ok")
      #expect(try first.call("VerifyStart any") == "ok")
      first.program.signal(SIGKILL)
      _ = try first.program.waitForExit()
    }
    try wait(for: "the claim to end") { try second.call("Claim") == "ok" }
    // Nobody was seen to touch the reader: the strike is given back.
    try world.scene.daemon.awaitStrikes(0)
    #expect(try second.call("VerifyStart any") == "ok")
    try world.scene.reader.scan("right")
    try second.line(with: "signal VerifyStatus verify-match True")
  }

  // MARK: Verifying

  @Test func `one touch ends a verification, and the next needs a stop and a start`() throws {
    let world = try FprintWorld()
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart no-finger") == "error InvalidFingername")
    #expect(try client.call("VerifyStart") == "ok")
    try client.line(with: "signal PropertiesChanged net.reactivated.Fprint.Device {'finger-needed': True}")
    try client.line(with: "signal VerifyFingerSelected any")
    try world.scene.reader.scan("wrong")
    try client.line(with: "signal VerifyStatus verify-no-match True")
    try client.line(with: "signal PropertiesChanged net.reactivated.Fprint.Device {'finger-needed': False}")
    #expect(try client.call("VerifyStart any") == "error AlreadyInUse")
    #expect(try client.call("VerifyStop") == "ok")
    #expect(try client.call("VerifyStop") == "error NoActionInProgress")
    #expect(try client.call("VerifyStart any") == "ok")
    try world.scene.reader.scan("right")
    try client.line(with: "signal VerifyStatus verify-match True")
    #expect(try client.call("VerifyStop") == "ok")
    try world.scene.daemon.awaitStrikes(0)
  }

  @Test func `what a touch was is told to the claimer, and to nobody else who listens`() throws {
    let world = try FprintWorld()
    let (client, listener) = (try world.client(), try world.client(as: FprintWorld.nobody))
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart right-index-finger") == "ok")
    try world.scene.reader.scan("right")
    try client.line(with: "signal VerifyStatus verify-match True")
    // What was sent before an answer has come before it.
    _ = try listener.call("GetAll")
    #expect(try listener.call("heard") == "PropertiesChanged")
  }

  @Test(arguments: [
    (0, "verify-retry-scan"), (1, "verify-swipe-too-short"), (2, "verify-finger-not-centered"), (3, "verify-remove-and-retry"),
  ])
  func `a poor scan has its word, and is not the end`(reason: Int, word: String) throws {
    let world = try FprintWorld()
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart any") == "ok")
    try world.scene.reader.poorScan(reason)
    try client.line(with: "signal VerifyStatus \(word) False")
    try world.scene.reader.scan("right")
    try client.line(with: "signal VerifyStatus verify-match True")
  }

  @Test func `a finger that is named is the only one that matches`() throws {
    let world = try FprintWorld()
    try world.scene.daemon.enroll(.leftThumb, as: "left", on: world.scene.reader)
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart right-thumb") == "error NoEnrolledPrints")
    #expect(try client.call("VerifyStart left-thumb") == "ok")
    try client.line(with: "signal VerifyFingerSelected left-thumb")
    try world.scene.reader.scan("right")
    try client.line(with: "signal VerifyStatus verify-no-match True")
    #expect(try client.call("VerifyStop") == "ok")
    #expect(try client.call("VerifyStart left-thumb") == "ok")
    try world.scene.reader.scan("left")
    try client.line(with: "signal VerifyStatus verify-match True")
  }

  @Test func `asked for any finger, a reader that compares with one at a time names it, and the next after a miss`() throws {
    let world = try FprintWorld()
    try world.scene.daemon.enroll(.rightMiddleFinger, as: "middle", on: world.scene.reader)
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    for (finger, scan, word) in [
      ("right-index-finger", "wrong", "verify-no-match"), ("right-middle-finger", "middle", "verify-match"),
      ("right-middle-finger", "middle", "verify-match"),
    ] {
      #expect(try client.call("VerifyStart any") == "ok")
      try client.line(with: "signal VerifyFingerSelected \(finger)")
      try world.scene.reader.scan(scan)
      try client.line(with: "signal VerifyStatus \(word) True")
      #expect(try client.call("VerifyStop") == "ok")
    }
  }

  @Test func `where nobody touches the reader in time, it is asked for again, and nothing is charged`() throws {
    let world = try FprintWorld(configuration: "[service fprint]\nfinger_timeout = 1s\n")
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart any") == "ok")
    try world.scene.daemon.awaitLog("verdict=biometryNotAvailable")
    // A touch between two scans is lost, as it would be at any reader.
    try wait(for: "a match") {
      try? world.scene.reader.scan("right")
      return (try? client.line(with: "signal VerifyStatus verify-match True", within: 300)) != nil
    }
    try world.scene.daemon.awaitStrikes(0)
  }

  @Test func `a verification releases nothing, and the history says what it was`() throws {
    let world = try FprintWorld()
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart any") == "ok")
    try world.scene.reader.scan("right")
    try client.line(with: "signal VerifyStatus verify-match True")
    let log = try world.scene.daemon.awaitLog("authenticated method=fingerprint")
    #expect(log.contains("service=fprint") && !log.contains("token"))
  }

  // MARK: Who asks

  @Test func `nobody but root asks about another user, and root of the bus has none of root's rights`() throws {
    let world = try FprintWorld()
    let user = world.scene.daemon.user
    let stranger = try world.client(as: FprintWorld.nobody)
    for method in ["ListEnrolledFingers \(user)", "Claim \(user)", "DeleteEnrolledFingers \(user)"] {
      #expect(try stranger.call(method) == "error PermissionDenied", "\(method)")
    }
    #expect(try stranger.call("ListEnrolledFingers") == "error NoEnrolledPrints")
    let root = try world.client()
    #expect(try root.call("ListEnrolledFingers \(user)") == "ok ['right-index-finger']")
    #expect(try root.call("Claim \(user)") == "ok")
    // Without a polkit, too.
    for method in ["EnrollStart left-thumb", "DeleteEnrolledFinger right-index-finger", "DeleteEnrolledFingers2"] {
      #expect(try root.call(method) == "error PermissionDenied", "\(method)")
    }
    #expect(try root.call("ListEnrolledFingers") == "ok ['right-index-finger']")
  }

  @Test func `who is not at the reader can neither claim it nor verify`() throws {
    let client = try FprintWorld(configuration: "finger_for = own").client()
    #expect(try client.call("Claim") == "error PermissionDenied")
    #expect(try client.call("ListEnrolledFingers") == "ok ['right-index-finger']")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to become another user"))
  func `signet-fprint needs no rights, and has none of its own`() throws {
    let world = try FprintWorld(uid: 1)
    let client = try world.client()
    #expect(try client.call("ListEnrolledFingers") == "ok ['right-index-finger']")
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart any") == "ok")
    try world.scene.reader.scan("right")
    try client.line(with: "signal VerifyStatus verify-match True")
    let stranger = try world.client(as: FprintWorld.nobody)
    #expect(try stranger.call("ListEnrolledFingers \(world.scene.daemon.user)") == "error PermissionDenied")
  }

  @Test func `what is no call of the interface is refused, and harms nobody`() throws {
    let client = try FprintWorld().client()
    let errors = "org.freedesktop.DBus.Error."
    for (call, error) in [
      ("/Device/0 .Device Claim 1", "InvalidArgs"), ("/Device/0 .Device Release 1", "InvalidArgs"),
      ("/Device/0 .Device GetDevices", "UnknownMethod"), ("/Device/0 .Device Claim2", "UnknownMethod"),
      ("/Manager .Device Claim", "UnknownMethod"), ("/Manager .Manager Claim", "UnknownMethod"),
      ("/Device .Device Claim", "UnknownMethod"), ("/Elsewhere .Manager GetDevices", "UnknownObject"),
      ("/Device/0 .Elsewhere Claim", "UnknownMethod"),
    ] {
      #expect(try client.call("raw \(call)") == "error \(errors)\(error)", "\(call)")
    }
    #expect(try client.call("ListEnrolledFingers \(String(repeating: "x", count: 300))").hasPrefix("error "))
    #expect(try client.call("ListEnrolledFingers") == "ok ['right-index-finger']")
  }

  @Test func `a client that asks without end has its share, and others theirs`() throws {
    let world = try FprintWorld()
    let (hostile, other) = (try world.client(as: FprintWorld.nobody), try world.client())
    try hostile.say("flood ListEnrolledFingers 500")
    #expect(try other.call("ListEnrolledFingers") == "ok ['right-index-finger']")
    #expect(try other.call("Claim") == "ok")
    #expect(try hostile.answer(to: "flood") == "ok True")
  }

  // MARK: The process

  @Test func `it ends where nobody needs it, and not while somebody has a claim`() throws {
    let world = try FprintWorld(idleExit: 1)
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(throws: (any Error).self) { try world.service.waitForExit(within: 2_500) }
    #expect(try client.call("Release") == "ok")
    #expect(try world.service.waitForExit() == 0)
  }

  @Test func `it ends with the bus`() throws {
    let world = try FprintWorld()
    _ = try world.client()
    try world.bus.end()
    #expect(try world.service.waitForExit() == 1)
  }

  @Test func `a signetd that is gone is an error at once, and no match`() throws {
    let world = try FprintWorld()
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    #expect(try client.call("VerifyStart any") == "ok")
    world.scene.daemon.end(SIGKILL)
    try client.line(with: "signal VerifyStatus verify-unknown-error True")
    #expect(try client.call("VerifyStop") == "ok")
    #expect(try client.call("VerifyStart any") == "error Internal")
    #expect(try client.call("ListEnrolledFingers") == "error Internal")
  }
}
