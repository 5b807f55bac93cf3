import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Recorded readers that send something else than they did, or nothing more: a login never succeeds by it, is answered, and the next
/// one on the sound reader works. Where the replay itself gives up on a damaged recording, the reader's process ends: that is a
/// reader that is gone, and nothing is said about its driver.
@Suite(.enabled(if: Recording.folder != nil, Recording.reasonToSkip), .serialized)
struct DamagedReaderTests {
  /// More of them: SIGNET_SEEDS.
  static let seeds: UInt64 = getenv("SIGNET_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 2

  struct Case: CustomTestStringConvertible, Sendable {
    var name: String
    var damage: DamagedRecording.Damage
    var seed: UInt64
    var testDescription: String { "\(name), \(damage), seed \(seed)" }
  }

  static func cases(_ names: [String]) -> [Case] {
    names.flatMap { name in
      DamagedRecording.Damage.allCases.flatMap { damage in (1...seeds).map { Case(name: name, damage: damage, seed: $0) } }
    }
  }

  /// Signetd on a recording that is damaged at first.
  private struct World {
    let scene: Scene
    let sound: Recording
    private let link: String

    init(_ test: Case, habits: [String]) throws {
      sound = Recording(name: test.name)
      scene = try Scene(enrolls: false)
      link = scene.daemon.folder + "/recording"
      let damaged = scene.daemon.folder + "/damaged"
      var damage = DamagedRecording(test.damage, seed: test.seed)
      try damage.write(sound, to: damaged)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: damaged)
      try scene.play(Recording(name: test.name, in: link), habits)
    }

    /// From now on it is as it was recorded; with a new process, for a recording begins anew with one.
    func mend() throws {
      try FileManager.default.removeItem(atPath: link)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: sound.folder)
      for pid in try ProcessLook(scene.daemon.pid).children(named: "python3") { kill(pid, SIGKILL) }
      try scene.awaitNoChild(named: "python3")
    }
  }

  /// How a login went that waits so many seconds for a finger: misses end it, as everything does that is no success.
  private func login(_ daemon: RunningDaemon, timeout: UInt16) throws -> LoginClient.Reply {
    let client = try daemon.connect()
    try client.authenticate(daemon.user, policy: .deviceOwnerAuthenticationWithBiometrics, timeout: timeout)
    var last = try client.next()
    while case .show(let prompt, _, _) = last, prompt != .notRecognised { last = try client.next() }
    if case .show = last {
      try client.cancel()
      // The reader that fell silent may be given up, or the time be over, before the cancel arrives.
      #expect(try client.verdict().verdict != .success)
    }
    return last
  }

  @Test(arguments: cases(RecordedReaderTests.pictures))
  func `a damaged picture lets nobody in, and the sound reader works afterwards`(test: Case) throws {
    let world = try World(test, habits: ["again"])
    let channel = try world.sound.start()
    let reader = try channel.onlyReader()
    channel.closeChannel()
    _ = try channel.waitForExit()
    try world.scene.seal(try nobodysTemplate(for: reader), of: reader)
    let daemon = world.scene.daemon

    let last = try login(daemon, timeout: 2)
    // A miss, as many poor scans as are allowed, or a reader that is gone.
    let isMiss = last == .show(.notRecognised, value: 2, detail: "") || last.verdict == .authenticationFailed
    #expect(isMiss || last.verdict == .biometryNotAvailable, "\(last)")
    // After a miss the next scan is charged, too, until its cancel has come to its end.
    #expect((0...2).contains(try #require(daemon.strikesOnDisk)))

    try world.mend()
    let deadline = PAMHost.microseconds() + 120_000_000
    // On a busy machine the replay of a whole scan takes its time.
    var next = try login(daemon, timeout: 30)
    // Until the reader that hangs is given up somebody has it.
    while next.verdict == .biometryNotAvailable, !daemon.loggedSoFar.contains("poor scan"), PAMHost.microseconds() < deadline {
      next = try login(daemon, timeout: 30)
    }
    let isPoor = daemon.loggedSoFar.contains("poor scan")
    if case .show(.notRecognised, _, _) = next {} else { #expect(isPoor, "\(next)\n\(daemon.loggedSoFar)") }
  }
}
