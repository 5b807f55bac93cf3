import Glibc
import SignetScenarios
import SignetTestKit
import Testing

/// The same fault over and over: nothing adds up.
@Suite struct EnduranceTests {
  private func descriptors(of pid: pid_t) throws -> Int { try RawFile.names(in: "/proc/\(pid)/fd").count }

  @Test func `a hundred replugs in mid-scan are each told and recovered from, and leave nothing behind`() throws {
    let scene = try Scene(enrolls: false)
    let stage = Stage(socket: scene.daemon.socket, hand: VirtualHand(scene))
    let first = try Scenario.unplug.play(on: stage)
    try #require(first.outcome == .passed, "\(first.detail)")
    let before = try descriptors(of: scene.daemon.pid)
    for number in 1...100 {
      let result = try Scenario.unplug.play(on: stage)
      guard result.outcome == .passed else {
        Issue.record("replug \(number): \(result.detail)")
        return
      }
    }
    #expect(try descriptors(of: scene.daemon.pid) <= before + 2)
    #expect(try ProcessLook(scene.daemon.pid).children(named: "signet-reader").count <= 1)
    #expect(scene.daemon.strikesOnDisk == 0)
  }
}
