import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A reader whose USB traffic libfprint's project has recorded; umockdev-run(1) replays it to signet-reader's own code.
struct Recording {
  /// The folder of recordings, as `make test RECORDINGS=` names it: one folder a reader, with `device` and a `.pcapng` or
  /// `.ioctl` file, as in libfprint's tests/.
  static let folder: String? = {
    guard let name = getenv("SIGNET_RECORDINGS").map({ String(cString: $0) }), !name.isEmpty else { return nil }
    return name
  }()

  /// The recorded readers in the folder, by name.
  static let names: [String] = {
    guard let folder, let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if access("\(folder)/\(name)/device", R_OK) == 0 { names.append(name) }
    }
    return names.sorted()
  }()

  static let reasonToSkip: Comment = "SIGNET_RECORDINGS names no folder of recordings (make test RECORDINGS=FOLDER)"

  let name: String

  private var folder: String { "\(Recording.folder ?? "")/\(name)" }

  /// Starts signet-reader on the recorded reader.
  func start() throws -> ReaderChannel {
    // libusb complains about umockdev's descriptors, line after line.
    try ReaderChannel(["--emulation"], launcher: launcher(), environment: ["PATH=/usr/bin:/bin"], standardError: .discarded)
  }

  /// The same as words of a shell.
  func command() throws -> [String] { try launcher() + [ReaderChannel.program("signet-reader"), "--emulation"] }

  private func launcher() throws -> [String] { try ["umockdev-run", "-d", "\(folder)/device"] + replay() + ["--"] }

  /// A USB capture belongs to the device's path in /sys, an ioctl recording to its node in /dev: both are named in the
  /// first lines.
  private func replay() throws -> [String] {
    for capture in ["capture", "custom"] {
      if access("\(folder)/\(capture).pcapng", R_OK) == 0 {
        let device = try firstLine(of: "\(folder)/device", after: "P: ")
        return ["-p", "/sys\(device)=\(folder)/\(capture).pcapng"]
      }
      if access("\(folder)/\(capture).ioctl", R_OK) == 0 {
        let node = try firstLine(of: "\(folder)/\(capture).ioctl", after: "@DEV ")
        return ["-i", "\(node)=\(folder)/\(capture).ioctl"]
      }
    }
    throw TestKitError("no recording in \(folder)")
  }

  private func firstLine(of path: String, after start: String) throws -> Substring {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw TestKitError("\(path) cannot be read") }
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = read(file, &buffer, buffer.count)
    let line = String(decoding: buffer[..<max(0, count)].prefix { $0 != 10 }, as: UTF8.self)
    guard line.hasPrefix(start) else { throw TestKitError("\(path) does not begin with \(start)") }
    return line.dropFirst(start.count)
  }
}

extension ReaderChannel {
  /// The one reader of a recording.
  func onlyReader() throws -> ReaderDescription {
    try send(.list(operation: 1))
    guard case .reader(1, let description) = try next() else { throw TestKitError("no driver took the recorded reader") }
    #expect(try next() == .listed(operation: 1))
    return description
  }

  func open(_ reader: ReaderDescription) throws {
    try send(.open(operation: 2, reader: reader.identifier))
    #expect(try next() == .opened(operation: 2))
  }

  /// Sends a command whose whole answer is `idle`.
  func perform(_ command: ReaderCommand, operation: UInt32) throws {
    try send(command)
    #expect(try next() == .idle(operation: operation))
  }

  /// Enrolls the recorded finger; the template and how many poor scans there were.
  func enrollRecordedFinger(stages: UInt8) throws -> (template: ClearTemplate, poorScans: Int) {
    try send(.enroll(operation: 3))
    #expect(try next() == .armed(operation: 3))
    var completed: [UInt8] = []
    var poorScans = 0
    while true {
      switch try next() {
      case .enrollStage(3, let stage): completed.append(stage)
      case .poorScan(3, _): poorScans += 1
      case .enrolled(3, let template):
        #expect(completed == Array(1...stages))
        #expect(try next() == .idle(operation: 3))
        return (template, poorScans)
      case let event: throw TestKitError("while enrolling: \(event)")
      }
    }
  }

  func matchRecordedFinger(operation: UInt32) throws {
    try send(.identify(operation: operation))
    // A recorded finger may be there before a driver that never says that it needs one counts as armed.
    var event = try next()
    if event == .armed(operation: operation) { event = try next() }
    #expect(event == .match(operation: operation, index: 0))
    #expect(try next() == .idle(operation: operation))
  }

  func finish() throws {
    closeChannel()
    #expect(try waitForExit() == 0)
  }
}
