// The main job, shown: a finger is enrolled, logs in, is locked on request and by five misses, is unlocked by the passcode,
// and the session gets a token. Real programs, real libpam, real libfprint; only the reader is virtual. Nothing outside temporary
// folders is touched.
import CPAM
import Glibc
import SignetTestKit

do {
  try Demo().run()
} catch {
  Story.chapter("The demo failed: \(error)")
  exit(1)
}

struct Demo {
  private let stage: Stage
  private let login: Login
  private let passcode = RunningDaemon.passcode

  init() throws {
    stage = try Stage()
    login = Login(stage: stage)
  }

  func run() throws {
    Story.chapter("signetd runs in \(stage.daemon.folder), with a virtual reader; the system is not touched.")
    try enroll()
    try usePasscodeFirst()
    try logIn()
    try lock()
    try missFiveTimes()
    try unlock()
    try keepSecret()
    try useApplication()
    try useToken()
    Story.chapter("That was the main job.")
  }

  private func enroll() throws {
    Story.chapter("1. Enroll a finger")
    let status = try stage.signet("enroll", "right-index-finger") { screen in
      if geteuid() != 0 {
        try screen.show(until: "Passcode: ")
        screen.type(passcode + "\n")
      }
      try screen.show(until: "reader")
      try stage.touchRight()
      for completed in 1..<5 {
        try screen.show(until: "\(completed) of 5")
        try stage.touchRight()
      }
    }
    try expect(status == 0, "enroll ended with \(status)")
  }

  private func usePasscodeFirst() throws {
    // Who enrolled with the passcode has used it already.
    guard geteuid() == 0 else { return }
    Story.chapter("2. The first login after a start of the machine takes the passcode, whatever the finger says")
    _ = try login.attempt([], passcodes: [passcode])
    try expect(login.code.value == PAM_SUCCESS, "the passcode was refused")
  }

  private func logIn() throws {
    Story.chapter("3. From then on a finger is enough")
    _ = try login.attempt([.right])
    try expect(login.code.value == PAM_SUCCESS, "the finger was refused")
  }

  private func lock() throws {
    Story.chapter("4. In a hurry: nobody's finger opens anything until the passcode was used")
    try stage.signet("lock")
    _ = try login.attempt([], passcodes: [passcode])
    try expect(login.code.value == PAM_SUCCESS, "the passcode was refused")
  }

  private func missFiveTimes() throws {
    Story.chapter("5. Somebody else tries: three misses, and a guessed passcode")
    _ = try login.attempt([.wrong, .wrong, .wrong], passcodes: ["guess"])
    try expect(login.code.value != PAM_SUCCESS, "a stranger got in")

    Story.chapter("6. ... two more: the fingerprints are locked, for every program")
    _ = try login.attempt([.wrong, .wrong], passcodes: ["another guess"])
    try expect(login.code.value != PAM_SUCCESS, "a stranger got in")
    try stage.signet("status")
  }

  private func unlock() throws {
    Story.chapter("7. Now the finger is not even looked at: the passcode lets in, and unlocks")
    _ = try login.attempt([], passcodes: [passcode])
    try expect(login.code.value == PAM_SUCCESS, "the passcode was refused")
    try stage.signet("status")
    try stage.signet("history")
  }

  private func keepSecret() throws {
    Story.chapter("8. The passcode opened the vault too: what is stored in it a finger releases")
    let stored = try stage.signet("vault", "add", "mail", "me", "--access", "biometryCurrentSet") { screen in
      for question in ["Secret: ", "again: "] {
        try screen.show(until: question)
        screen.type("correct horse\n")
      }
    }
    try expect(stored == 0, "vault add ended with \(stored)")
    try stage.signet("vault", "list")
    let released = try stage.signet("vault", "get", "mail", "me", "--show") { screen in
      try screen.show(until: "reader")
      try stage.touchRight()
      try screen.show(until: "correct horse")
    }
    try expect(released == 0, "vault get ended with \(released)")
  }

  private func useApplication() throws {
    Story.chapter("9. Tests/Demo/App/main.swift, written as for an iPhone, keeps a page for your finger, and reads it by one")
    let status = try stage.application("signet-demo-app") { screen in
      try screen.show(until: "reader")
      try stage.touchRight()
      try screen.show(until: "nobody else reads this")
    }
    try expect(status == 0, "the application ended with \(status)")
  }

  private func useToken() throws {
    Story.chapter("10. A session by finger holds a token")
    guard geteuid() == 0 else {
      // Owned by the user, the key could be opened to everybody by any of the user's programs.
      return Story.concludes("only a host that runs as root, as login does, puts a token into a session: sudo make demo")
    }
    let session = try login.attempt([.right])
    try expect(login.code.value == PAM_SUCCESS, "the finger was refused")
    try expect(session.setCredentials() == PAM_SUCCESS, "setcred")
    try expect(session.openSession() == PAM_SUCCESS, "open_session")
    try expect(try stage.signet("token") == 0, "no token in the session")
    try stage.signet("sessions")
    try useServices()
    try expect(session.closeSession() == PAM_SUCCESS, "close_session")
    Story.does("logs out")
    try expect(try stage.signet("token") == 1, "a token after the session")
  }

  private func useServices() throws {
    guard ProviderRig.environment != nil else {
      return Story.concludes("after `make test`, which brings identity providers, this signs in by each token service, too")
    }
    Story.chapter("11. Tests/Demo/Services/main.swift signs in by each token service in turn")
    let rig = try ProviderRig(only: "django", in: stage.daemon.folder)
    try rig.writeBrowser(to: stage.daemon.folder)
    let status = try stage.application(
      "signet-demo-services", try rig.fact("django", "issuer"), try rig.fact("django", "clients", "native", "id"),
      try rig.authority
    ) { _ in }
    try expect(status == 0, "a service failed")
  }
}
