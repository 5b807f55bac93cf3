import CPAM
import Glibc
import SignetTestKit
import Testing

/// A reader that is pulled out, put back, or fails does not buy a look at a finger.
@Suite struct ReplugTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private func arm() throws -> LoginClient {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    return client
  }

  /// The lock, as the next login meets it.
  private func expectLocked() throws {
    let host = try LoginHost(scene.daemon, answers: [""])
    let run = try host.finish(presenting: ["right"], on: scene.reader)
    #expect(run.code != PAM_SUCCESS)
    #expect(run.texts.allSatisfy { !$0.isFirstPrompt }, "\(run.texts)")
  }

  @Test func `pulled out while it is armed, five times: locked`() throws {
    for number in 1...5 {
      let client = try arm()
      try scene.reader.unplug()
      #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
      #expect(scene.daemon.strikesOnDisk == number)
      // Virtual readers come back with a new process only.
      try client.cancel()
      _ = try client.next()
      try scene.restart()
    }
    try expectLocked()
  }

  @Test func `pulled out after each miss: five misses in all`() throws {
    var misses = 0
    for _ in 1...8 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      guard case .show(.touchReader, _, _) = try client.next() else { break }
      try scene.reader.scan("wrong")
      misses += 1
      _ = try client.next()
      try? scene.reader.unplug()
      _ = try client.verdict()
      try scene.restart()
    }
    // The scan that the plug ended is charged too: a finger may have been on it.
    #expect((3...5).contains(misses))
    try expectLocked()
  }

  @Test func `lost between two logins it costs nothing, and the strikes stay`() throws {
    let client = try arm()
    try scene.reader.scan("wrong")
    _ = try client.next()
    try client.cancel()
    _ = try client.next()
    try scene.daemon.awaitStrikes(1)
    try scene.signal(SIGKILL, to: "signet-reader")
    try scene.awaitNoChild(named: "signet-reader")
    let again = try arm()
    #expect(scene.daemon.strikesOnDisk == 2)
    try again.cancel()
    #expect(try again.next().verdict == .userCancel)
    try scene.daemon.awaitStrikes(1)
  }
}
