import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire

/// A machine with a TPM that is started again and again, and a user with a vault and a login secret, whose first finger after a
/// restart may open it.
struct FirstFingerScene {
  let test: TPMScene
  var scene: Scene { test.scene }
  static let secret = Array("the keyring's own".utf8)
  static let wanted = "finger_after_restart = yes"
  static let untimed = "passcode_after_inactivity = off\npasscode_after_age = off"

  var slotFile: String { scene.folder + "/device" }
  var hasSlot: Bool { test.exists(slotFile) }

  /// In a mount namespace, where a file of the test's says which start of the machine this is.
  private static let machine = [
    "unshare", "-m", "--propagation", "private", "sh", "-c",
    """
    test -e STATE.boot || echo 00000000-0000-4000-8000-000000000001 > STATE.boot
    mount --bind STATE.boot /proc/sys/kernel/random/boot_id && exec "$@"
    """, "sh",
  ]

  init(
    configuration: String = wanted, rules: String = untimed, prepare: (SoftwareTPM) throws -> Void = { _ in }
  ) throws {
    test = try TPMScene(
      launcher: FirstFingerScene.machine, configuration: "authtok_services = greeter\n\(configuration)", rules: rules,
      prepare: prepare)
    let item = VaultRequest.add(user: "", .loginSecret, length: UInt32(FirstFingerScene.secret.count))
    let answer = try scene.ask(item, value: FirstFingerScene.secret, Proving(passcode: RunningDaemon.passcode))
    guard answer.end == .done else { throw TestKitError("no login secret: \(answer)") }
  }

  /// Switches the machine off and on again. `happen`: in between.
  func restart(_ happen: () throws -> Void = {}) throws {
    try switchOff(happen)
    try test.start()
  }

  /// The same, where the TPM may not say whether the state is the newest.
  func restartInDoubt(_ happen: () throws -> Void = {}) throws {
    try switchOff(happen)
    try scene.daemon.start()
  }

  private func switchOff(_ happen: () throws -> Void) throws {
    try test.switchOff()
    let path = scene.daemon.stateDirectory + ".boot"
    guard let number = try Int(RawFile.text(path).suffix(13).dropLast(), radix: 10) else { throw TestKitError("no boot") }
    let digits = "\(number + 1)"
    try scene.daemon.write(
      "state.boot", "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits + "\n")
    try happen()
  }

  /// How a login at the display manager ends.
  struct Login: Equatable {
    var isSuccess = false
    var locked: LockReason?
    var wasAskedForFinger = false
    var authtok: [UInt8] = []

    static let released = Login(isSuccess: true, wasAskedForFinger: true, authtok: secret)
    static func needsPasscode(_ reason: LockReason) -> Login { Login(locked: reason) }
  }

  func logIn(_ finger: String = "right") throws -> Login {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: "greeter")
    var login = Login()
    while true {
      switch try client.next() {
      case .show(.touchReader, _, _):
        login.wasAskedForFinger = true
        try scene.reader.scan(finger)
      case .show(.locked, let value, _): login.locked = LockReason(rawValue: value)
      case .show(.notRecognised, _, _), .askPasscode: try client.cancel()
      case .show: continue
      case let reply:
        login.isSuccess = reply.isSuccess
        login.authtok = client.authtok
        return login
      }
    }
  }

  /// The passcode, until the vault is open.
  func enterPasscode(_ passcode: String = RunningDaemon.passcode, until done: String = "vault opened") throws {
    try scene.loginByPasscode(passcode, until: done)
  }

  var state: FingerAfterRestart { get throws { try scene.status().account.afterRestart } }
}
