import Glibc
import SignetAuthentication
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonAccounts

/// The folder of real prints, as `make test PRINTS=` names it.
private let realPrints = getenv("SIGNET_PRINTS").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }

/// A touch that libfprint compares for long: one with many minutiae that matches none of ten dense templates. libfprint has no way to
/// stop its matcher, and signet-reader does nothing else meanwhile.
@Suite(.enabled(if: realPrints != nil, "SIGNET_PRINTS names no folder of prints (make test PRINTS=FOLDER)"))
struct DenseCaptureTests {
  private let scene: Scene
  private let touch: PrintImage
  /// How long a comparison takes here, in milliseconds.
  private let comparison: Int64

  init() throws {
    let folder = realPrints ?? ""
    touch = try grayPNG(at: folder + "/whorl.png")
    scene = try Scene(.image, enrolls: false)
    try DenseCaptureTests.enrollTen(of: grayPNG(at: folder + "/tented_arch.png"), in: scene)
    let client = try DenseCaptureTests.login(scene)
    let begin = PAMHost.microseconds()
    try scene.reader.present(touch)
    guard case .show(.notRecognised, _, _) = try client.next() else { throw TestKitError("no miss") }
    comparison = (PAMHost.microseconds() - begin) / 1_000
    try client.cancel()
    _ = try client.verdict()
  }

  private static func login(_ scene: Scene) throws -> LoginClient {
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    while true {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user, policy: .deviceOwnerAuthenticationWithBiometrics)
      let first = try client.next()
      if case .show(.touchReader, _, _) = first {
        scene.reader.disconnect()
        return client
      }
      guard PAMHost.microseconds() < deadline else { throw TestKitError("no finger is asked for, but \(first)") }
    }
  }

  /// The same print as ten fingers.
  private static func enrollTen(of print: PrintImage, in scene: Scene) throws {
    let reader = try VirtualReader(.image)
    let channel = try ReaderChannel(reader.arguments)
    try channel.send(.open(operation: 1, reader: reader.identifier))
    try channel.send(.enroll(operation: 2))
    var template: ClearTemplate?
    while template == nil {
      switch try channel.next() {
      case .armed, .enrollStage: try reader.present(print)
      case .enrolled(2, let whole): template = whole
      default: continue
      }
    }
    scene.daemon.end(SIGTERM)
    if let template { try keep(template, of: reader.identifier, scene.daemon) }
    try scene.daemon.start()
  }

  private static func keep(_ template: ClearTemplate, of reader: String, _ daemon: RunningDaemon) throws {
    let store = try AccountStore(path: daemon.stateDirectory, runtimePath: daemon.runtimeDirectory)
    for name in Finger.allCases {
      var finger = EnrolledFinger(
        uid: daemon.uid, owner: daemon.user, finger: name, reader: reader, isSwipe: false, enrolled: 1)
      try store.seal(template, in: &finger)
      try store.write(finger)
    }
    try store.write(LockoutFile(sequence: 1, record: LockoutRecord()), of: daemon.uid)
  }

  @Test func `who cancels during a long comparison is answered, and so is the next login, while it goes on`() throws {
    var caught = 0
    for _ in 1...20 where caught < 3 {
      let root = try scene.daemon.connect()
      try root.send(.reset(user: scene.daemon.user))
      _ = try root.nextAdministration()
      let client = try Self.login(scene)
      let process = scene.daemon.readerPid
      try scene.reader.present(touch)
      // Into the midst of it, unless this comparison took a quarter of that other one.
      let early = try? client.next(within: Int32(comparison / 4))
      try client.cancel()
      if early != nil {
        _ = try client.verdict()
        continue
      }
      caught += 1
      #expect(try client.verdict().verdict == .userCancel)
      let next = try scene.daemon.connect()
      try next.authenticate(scene.daemon.user)
      let said = try next.next()
      // A fast machine is done with the comparison by then.
      guard case .show(let prompt, _, _) = said, prompt == .readerBusy || prompt == .touchReader else {
        throw TestKitError("the next login is told \(said)")
      }
      let strikes = prompt == .readerBusy ? 1 : 2
      // The finger was seen: its strike stays, and the process goes on to its end by itself.
      #expect(scene.daemon.strikesOnDisk == strikes)
      try next.cancel()
      _ = try next.verdict()
      _ = try Self.login(scene)
      #expect(scene.daemon.readerPid == process)
    }
    #expect(caught == 3)
  }
}
