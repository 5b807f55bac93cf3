import Glibc
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

  init(configuration: String = "") throws {
    tpm = try SoftwareTPM()
    scene = try Scene(configuration: configuration, options: ["--tpm", tpm.transport])
    for one in [Stock.unasked, .finger] {
      guard try scene.store(one.item, one.value).end == .done else { throw TestKitError("\(one) is not stored") }
    }
  }

  /// In the place of what was said of the TPM.
  func setConfiguration(_ line: String) throws {
    let path = scene.daemon.folder + "/signet.conf"
    let lines = try RawFile.text(path).split(separator: "\n").filter { !$0.hasPrefix("tpm") }
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
