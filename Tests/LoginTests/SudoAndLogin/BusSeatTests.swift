import Foundation
import Glibc
import SignetTestKit
import Testing

/// Who sits at the reader, and programs on the bus that know fprintd: none of them keeps the reader from the seat.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "only root can make a mount namespace with files of its own"),
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
final class `The bus and the seat` {
  private let world: World
  private let folder: String
  private let programs: [Program]
  private let address: String

  init() throws {
    world = try World()
    try world.becomeShared()
    try world.enroll()
    folder = try makeTemporaryFolder("bus")
    chmod(folder, 0o711)
    address = "unix:path=\(folder)/bus"
    try PrivateBus.configuration(address).write(toFile: folder + "/bus.conf", atomically: false, encoding: .utf8)
    let lines = try Lines()
    let bus = try Program(
      world.inside(["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"]),
      environment: ["PATH=/usr/bin:/bin"], descriptors: [1: lines.writer])
    try lines.read(until: "unix:path=")
    let service = try Program(
      world.inside([try ReaderChannel.program("signet-fprint"), "--bus", address]), environment: ["PATH=/usr/bin:/bin"],
      descriptors: [2: 2])
    programs = [bus, service]
  }

  deinit { removeTree(folder) }

  private func client(as user: String = World.user, from place: SessionLocation) throws -> PseudoTerminal {
    let script = #filePath.split(separator: "/LoginTests/")[0] + "/SignetFprintTests/bus_client.py"
    let client = try world.run(["/usr/bin/python3", "-B", String(script), address], as: user, from: place)
    try client.read(until: "ready")
    try wait(for: "signet-fprint to have its name") {
      client.type("GetDefaultDevice\n")
      return (try? client.read(until: "GetDefaultDevice ok", within: 1_000)) != nil
    }
    return client
  }

  private func expect(_ call: String, _ answer: String, of client: PseudoTerminal) throws {
    client.type(call + "\n")
    try client.read(until: "\(call.split(separator: " ")[0]) \(answer)")
  }

  @Test func `whoever comes to the seat takes the device from one who went to the background`() throws {
    let (owner, beside) = (try client(from: .atTheMachine), try client(from: .desktop))
    let other = try client(as: World.other, from: .ofAnother)
    try expect("Claim", "ok", of: owner)
    try expect("VerifyStart any", "ok", of: owner)
    try expect("Claim", "error AlreadyInUse", of: beside)
    try expect("Claim", "error PermissionDenied", of: other)
    try world.switchUser()
    try expect("Claim", "ok", of: other)
    try owner.read(until: "signal VerifyStatus verify-unknown-error True")
    try expect("VerifyStart", "error AlreadyInUse", of: owner)
    try expect("Claim", "error PermissionDenied", of: owner)
    try expect("Release", "ok", of: other)
  }

  @Test func `a verification without end keeps no login from the finger`() throws {
    let program = try client(from: .desktop)
    try expect("Claim", "ok", of: program)
    try expect("VerifyStart any", "ok", of: program)
    let sudo = try world.run(["sudo", "id", "-un"], from: .atTheMachine)
    try sudo.read(until: "or enter your passcode: ")
    try program.read(until: "signal VerifyStatus verify-disconnected True")
    try world.reader.scan("right")
    try sudo.readToEnd()
    #expect(try sudo.waitForExit() == 0)
  }
}
