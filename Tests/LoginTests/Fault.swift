import Glibc
import SignetTestKit
import Testing

/// What somebody offers at a login.
enum Credential: CaseIterable, Sendable, CustomTestStringConvertible {
  case wrongFinger, noFinger, wrongPasscode, rightFinger, rightPasscode

  var testDescription: String { "\(self)" }

  var fingers: [String] {
    switch self {
    case .rightFinger: ["right"]
    case .noFinger: []
    // Three misses are the quickest way to the passcode.
    case .wrongFinger, .wrongPasscode, .rightPasscode: ["wrong", "wrong", "wrong"]
    }
  }

  /// To the passcode question; an empty one cancels.
  var answer: String {
    switch self {
    case .wrongPasscode: "wrong horse"
    case .rightPasscode: RunningDaemon.passcode
    case .wrongFinger, .noFinger, .rightFinger: ""
    }
  }
}

/// Something that goes wrong with a login, and which credentials are still legitimate.
struct Fault: Sendable, CustomTestStringConvertible {
  /// When it happens.
  enum Moment: Sendable {
    case before, atTouch, afterMiss, whileCheckingPasscode
  }

  let testDescription: String
  var moment = Moment.before
  /// The credentials that still prove who somebody is. If any other one succeeds, that is a hole.
  var accepts: Set<Credential>
  var user: String?
  var options = "timeout=3"
  var launcher: [String] = []
  let inject: @Sendable (Scene) throws -> Void

  init(
    _ name: String, _ moment: Moment = .before, accepts: Set<Credential> = [], user: String? = nil,
    options: String = "timeout=3", launcher: [String] = [], _ inject: @escaping @Sendable (Scene) throws -> Void = { _ in }
  ) {
    testDescription = name
    (self.moment, self.accepts, self.user, self.options, self.launcher) = (moment, accepts, user, options, launcher)
    self.inject = inject
  }

  /// The credentials with which a login gets as far as the fault.
  private var credentials: [Credential] {
    moment == .whileCheckingPasscode ? [.wrongPasscode, .rightPasscode] : Credential.allCases
  }

  /// Each fault with each credential that can meet it.
  static func cases(_ faults: [Fault]) -> [(Fault, Credential)] {
    faults.flatMap { fault in fault.credentials.map { (fault, $0) } }
  }

  /// One login under the fault.
  func login(_ credential: Credential) throws -> HostRun {
    let scene = try Scene(launcher: launcher)
    if moment == .whileCheckingPasscode { try scene.holdPasscodeChecks() }
    if moment == .before { try inject(scene) }
    let options = credential == .noFinger ? "timeout=1" : options
    let host = try LoginHost(scene.daemon, user: user, options: options, answers: [credential.answer])
    let fingers = moment == .afterMiss && credential.fingers.count < 3 ? ["wrong"] + credential.fingers : credential.fingers
    var hasHappened = moment == .before
    let run = try host.finish(presenting: fingers, on: scene.reader) { message in
      guard !hasHappened, comes(with: message) else { return }
      hasHappened = true
      try scene.checking?.awaitArrival()
      try inject(scene)
    }
    #expect(hasHappened, "the login did not get as far")
    return run
  }

  private func comes(with message: String) -> Bool {
    switch moment {
    case .before: false
    case .atTouch: message.isFirstPrompt
    case .afterMiss: message.hasPrefix("Fingerprint not recognised")
    case .whileCheckingPasscode: message.hasPrefix("Password")
    }
  }
}
