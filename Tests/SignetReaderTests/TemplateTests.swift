import SignetTestKit
import SignetWire
import Testing

/// Templates that are cut, changed or another reader's: refused or harmless, and never a crash.
@Suite struct TemplateTests {
  @Test func `a template that is cut anywhere is unusable`() throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments, standardError: .discarded)
    try channel.open(reader)
    let template = try channel.enroll(SyntheticFinger(seed: 1), on: reader)
    var random = SeededGenerator(seed: 1)
    let cuts = (1...16).map { $0 } + (0..<64).map { _ in Int.random(in: 17..<template.count, using: &random) }
    try channel.load(cuts.map { [UInt8](template[..<$0]) })
    try channel.send(.identify(operation: 10))
    try channel.expectFailure(.unusableTemplate, operation: 10)
    try channel.finish()
  }

  @Test func `another finger is a miss among a thousand changed templates of an image reader`() throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments, standardError: .discarded)
    try channel.open(reader)
    let template = try channel.enroll(SyntheticFinger(seed: 1), on: reader)
    try channel.load([template] + changed(template, times: 1000))
    let verdict = try channel.identify(SyntheticFinger(seed: 2).impression(0), on: reader, operation: 10)
    #expect(verdict == .miss(operation: 10))
    try channel.finish()
  }

  @Test func `another finger is a miss among a thousand changed templates of a storage reader`() throws {
    let reader = try VirtualReader(.storage)
    let channel = try ReaderChannel(reader.arguments, standardError: .discarded)
    let template = try channel.enroll("thumb", on: reader)
    try channel.load([template] + changed(template, times: 1000))
    #expect(try channel.identify("another", on: reader, operation: 10) == .miss(operation: 10))
    #expect(try channel.identify("thumb", on: reader, operation: 11) == .match(operation: 11, index: 0))
    try channel.finish()
  }

  @Test func `another reader's template is unusable`() throws {
    let device = try VirtualReader(.device)
    let storage = try VirtualReader(.storage)
    let image = try VirtualReader(.image)
    let channel = try ReaderChannel(
      device.arguments + storage.arguments + image.arguments, standardError: .discarded)
    let template = try channel.enroll("alice", on: device)
    for (operation, reader) in [(10 as UInt32, storage), (20, image)] {
      try channel.open(reader, operation: operation)
      try channel.load([template])
      try channel.send(.identify(operation: operation + 1))
      try channel.expectFailure(.unusableTemplate, operation: operation + 1)
      try channel.send(.deletePrint(operation: operation + 2, ClearTemplate(template)))
      guard case .failed(operation + 2, .unusableTemplate, _) = try channel.next() else {
        Issue.record("deleted by another reader's template")
        return
      }
    }
  }

  /// Copies in which one to four bytes are others.
  private func changed(_ template: [UInt8], times: Int) -> [[UInt8]] {
    var random = SeededGenerator(seed: 2)
    return (0..<times).map { _ in
      var copy = template
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        copy[Int.random(in: copy.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      return copy
    }
  }
}
