import Foundation
import SignetTestKit
import SignetVocabulary
import Synchronization
import Testing

/// Eight logins of one user want the one reader, again and again.
@Suite struct EightAskersTests {
  private struct Outcome {
    var served = 0
    /// How often one was told that the reader is taken. How soon is measured by `make bench`.
    var told = 0
    var problems: [String] = []
  }

  /// One login that asks until it is served, so many times.
  private static func ask(_ scene: Scene, times: Int) -> Outcome {
    var outcome = Outcome()
    let deadline = PAMHost.microseconds() + 120_000_000
    while outcome.served < times, PAMHost.microseconds() < deadline {
      do {
        let client = try scene.daemon.connect()
        try client.authenticate(scene.daemon.user)
        switch try client.next() {
        case .show(.touchReader, _, _):
          try scene.reader.scan("right")
          guard try client.next().isSuccess else { throw TestKitError("the right finger was no success") }
          outcome.served += 1
        case .show(.readerBusy, _, _):
          outcome.told += 1
          guard try client.next() == .askPasscode(.readerUnavailable) else { throw TestKitError("no passcode was asked for") }
          try client.cancel()
        case let reply: throw TestKitError("\(reply)")
        }
      } catch {
        outcome.problems.append("\(error)")
        if outcome.problems.count > 3 { return outcome }
      }
    }
    return outcome
  }

  @Test func `one is served, the others are told at once, and over a thousand rounds each gets its turn`() throws {
    let (askers, rounds) = (8, 125)
    nonisolated(unsafe) let scene = try Scene()
    let outcomes = Mutex<[Outcome]>([])
    let threads = (0..<askers).map { _ in
      Thread {
        let outcome = EightAskersTests.ask(scene, times: rounds)
        outcomes.withLock { $0.append(outcome) }
      }
    }
    for thread in threads { thread.start() }
    try wait(for: "the askers", within: 180_000) {
      outcomes.withLock { $0.count } == askers
    }
    let all = outcomes.withLock { $0 }
    #expect(all.flatMap(\.problems) == [])
    #expect(all.allSatisfy { $0.served == rounds }, "\(all.map(\.served))")
    #expect(all.map(\.told).reduce(0, +) > 100)
    // What a cancel gives back comes a moment after its verdict.
    try scene.daemon.awaitStrikes(0)
  }
}
