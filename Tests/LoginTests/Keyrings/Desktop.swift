import Glibc
import SignetTestKit

/// A machine of its own (World) with two display managers and their keyrings; see desktop.sh.
final class Desktop {
  /// A keyring that PAM opens, the service of the display manager that it belongs to, and a session that looks into it.
  enum Keyring: String, CaseIterable, Sendable {
    case gnome = "GNOME Keyring"
    case kde = "KWallet"

    var service: String {
      switch self {
      case .gnome: "gdm-password"
      case .kde: "sddm"
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
  }

  /// Whether what it needs is installed.
  static let isAvailable = [
    "gnome-keyring-daemon", "secret-tool", "kwalletd5", "kwallet-query", "dbus-run-session", "busctl", "gdbus",
  ].allSatisfy { access("/usr/bin/\($0)", X_OK) == 0 }

  static let passcode = World.passcode
  static let storedSecret = "a stored secret"

  let world: World
  let keyring: Keyring

  init(_ keyring: Keyring) throws {
    self.keyring = keyring
    world = try World()
    let script = try world.run(["/bin/sh", "\(Desktop.folder)/desktop.sh"])
    try script.readToEnd()
    guard try script.waitForExit() == 0 else { throw TestKitError(script.screen) }
  }

  private static let folder = String(#filePath.dropLast("/Desktop.swift".count))

  /// A login to the display manager by these fingers, and then these passcodes, where they are asked for.
  ///
  /// In a pid namespace: the keyring's daemon ends with the session whatever happens, and the next session has its own.
  func login(
    _ fingers: String..., passcodes: [String] = [], service: String? = nil, stores: Bool = false
  ) throws -> HostRun {
    let session = "exec dbus-run-session --config-file=/etc/session-bus.conf -- \(keyring.session)" + (stores ? " store" : "")
    let arguments =
      ["--service", service ?? keyring.service, "--confdir", "/etc/pam.d", "--user", World.user]
      + fingers.flatMap { ["--feed", world.reader.path, "SCAN \($0)"] } + ["--session", "--user-session", session]
    let launcher = world.inside(["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "--"])
    return try HostRun.run(arguments, answers: passcodes, launcher: launcher)
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
