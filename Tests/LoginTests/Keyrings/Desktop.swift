import Foundation
import Glibc
import SignetTestKit

/// A machine of its own (World) with display managers and their keyrings; see desktop.sh.
final class Desktop {
  /// A keyring that PAM opens, the service of the display manager that it belongs to, and a session that looks into it.
  enum Keyring: String, CaseIterable, Sendable {
    case gnome = "GNOME Keyring"
    case kde = "KWallet"

    var service: String {
      switch self {
      case .gnome: "gdm-password"
      case .kde: "lxdm"
      }
    }

    fileprivate var session: String {
      switch self {
      case .gnome: "/bin/sh \(Desktop.folder)/gnome-session.sh"
      case .kde: "/usr/bin/python3 -B \(Desktop.folder)/kde-session.py"
      }
    }
  }

  /// What a session found.
  struct Session: Equatable {
    var isLocked: Bool
    /// What is stored in the keyring, where it could be read without a question.
    var secret: String?

    static let open = Session(isLocked: false, secret: "a stored secret")
    static let locked = Session(isLocked: true, secret: nil)
  }

  /// Whether what it needs is installed.
  static let isAvailable = [
    "gnome-keyring-daemon", "secret-tool", "kwalletd5", "kwallet-query", "dbus-run-session", "busctl", "gdbus",
  ].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

  static let passcode = World.passcode
  private static let folder = String(#filePath.dropLast("/Desktop.swift".count))

  let world: World
  private let keyring: Keyring

  /// Else the passcode comes first at these services.
  private static let fingerFirst =
    "prompt = finger_first\n" + Keyring.allCases.map { "[service \($0.service)]\nprompt = finger_first\n" }.joined()

  /// `configuration` is appended to signet.conf, where no section has begun.
  init(_ keyring: Keyring = .gnome, configuration: String...) throws {
    self.keyring = keyring
    world = try World()
    let script = try world.run(["/bin/sh", "\(Desktop.folder)/desktop.sh"])
    try script.readToEnd()
    guard try script.waitForExit() == 0 else { throw TestKitError(script.screen) }
    let file = "\(world.root)/etc/signet/signet.conf"
    let lines =
      try String(contentsOfFile: file, encoding: .utf8) + configuration.map { $0 + "\n" }.joined() + Desktop.fingerFirst
    try lines.write(toFile: file, atomically: false, encoding: .utf8)
  }

  // MARK: - logins

  /// What the user does in a session.
  enum Act: Equatable {
    case nothing, store
    /// passwd, with this new passcode.
    case passwd(String)
  }

  /// A login to the display manager by these fingers, and then these passcodes, where they are asked for.
  ///
  /// In a pid namespace: the keyring's daemon ends with the session whatever happens, and the next session has its own.
  func login(
    _ fingers: String..., passcodes: [String] = [], service: String? = nil, doing act: Act = .nothing
  ) throws -> HostRun {
    if case .passwd(let new) = act {
      let lines = [Desktop.passcode, new, new, ""].joined(separator: "\n")
      try lines.write(toFile: "\(world.root)/home/finger/passcodes", atomically: false, encoding: .utf8)
    }
    let word = act == .nothing ? "" : act == .store ? "store" : "passwd"
    let session = "exec dbus-run-session --config-file=/etc/session-bus.conf -- \(keyring.session) \(word)"
    return try host(
      service ?? keyring.service, fingers, passcodes, ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--"],
      ["--session", "--user-session", session])
  }

  /// The same without a session, at a service that writes down what the next module gets as PAM_AUTHTOK: that.
  func authtok(of service: String, _ fingers: String..., passcodes: [String] = []) throws -> String {
    try writtenDown { try host(service, fingers, passcodes, [], []).code == 0 }
  }

  /// The same by a program that the user runs.
  func authtokOfUser(at service: String, _ finger: String) throws -> String {
    try writtenDown {
      let program = try ReaderChannel.program("pam-host")
      let words = ["--service", service, "--confdir", "/etc/pam.d", "--user", World.user, "--print"]
      let terminal = try world.runAsUser([program] + words)
      try terminal.read(until: "fingerprint reader")
      try world.reader.scan(finger)
      try terminal.read(until: #""step":"authenticate","code":0"#)
      try terminal.readToEnd()
      return try terminal.waitForExit() == 0
    }
  }

  private func writtenDown(_ login: () throws -> Bool) throws -> String {
    let file = "\(world.root)/run/authtok"
    try "".write(toFile: file, atomically: false, encoding: .utf8)
    guard try login() else { throw TestKitError("no login") }
    return try String(contentsOfFile: file, encoding: .utf8).trimmingCharacters(in: ["\0"])
  }

  private func host(
    _ service: String, _ fingers: [String], _ passcodes: [String], _ launcher: [String], _ arguments: [String]
  ) throws -> HostRun {
    let feeds = fingers.flatMap { ["--feed", world.reader.path, "SCAN \($0)"] }
    return try HostRun.run(
      ["--service", service, "--confdir", "/etc/pam.d", "--user", World.user] + feeds + arguments, answers: passcodes,
      launcher: world.inside(launcher))
  }

  // MARK: - secrets

  /// The user stores a login secret. The vault has to be open.
  func store(loginSecret: String) throws {
    let terminal = try world.runAsUser(["signet", "vault", "add", "--login-secret"])
    for question in ["Login secret: ", "Login secret again: "] {
      try terminal.read(until: question)
      terminal.type(loginSecret + "\n")
    }
    try terminal.readToEnd()
    guard try terminal.waitForExit() == 0 else { throw TestKitError(terminal.screen) }
  }

  /// Root gives the user another passcode, without the one before.
  func set(passcode: String) throws {
    let terminal = try world.run(["passwd", World.user])
    for question in ["New password: ", "Retype new password: "] {
      try terminal.read(until: question)
      terminal.type(passcode + "\n")
    }
    try terminal.readToEnd()
    guard try terminal.waitForExit() == 0 else { throw TestKitError(terminal.screen) }
  }
}

extension HostRun {
  /// The session that the login led to.
  var session: Desktop.Session? {
    guard code == 0, step("session")?.status == 0 else { return nil }
    let secret = step("secret")?.text ?? ""
    switch step("locked")?.text {
    case "b false": return Desktop.Session(isLocked: false, secret: secret.isEmpty ? nil : secret)
    case "b true", "no wallet daemon": return Desktop.Session(isLocked: true, secret: secret.isEmpty ? nil : secret)
    default: return nil
    }
  }
}
