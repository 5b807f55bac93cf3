import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

// Steps that most tests take.
extension ReaderChannel {
  func open(_ reader: VirtualReader, operation: UInt32 = 1) throws {
    try send(.open(operation: operation, reader: reader.identifier))
    #expect(try next() == .opened(operation: operation))
  }

  /// Opens the reader and enrolls this finger with five good scans.
  func enroll(_ finger: String, on reader: VirtualReader, operation: UInt32 = 2) throws -> [UInt8] {
    try open(reader)
    try send(.enroll(operation: operation))
    #expect(try next() == .armed(operation: operation))
    for stage: UInt8 in 1...5 {
      try reader.scan(finger)
      #expect(try next() == .enrollStage(operation: operation, completed: stage))
    }
    let event = try next()
    guard case .enrolled(operation, let template) = event else { throw TestKitError("not enrolled: \(event)") }
    #expect(try next() == .idle(operation: operation))
    return template.array
  }

  func load(_ templates: [[UInt8]]) throws {
    for template in templates { try send(.template(operation: 0, ClearTemplate(template))) }
  }

  /// Arms the reader, puts this finger on it and returns the verdict, once the reader is idle again.
  func identify(_ finger: String, on reader: VirtualReader, operation: UInt32) throws -> ReaderEvent {
    try send(.identify(operation: operation))
    #expect(try next() == .armed(operation: operation))
    try reader.scan(finger)
    let verdict = try next()
    #expect(try next() == .idle(operation: operation))
    return verdict
  }
}

// The same on a reader that takes pictures.
extension ReaderChannel {
  /// Enrolls five impressions of a finger on the open reader.
  func enroll(_ finger: SyntheticFinger, on reader: VirtualReader, operation: UInt32 = 2) throws -> [UInt8] {
    try enroll(five: { finger.impression($0) }, on: reader, operation: operation)
  }

  func enroll(five image: (Int) -> PrintImage, on reader: VirtualReader, operation: UInt32 = 2) throws -> [UInt8] {
    try send(.enroll(operation: operation))
    #expect(try next() == .armed(operation: operation))
    for stage: UInt8 in 1...5 {
      try reader.present(image(Int(stage) - 1))
      #expect(try next() == .enrollStage(operation: operation, completed: stage))
    }
    let event = try next()
    guard case .enrolled(operation, let template) = event else { throw TestKitError("not enrolled: \(event)") }
    #expect(try next() == .idle(operation: operation))
    return template.array
  }

  func identify(_ image: PrintImage, on reader: VirtualReader, operation: UInt32) throws -> ReaderEvent {
    try send(.identify(operation: operation))
    #expect(try next() == .armed(operation: operation))
    try reader.present(image)
    let verdict = try next()
    #expect(try next() == .idle(operation: operation))
    return verdict
  }
}

// Events that end a thing.
extension ReaderChannel {
  /// Expects this failure, and then that the reader is idle.
  func expectFailure(_ expected: ReaderFailure, operation: UInt32, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let event = try next()
    guard case .failed(operation, let failure, _) = event, failure == expected else {
      Issue.record("not failed(\(expected)): \(event)", sourceLocation: sourceLocation)
      return
    }
    #expect(try next() == .idle(operation: operation), sourceLocation: sourceLocation)
  }

  /// Ends the channel and expects a clean exit.
  func finish(sourceLocation: SourceLocation = #_sourceLocation) throws {
    closeChannel()
    #expect(try waitForExit() == 0, sourceLocation: sourceLocation)
  }
}
