import Glibc
import SignetAuthentication
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import DaemonAccounts

/// The same change of mind in a login, through signetd: what it costs on each recorded reader that sends images, of which libfprint tells a
/// finger before it compares one. Match-on-chip recordings have no
/// scan that could be cancelled: they begin with enrolling.
@Suite(.enabled(if: Recording.folder != nil, Recording.reasonToSkip), .serialized)
struct CancelledLoginTests {
  @Test(arguments: Recording.names.filter { Recording(name: $0).holdsPicture })
  func `five logins that are cancelled when the reader is armed cost no strike, and each next one is asked for a finger`(
    name: String
  ) throws {
    let scene = try Scene(enrolls: false)
    let recording = Recording(name: name)
    scene.daemon.end(SIGTERM)
    try enrollNobody(on: recording, in: scene)
    let checkout = String(#filePath.split(separator: "/Tests/HardwareTests/")[0])
    let mark = scene.daemon.folder + "/finger-was-there"
    let command = try recording.command().joined(separator: " ")
    // libusb complains about the recorded descriptors, line after line.
    try scene.replace(
      "signet-reader",
      by: """
        PATH=/usr/bin:/bin exec python3 -B \(checkout)/Tests/HardwareTests/cancel_when_armed.py \(mark) \(command) 2> /dev/null
        """)

    var ended = 0
    for _ in 1...20 where ended < 5 {
      let stayed = scene.daemon.loggedSoFar.ranges(of: Self.stays).count
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user, policy: .deviceOwnerAuthenticationWithBiometrics)
      guard try isArmed(client) else { continue }
      try client.cancel()
      #expect(try client.verdict().verdict == .userCancel)
      let isGivenBack = try isGivenBack(in: scene, beyond: stayed)
      // A recording goes on by itself: on a busy machine its finger can be there before the cancel, and the strike stays rightly.
      let wasTouched = unlink(mark) == 0
      #expect(isGivenBack != wasTouched, "\(scene.daemon.loggedSoFar)")
      if isGivenBack { ended += 1 } else { try forgive(in: scene) }
      // The recording begins anew with the next process. Where the driver did not end, this one is gone already.
      for pid in try ProcessLook(scene.daemon.pid).children(named: "python3") { kill(pid, SIGKILL) }
      try scene.awaitNoChild(named: "python3")
    }
    #expect(ended == 5)
  }

  /// False where the recording was not open within signetd's limit, which it is not on a machine that stands still for seconds: then the
  /// login ends, and nothing is charged.
  private func isArmed(_ client: LoginClient) throws -> Bool {
    while true {
      switch try client.next() {
      case .show(.touchReader, _, _): return true
      case .show: continue
      case .verdict(.biometryNotAvailable, _, _): return false
      case let other: throw TestKitError("expected an armed reader, got \(other)")
      }
    }
  }

  /// Some of these readers take seconds to end; what becomes of the strike is logged. So many strikes had stayed before.
  private func isGivenBack(in scene: Scene, beyond stayed: Int) throws -> Bool {
    while scene.daemon.strikesOnDisk != 0 {
      if scene.daemon.log.ranges(of: Self.stays).count > stayed { return false }
      try scene.daemon.awaitMoreLog()
    }
    return true
  }

  private static let stays = "the strike stays"

  private func forgive(in scene: Scene) throws {
    let root = try scene.daemon.connect()
    try root.send(.reset(user: scene.daemon.user))
    guard try root.nextAdministration() == .done else { throw TestKitError("the strikes are not reset") }
  }

  /// A finger that nobody has, so that the account has something to scan for.
  private func enrollNobody(on recording: Recording, in scene: Scene) throws {
    let channel = try recording.start()
    let reader = try channel.onlyReader()
    channel.closeChannel()
    _ = try channel.waitForExit()
    let daemon = scene.daemon
    let store = try AccountStore(path: daemon.stateDirectory, runtimePath: daemon.runtimeDirectory)
    var finger = EnrolledFinger(
      uid: daemon.uid, owner: daemon.user, finger: .leftThumb, reader: reader.identifier, isSwipe: reader.isSwipe, enrolled: 1)
    try store.seal(nobodysTemplate(for: reader), in: &finger)
    try store.write(finger)
    try store.write(LockoutFile(sequence: 1, record: LockoutRecord()), of: daemon.uid)
  }
}
