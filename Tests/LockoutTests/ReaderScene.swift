import SignetTestKit

/// A user with an enrolled finger before a real signetd, whose reader a test plays.
final class ReaderScene {
  let scene: Scene
  let reader: ScriptedReader

  var daemon: RunningDaemon { scene.daemon }
  var strikes: Int? { daemon.strikesOnDisk }

  init() throws {
    scene = try Scene()
    reader = try ScriptedReader(scene)
  }

  /// A login whose reader is armed, and the number of its scan.
  func login(timeout: UInt16 = 20, service: String = "test") throws -> (client: LoginClient, scan: UInt32) {
    for _ in 1...20 {
      let client = try daemon.connect()
      try client.authenticate(daemon.user, timeout: timeout, service: service)
      // The last login may hold the reader for a moment still.
      guard let scan = try reader.nextScan(within: 5_000), (try? client.awaitArmed()) != nil else { continue }
      return (client, scan)
    }
    throw TestKitError("signetd asks for no scan")
  }

  /// Five misses in two logins: locked.
  func lock() throws {
    for misses in [3, 2] {
      var (client, scan) = try login()
      for number in 1...misses {
        try reader.send(.miss(operation: scan))
        if number < misses { scan = try reader.awaitScan() }
      }
      guard case .askPasscode = try client.afterShowing() else { throw TestKitError("no passcode is asked for") }
      try client.cancel()
      _ = try client.next()
    }
    guard strikes == 5 else { throw TestKitError("\(strikes ?? -1) strikes after five misses") }
  }
}
