import Foundation
import SignetBytes
import SignetTestKit
import SignetVocabulary
import SignetWire
import SignetWords

/// A scene whose device key a TPM of its own has, with an item in the vault.
struct TPMScene {
  let tpm: SoftwareTPM
  let scene: Scene
  var state: String { scene.daemon.stateDirectory }
  var sealedFile: String { state + "/device.tpm" }
  var recoveryFile: String { "\(state)/recovery/\(scene.daemon.uid)" }

  static let broughtBack = "a passcode has brought the device key back"

  static let accepted = "a passcode has accepted the state on disk"
  var pinsFile: String { state + "/pins" }

  /// `prepare`: what happened to the TPM before Signet came. `launcher`: as in `Scene`.
  init(
    launcher: [String] = [], configuration: String = "", rules: String = RunningDaemon.noRules,
    prepare: (SoftwareTPM) throws -> Void = { _ in }
  ) throws {
    tpm = try SoftwareTPM()
    try prepare(tpm)
    scene = try Scene(launcher: launcher, configuration: configuration, rules: rules, options: ["--tpm", tpm.transport])
    for one in [Stock.unasked, .finger] {
      guard try scene.store(one.item, one.value).end == .done else { throw TestKitError("\(one) is not stored") }
    }
    _ = try scene.daemon.awaitLog(TPMScene.accepted)
  }

  /// Starts signetd, and waits until it knows whether the state on disk is the newest: what is asked earlier waits for that, but not
  /// for long, and without it no finger is looked at.
  func start() throws {
    try scene.daemon.start()
    try awaitCompared()
  }

  func awaitCompared() throws { try scene.daemon.awaitLog("the state on disk was compared with the TPM's counter") }

  /// Waits until the TPM has counted the last change: a stop waits for that, but not for long. From then on signetd has a copy of the
  /// pins in memory.
  func awaitCounted() throws {
    let copy = scene.daemon.runtimeDirectory + "/pins"
    try wait(for: "the TPM's count") { try exists(copy) && RawFile.read(copy) == RawFile.read(pinsFile) }
  }

  /// Stops signetd and the machine: what was in memory is gone.
  func switchOff() throws {
    scene.daemon.end(SIGTERM)
    try? FileManager.default.removeItem(atPath: scene.daemon.runtimeDirectory)
    try tpm.restart()
  }

  /// A copy of the disk, to be made while signetd is not there.
  func copyDisk() throws -> String {
    let copy = scene.daemon.folder + "/older"
    try FileManager.default.copyItem(atPath: state, toPath: copy)
    return copy
  }

  func putBack(_ copy: String) throws {
    try FileManager.default.removeItem(atPath: state)
    try FileManager.default.copyItem(atPath: copy, toPath: state)
  }

  /// One miss, after which the user gives up.
  func miss() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try scene.reader.scan("wrong")
    _ = try client.next()
    try client.cancel()
    guard try client.afterShowing().verdict == .userCancel else { throw TestKitError("no end") }
  }

  /// In the place of what was said of the TPM, or what begins with another word.
  func setConfiguration(_ line: String, inPlaceOf word: String = "tpm") throws {
    let path = scene.daemon.folder + "/signet.conf"
    let lines = try RawFile.text(path).split(separator: "\n").filter { !$0.hasPrefix(word) }
    try scene.daemon.write("signet.conf", (lines + [Substring(line)]).joined(separator: "\n") + "\n")
  }

  func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// What `signet list` says is wrong; `nil` where the fingers can be used.
  func complaint() throws -> String? {
    let client = try scene.daemon.connect()
    try client.send(.list(user: ""))
    while true {
      switch try client.nextAdministration() {
      case .refused(.stateUnusable(let error)): return FaultText.of(error)
      case .done: return nil
      case .finger: continue
      case let other: throw TestKitError("\(other)")
      }
    }
  }

  /// Whether the enrolled finger logs in; false where only the passcode is asked for.
  func isFingerEnough() throws -> Bool {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    while true {
      switch try client.next() {
      case .show(.touchReader, _, _): try scene.reader.scan("right")
      case .askPasscode:
        try client.cancel()
        return false
      case .verdict(let verdict, let method, _): return verdict == .success && method == .fingerprint
      case .show: continue
      case let other: throw TestKitError("\(other)")
      }
    }
  }
}
