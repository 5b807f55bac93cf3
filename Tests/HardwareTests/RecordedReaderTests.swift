import Glibc
import SignetAuthentication
import SignetScenarios
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonAccounts

/// Level 2: every recorded reader of the given folder, through signetd, signet-reader and the reader's own driver, as far as the
/// recording's order allows. What it does not allow stands in the matrix with its reason.
@Suite(.enabled(if: Recording.folder != nil, Recording.reasonToSkip), .serialized)
struct RecordedReaderTests {
  /// Recordings of one touch, and of a whole life with a finger that the reader keeps.
  static let pictures = Recording.names.filter { Recording(name: $0).holdsPicture }
  static let lives = Recording.names.filter { !Recording(name: $0).holdsPicture }

  /// A skipped test is a line of the run's report.
  @Test(
    .enabled(
      if: Recording.passedOver.isEmpty,
      Comment(rawValue: "no recordings, and passed over: " + Recording.passedOver.joined(separator: ", "))))
  func `every folder beside the recordings is one`() { #expect(!Recording.names.isEmpty) }

  private func note(_ results: [ScenarioResult], of name: String) throws {
    let missing = Scenario.all.filter { scenario in !results.contains { $0.scenario == scenario.name } }
    let holes = missing.map { scenario in
      ScenarioResult(scenario: scenario.name, outcome: .leftOut, detail: Self.reasons[scenario.name] ?? Self.otherReason)
    }
    _ = try MatrixFile.add(RunReport(level: .recorded, place: name, results: results + holes))
  }

  private static let otherReason = "the recording has no such operations in its order"
  private static let reasons = [
    "enroll": "the recording holds one picture, and enrolling takes more", "cancel": "a recording's finger races with the cancel",
    "unplug": "a replayed reader cannot be pulled out", "replug": "a replayed reader cannot be pulled out",
    "freeze": "a replay cannot be frozen at a byte", "suspend": "a recording's finger is there before the sleep is",
    "two-readers": "a recording holds one reader",
  ]

  @Test(arguments: lives) func `a reader that matches on chip enrolls, recognises and deletes through signetd`(
    name: String
  ) throws {
    let recording = Recording(name: name)
    let scene = try Scene(enrolls: false)
    let habits = recording.habits
    try scene.play(recording, habits.first + [","] + habits.then)
    let stage = Stage(socket: scene.daemon.socket, hand: RecordedHand(.enrolled))
    var results = [try Scenario.enroll.play(on: stage), try Scenario.match.play(on: stage)]
    // The second time two templates are loaded, so that the reader identifies.
    if habits.then.contains("list") { results[1] = try Scenario.match.play(on: stage) }
    for result in results { #expect(result.outcome == .passed, "\(result.detail)\n\(scene.daemon.loggedSoFar)") }
    try stage.finish()
    #expect(try stage.enrolledFingers().isEmpty)
    try note(results, of: name)
  }

  @Test(arguments: pictures) func `the driver delivers the recorded picture, pixel by pixel`(name: String) throws {
    let recording = Recording(name: name)
    let picture = try recording.picture()
    let recorded = try colourPNG(at: recording.folder + "/capture.png")
    #expect(picture.width == recorded.width && picture.height == recorded.height)
    let other = zip(picture.pixels, recorded.pixels).count { $0 != $1 }
    #expect(other == 0, "\(other) of \(recorded.pixels.count) pixels are others")
  }

  @Test(arguments: pictures) func `the recorded picture matches a template of its own, and nobody else's`(
    name: String
  ) throws {
    let recording = Recording(name: name)
    let touch = try recording.touch()
    let scene = try Scene(enrolls: false)
    try scene.play(recording, ["again"])

    var results: [ScenarioResult] = []
    if touch.canMatch {
      try scene.seal(touch.template, of: touch.reader)
      results.append(try Scenario.match.play(on: stage(in: scene, .enrolled)))
    }
    try scene.seal(try nobodysTemplate(for: touch.reader), of: touch.reader)
    let stage = stage(in: scene, touch.canMatch ? .nobodys : .tooLittle)
    for scenario in touch.canMatch ? [Scenario.misses, .lockout] : [] { results.append(try scenario.play(on: stage)) }
    for result in results {
      #expect(result.outcome == .passed, "\(result.scenario): \(result.detail)\n\(scene.daemon.loggedSoFar)")
    }
    try note(results, of: name)
  }
}

extension RecordedReaderTests {
  /// With a finger that is kept already.
  private func stage(in scene: Scene, _ finger: RecordedHand.Finger) -> Stage {
    Stage(
      socket: scene.daemon.socket, hand: RecordedHand(finger), finger: .leftThumb,
      enrollingIsRefused: Self.reasons["enroll"].map { "\($0)" })
  }
}

/// How a folder's files become a replay.
@Suite struct RecordingFormTests {
  @Test(arguments: [
    ("d.clear_storage_sync()\np = d.enroll_sync(t)\nd.verify_sync(p)\n", ["clear"], []),
    (
      "l = d.list_prints_sync()\nd.clear_storage_sync()\np = d.enroll_sync(t)\nl = d.list_prints_sync()\n", ["list", "clear"],
      ["list"]
    ),
    (
      "# d.clear_storage_sync()\np = d.enroll_sync(t)\nl = d.list_prints_sync()\nd.verify_sync(p)\nd.list_prints_sync()\n", [],
      ["list"]
    ),
  ])
  func `what is asked of a reader first is read from the program that recorded it`(
    program: String, first: [String], then: [String]
  ) throws {
    let folder = try makeTemporaryFolder("habits")
    defer { removeTree(folder) }
    try RawFile.create("\(folder)/custom.py", Array(program.utf8))
    let habits = Recording(name: "elanmoc", in: folder).habits
    #expect(habits.first == first && habits.then == then)
  }

  @Test func `of two forms of one touch one is replayed, and a reader of two nodes needs no third`() throws {
    let folder = try makeTemporaryFolder("form")
    defer { removeTree(folder) }
    let files = [
      ("device-hidraw", "P: /a"), ("device-spi", "P: /b"), ("capture.ioctl", "@DEV /dev/spidev0.0"), ("capture.pcapng", ""),
      ("capture-recorded.ioctl", "@DEV /dev/spidev0.0"),
    ]
    for (name, line) in files { try RawFile.create("\(folder)/\(name)", Array((line + "\n").utf8)) }
    let recording = Recording(name: "form", in: folder)
    #expect(recording.isWhole)
    #expect(
      try recording.launcher() == [
        "umockdev-run", "-d", "\(folder)/device-hidraw", "-d", "\(folder)/device-spi", "-i",
        "/dev/spidev0.0=\(folder)/capture.ioctl",
        "--",
      ])
    #expect(!Recording(name: "none", in: folder + "/none").isWhole)
  }

  @Test func `every form of recording in a folder is replayed, of several nodes too`() throws {
    let folder = try makeTemporaryFolder("form")
    defer { removeTree(folder) }
    for (name, line) in [
      ("device", "P: /devices/pci/usb1/1-1"), ("device-hid", "P: /devices/pci/hid"), ("device-spi", "P: /devices/pci/spi"),
      ("custom.pcapng", "\n"), ("capture.ioctl", "@DEV /dev/spidev0.0 (SPI)"), ("hid.script", "d 0 /dev/hidraw0 default"),
      ("capture.png", "x"), ("custom.py", "x"),
    ] { try RawFile.create("\(folder)/\(name)", Array((line + "\n").utf8)) }
    let recording = Recording(name: "form", in: folder)
    #expect(recording.holdsPicture)
    #expect(
      try recording.launcher() == [
        "umockdev-run", "-d", "\(folder)/device", "-d", "\(folder)/device-hid", "-d", "\(folder)/device-spi", "-i",
        "/dev/spidev0.0=\(folder)/capture.ioctl", "-p", "/sys/devices/pci/usb1/1-1=\(folder)/custom.pcapng", "-s",
        "/dev/hidraw0=\(folder)/hid.script", "--",
      ])
  }
}

