import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A user who changes their mind: on each recorded reader, a scan is cancelled as soon as it is armed. The recordings know nothing
/// of a cancel, so that some drivers wait for an answer until their time-out: 1 s for Goodix, 4 s for UPEK, 5 s for Synaptics and
/// DigitalPersona.
@Suite(.enabled(if: Recording.folder != nil, Recording.reasonToSkip), .serialized)
struct CancelTests {
  /// The readers of the folder. Match-on-chip recordings begin with another operation; there the enrolling is cancelled.
  static let names: [String] = Recording.names

  /// A recorded finger that is down from the beginning may be scanned before the cancel comes: then once more.
  @Test(arguments: names) func `a scan that is cancelled when it is armed ends without a finger`(name: String) throws {
    for _ in 1...10 { if try isCancelled(name) { return } }
    Issue.record("the recorded finger was always faster than the cancel")
  }

  static let chips = [("elanmoc", ReaderFailure.cancelledUnseen), ("goodixmoc", .cancelled), ("synaptics", .cancelled)]

  /// Nothing of the recording is played: its chip waits for ever, as one does that no finger comes to.
  @Test(arguments: chips.filter { names.contains($0.0) })
  func `a chip's scan that is cancelled says whether a finger would have been told of`(
    name: String, failure: ReaderFailure
  ) throws {
    let channel = try Recording(name: name).start()
    let reader = try channel.onlyReader()
    try channel.open(reader)
    try channel.send(.template(operation: 0, nobodysChipTemplate(for: reader)))
    try channel.send(.identify(operation: 11))
    #expect(try channel.nextOfAll() == .armed(operation: 11))
    try channel.send(.cancel(operation: 11))
    guard case .failed(11, failure, _) = try channel.nextOfAll() else { throw TestKitError("not \(failure)") }
    #expect(try channel.nextOfAll() == .idle(operation: 11))
    channel.closeChannel()
  }

  private func isCancelled(_ name: String) throws -> Bool {
    let channel = try Recording(name: name).start()
    let reader = try channel.onlyReader()
    try channel.open(reader)
    if name == "synaptics" || name == "goodixmoc" { try channel.perform(.clearStorage(operation: 10), operation: 10) }
    if reader.hasStorage {
      try channel.send(.enroll(operation: 11))
    } else {
      try channel.send(.template(operation: 0, nobodysTemplate(for: reader)))
      try channel.send(.identify(operation: 11))
    }
    // ELAN's driver never says that it needs a finger, and the recorded one is there at once.
    if reader.driver != "elanmoc" { #expect(try channel.nextOfAll() == .armed(operation: 11)) }
    try channel.send(.cancel(operation: 11))
    let event = try channel.nextOfAll()
    defer { channel.closeChannel() }
    guard case .failed(11, .cancelled, _) = event else { return false }
    // The recorded finger may come while the driver ends.
    var end = try channel.nextOfAll()
    while [.finger(operation: 11), .fingerOff(operation: 11)].contains(end) { end = try channel.nextOfAll() }
    #expect(end == .idle(operation: 11))
    return true
  }
}
