import Glibc
import SignetTestKit
import Testing

/// Random sequences of everything that can happen, run against the real lockout and a reference that knows the promises only.
/// A failure prints the seed and the fewest events that show it; SIGNET_MODEL_SEED runs a seed again.
@Suite struct ModelTests {
  private static let seed = getenv("SIGNET_MODEL_SEED").flatMap { UInt64(String(cString: $0)) } ?? .random(in: .min ... .max)

  private func run(sequences: Int, of length: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<sequences {
      let events = Event.random(1 + Int(generator.next() % UInt64(length)), from: &generator)
      guard let failure = broken(by: events) else { continue }
      let fewest = shrunk(Array(events.prefix(failure.at + 1))) { broken(by: $0) != nil }
      Issue.record("seed \(Self.seed): \(broken(by: fewest)?.promise ?? failure.promise): \(fewest)")
      return
    }
  }

  @Test(arguments: [UInt64(0), 1]) func `no sequence of events walks around five strikes`(half: UInt64) {
    print("model: seed \(Self.seed), 50000 sequences (half \(half))")
    run(sequences: 50_000, of: 120, seed: Self.seed &+ half)
  }

  @Test func `nor do tens of thousands of events in a row`() {
    run(sequences: 20, of: 50_000, seed: Self.seed &+ 2)
  }

  @Test func `a lockout that forgets strikes in a crash is found, and shrunk to what shows it`() throws {
    var generator = SeededGenerator(seed: 1)
    let forgets = { (events: [Event]) in broken(by: events, machine: ModelledMachine(forgetsStrikesInCrashes: true)) != nil }
    let found = (0..<1000).lazy.map { _ in Event.random(120, from: &generator) }.first(where: forgets)
    let fewest = shrunk(try #require(found), forgets)
    #expect(forgets(fewest))
    for index in fewest.indices {
      var fewer = fewest
      fewer.remove(at: index)
      #expect(!forgets(fewer), "\(fewest[index]) can be left out")
    }
  }
}