extension Scene {
  /// signet-reader on the recording, from now on.
  func play(_ recording: Recording, _ habits: [String]) throws {
    let checkout = String(#filePath.split(separator: "/Tests/HardwareTests/")[0])
    let command = try (habits + ["--"] + recording.command()).joined(separator: " ")
    // libusb complains about the recorded descriptors, line after line.
    try replace(
      "signet-reader",
      by: "PATH=/usr/bin:/bin exec python3 -B \(checkout)/Tests/HardwareTests/keep_order.py \(command) 2> /dev/null")
  }

  /// Keeps a template as the left thumb's, while signetd does not run.
  func seal(_ template: ClearTemplate, of reader: ReaderDescription) throws {
    daemon.end(SIGTERM)
    try keep(template, of: reader)
    try daemon.start()
  }

  /// The store's lock goes with its end.
  private func keep(_ template: ClearTemplate, of reader: ReaderDescription) throws {
    let store = try AccountStore(path: daemon.stateDirectory, runtimePath: daemon.runtimeDirectory)
    var finger = EnrolledFinger(
      uid: daemon.uid, owner: daemon.user, finger: .leftThumb, reader: reader.identifier, isSwipe: reader.isSwipe, enrolled: 1)
    try store.seal(template, in: &finger)
    try store.write(finger)
    try store.write(LockoutFile(sequence: 1, record: LockoutRecord()), of: daemon.uid)
  }
}
