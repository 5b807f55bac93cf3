import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A reader whose USB traffic libfprint's project has recorded; umockdev-run(1) replays it to signet-reader's own code.
struct Recording {
  /// The folder of recordings, as `make test RECORDINGS=` names it: one folder a reader, with `device`, or `device-*` for each of
  /// several nodes, and a `.pcapng`, `.ioctl` or `.script` file, as in libfprint's tests/.
  static let folder: String? = {
    guard let name = getenv("SIGNET_RECORDINGS").map({ String(cString: $0) }), !name.isEmpty else { return nil }
    return name
  }()

  /// The recorded readers in the folder, by name.
  static let names: [String] = {
    guard let folder else { return [] }
    return entries(of: folder).filter { Recording(name: $0, in: "\(folder)/\($0)").isWhole }.sorted()
  }()

  /// Folders beside them that are none, by name. What else lies in a checkout's `tests/` are files.
  static let passedOver: [String] = {
    guard let folder else { return [] }
    let folders = entries(of: folder).filter { !$0.hasPrefix(".") && access("\(folder)/\($0)/.", X_OK) == 0 }
    return folders.filter { !names.contains($0) }.sorted()
  }()

  private static func entries(of folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }

  static let reasonToSkip: Comment = "SIGNET_RECORDINGS names no folder of recordings (make test RECORDINGS=FOLDER)"

  let name: String
  /// Its folder.
  let folder: String

  init(name: String) {
    self.name = name
    folder = "\(Recording.folder ?? "")/\(name)"
  }

  /// One in a folder that a test has made.
  init(name: String, in folder: String) {
    self.name = name
    self.folder = folder
  }

  /// Starts signet-reader on the recorded reader.
  func start() throws -> ReaderChannel {
    // libusb complains about umockdev's descriptors, line after line.
    try ReaderChannel(["--emulation"], launcher: launcher(), environment: ["PATH=/usr/bin:/bin"], standardError: .discarded)
  }

  /// The same as words of a shell.
  func command() throws -> [String] { try launcher() + [ReaderChannel.program("signet-reader"), "--emulation"] }

  func launcher() throws -> [String] { try ["umockdev-run"] + devices() + replay() + ["--"] }

  /// Whether it is of a reader that sends pictures, and holds one touch.
  var holdsPicture: Bool { files.contains { $0.hasPrefix("capture.") } }

  /// Whether something can be replayed of it.
  var isWhole: Bool { !devices().isEmpty && (try? replay())?.isEmpty == false }

  /// What is asked of the reader between opening it and enrolling, in this order, and after that before the first look: `clear`
  /// or `list`. A checkout has that in the program that made the recording; of recordings without theirs it is known by the driver.
  var habits: (first: [String], then: [String]) {
    guard let program = try? RawFile.text("\(folder)/custom.py") else {
      return name.hasPrefix("elanmoc") ? ([], ["list"]) : name.hasPrefix("goodixmoc") ? (["clear"], ["list"]) : (["clear"], [])
    }
    let calls = program.split(separator: "\n").compactMap { line in
      ["clear_storage_sync(": "clear", "list_prints_sync(": "list", "enroll_sync(": "enroll", "verify_sync(": "look"].first {
        line.contains("." + $0.key) && !line.drop { $0 == " " }.hasPrefix("#")
      }?.value
    }
    let first = calls.prefix { $0 != "enroll" && $0 != "look" }
    return (Array(first), Array(calls.dropFirst(first.count + 1).prefix { $0 != "enroll" && $0 != "look" }))
  }

  /// The files of the folder. Some have one touch in two forms; the calls of the kernel are what the driver made then and makes now.
  /// libfprint's tests replay no `capture-recorded.ioctl` either.
  private var files: [String] {
    let files = Recording.entries(of: folder).sorted()
    guard files.contains("capture.ioctl") else { return files }
    return files.filter { !["capture.pcapng", "capture-recorded.ioctl"].contains($0) }
  }

  /// `device`, and `device-*` where the reader has several nodes, as one on SPI has.
  private func devices() -> [String] {
    files.filter { $0 == "device" || $0.hasPrefix("device-") }.flatMap { ["-d", "\(folder)/\($0)"] }
  }

  /// A USB capture belongs to the device's path in /sys; an ioctl recording (of USB, SPI or HID) and a script to their nodes in
  /// /dev. Each names in its first line what it is of, or, a capture, leaves that to `device`.
  private func replay() throws -> [String] {
    var words: [String] = []
    for file in files where !file.hasPrefix("device") {
      let path = "\(folder)/\(file)"
      if file.hasSuffix(".pcapng") {
        words += ["-p", "/sys\(try firstLine(of: "\(folder)/device", after: "P: "))=\(path)"]
      } else if file.hasSuffix(".ioctl") {
        words += ["-i", "\(try firstLine(of: path, after: "@DEV ").prefix { $0 != " " })=\(path)"]
      } else if file.hasSuffix(".script") {
        words += ["-s", "\(try firstLine(of: path, after: "d 0 ").prefix { $0 != " " })=\(path)"]
      }
    }
    guard !words.isEmpty else { throw TestKitError("no recording in \(folder)") }
    return words
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
