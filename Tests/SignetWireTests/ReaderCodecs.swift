import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

extension Codec {
  static let readerCommand = Codec(
    name: "ReaderCommand",
    echo: { bytes throws(FormatError) in
      let command = try ReaderCommand(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try command.write(into: &packet) }
    },
    samples: commands.map { command in sample { packet throws(FormatError) in try command.write(into: &packet) } })

  private static func template(_ count: Int) -> ClearTemplate {
    try! ClearTemplate(copying: [UInt8](repeating: 7, count: count).span)
  }

  private static var commands: [ReaderCommand] {
    [
      .list(operation: 0), .open(operation: 1, reader: "virtual_device:0"), .open(operation: .max, reader: text(FieldLimit.name)),
      .template(operation: 2, template(1)), .template(operation: 2, template(300)), .identify(operation: 3),
      .enroll(operation: 4), .cancel(operation: 5), .deletePrint(operation: 6, template(3)), .prune(operation: 7),
      .clearStorage(operation: 8), .close(operation: 9), .examine(operation: 10, template(3)),
      .openBeside(operation: 11, reader: "virtual_device:0"), .choose(operation: 12, index: 2),
    ]
  }

  static let readerEvent = Codec(
    name: "ReaderEvent",
    echo: { bytes throws(FormatError) in
      let event = try ReaderEvent(parsing: bytes.span)
      return try written(capacity: max(bytes.count, 1)) { packet throws(FormatError) in try event.write(into: &packet) }
    },
    samples: events.map { event in sample { packet throws(FormatError) in try event.write(into: &packet) } })

  private static var builtIn: ReaderDescription {
    var reader = description(false, "")
    reader.isBuiltIn = true
    reader.obstacle = .heldByOther
    return reader
  }

  private static var prints: [ForeignPrint] {
    let name = text(FieldLimit.name)
    return (Finger.allCases.map { $0 } + [nil]).map {
      ForeignPrint(driver: "synaptics", device: "0", finger: $0, user: "alice", reader: "synaptics:0")
    } + [ForeignPrint(driver: name, device: name, finger: nil, user: text(FieldLimit.user), reader: name)]
  }

  private static var events: [ReaderEvent] {
    [
      .reader(operation: 1, description(true, "Reader")), .reader(operation: 1, builtIn), .listed(operation: 1),
      .opened(operation: 2), .armed(operation: 3), .match(operation: 3, index: 0), .match(operation: 3, index: .max),
      .miss(operation: 3), .enrollStage(operation: 4, completed: 2), .enrolled(operation: 4, template(300)),
      .pruned(operation: 5, count: 3), .idle(operation: .max), .finger(operation: 3), .fingerOff(operation: .max),
    ] + (0...4).map { .poorScan(operation: 3, ScanRetry(rawValue: $0)!) }
      + (1...14).map { .failed(operation: 6, ReaderFailure(rawValue: $0)!, explanation: "why") }
      + prints.map { .examined(operation: 7, $0) }
  }
}
