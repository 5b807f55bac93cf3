import Foundation
import Glibc
import SignetTestKit

/// The system's bus and polkitd, in a world.
final class PolkitHost {
  private var programs: [Program] = []

  /// Whether what it needs is installed.
  static let isComplete = [
    "/usr/bin/pkexec", "/usr/bin/pkttyagent", "/usr/lib/polkit-1/polkitd", "/usr/bin/dbus-daemon", "/usr/bin/gdbus",
  ].allSatisfy { (path: String) in access(path, X_OK) == 0 }

  init(in world: World) throws {
    // polkit takes the user for an administrator.
    try "polkit.addAdminRule(function() { return [\"unix-user:\(World.user)\"]; });".write(
      toFile: world.root + "/etc/polkit-1/rules.d/00-test.rules", atomically: false, encoding: .utf8)
    guard mkdir(world.root + "/run/dbus", 0o755) == 0 else { throw TestKitError("no folder for the bus: \(errno)") }
    let bus = try Lines()
    try start(
      ["dbus-daemon", "--system", "--nofork", "--nopidfile", "--nosyslog", "--print-address"], in: world, [1: bus.writer])
    try bus.read(until: "unix:path=")
    try start(["/usr/lib/polkit-1/polkitd", "--no-debug"], in: world)
    let words = world.inside(["gdbus", "wait", "--system", "--timeout", "20", "org.freedesktop.PolicyKit1"])
    guard try Program(words, environment: PolkitHost.environment).waitForExit() == 0 else { throw TestKitError("no polkitd") }
    let script = #filePath.dropLast("PolkitHost.swift".count) + "beside-pkttyagent"
    try world.addProgram("beside-pkttyagent", String(contentsOfFile: String(script), encoding: .utf8))
  }

  private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]

  private func start(_ words: [String], in world: World, _ descriptors: [Int32: Int32] = [:]) throws {
    programs.append(try Program(world.inside(words), environment: PolkitHost.environment, descriptors: descriptors))
  }
}
