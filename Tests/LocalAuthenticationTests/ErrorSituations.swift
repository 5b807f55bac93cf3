import Glibc
import LocalAuthentication
import SignetTestKit
import SignetVocabulary

/// What leads to an error: the user's machine, what the program sets, and what the owner does.
struct Situation {
  var enrolls = true
  var policy = 1
  var settings: [Setting] = []
  var prepare: (Scene) throws -> Void = { _ in }
  var owner: (TerminalProgram, Scene) throws -> Void = { _, _ in }
  /// What C says where it has no number for it.
  var inC: Int?
}

extension LAError.Code {
  /// All that there are, whatever anybody adds.
  static let all = (-100_000...100).compactMap(LAError.Code.init(rawValue:))

  /// `nil`: nothing on this machine leads to it, and Signet never gives it.
  var situation: Situation? {
    switch self {
    case .authenticationFailed: Situation { try $0.miss(3, $1.reader) }
    case .userCancel: Situation(enrolls: false, policy: 2) { program, _ in try program.enterPasscode("") }
    case .userFallback:
      Situation {
        try $0.touch("wrong", $1.reader)
        try $0.askPasscode()
      }
    case .systemCancel:
      Situation { program, scene in
        try program.terminal.read(until: "the fingerprint reader")
        kill(scene.daemon.pid, SIGTERM)
      }
    case .passcodeNotSet: Situation(policy: 2, prepare: { try $0.removePasscode() })
    case .touchIDNotAvailable: Situation(prepare: { try $0.removeReader() })
    case .touchIDNotEnrolled: Situation(enrolls: false)
    case .touchIDLockout: Situation(prepare: { try $0.lockOut() })
    case .appCancel:
      Situation(settings: [.invalidatedWhenTyped]) { program, _ in
        try program.terminal.read(until: "the fingerprint reader")
        program.terminal.type("now\n")
      }
    case .invalidContext: Situation(settings: [.invalid])
    // C knows two policies.
    case .watchNotAvailable: Situation(policy: 3, inC: Form.system(Int(EINVAL)))
    case .notInteractive: Situation(enrolls: false, policy: 2, settings: [.silent])
    // An accessory that is no part of the machine, and a view of Apple's: there is nothing like them.
    case .biometryNotPaired, .biometryDisconnected, .invalidDimensions: nil
    }
  }
}

extension Situation {
  fileprivate init(
    enrolls: Bool = true, policy: Int = 1, settings: [Setting] = [], _ owner: @escaping (TerminalProgram, Scene) throws -> Void
  ) {
    self.init(enrolls: enrolls, policy: policy, settings: settings, prepare: { _ in }, owner: owner)
  }

  func makeScene() throws -> Scene {
    let scene = try Scene(enrolls: enrolls)
    try prepare(scene)
    return scene
  }
}

extension Scene {
  private static let configuration = "reader_user = root\n\(RunningDaemon.anyone)\n\(RunningDaemon.noRules)\n"

  /// Whoever is asked says that the user has none.
  func removePasscode() throws {
    try daemon.write("signet.conf", Scene.configuration + reader.configuration + "\n")
    try replace("signet-passcode", by: Scene.noPasscode)
  }

  func removeReader() throws {
    try daemon.write("signet.conf", Scene.configuration + "passcode_confdir = \(daemon.confdir)\n")
    try restart()
  }

  /// Five misses, in other programs.
  func lockOut() throws {
    for misses in [3, 2] {
      let client = try daemon.connect()
      try client.openContext()
      let answer = try client.evaluate(.deviceOwnerAuthenticationWithBiometrics) { [reader] event in
        guard case .show(let prompt, _) = event, prompt == .touchReader || prompt == .notRecognised else { return false }
        try reader.scan("wrong")
        return true
      }
      guard answer.end.verdict == (misses == 3 ? .authenticationFailed : .biometryLockout) else {
        throw TestKitError("\(answer)")
      }
    }
  }
}
