import CEnvironment
import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
#endif

/// Which pinentry is run, and what it gets to know.
public enum PinentryProgram {
  /// Debian's alternative, whichever is installed, then those that it could stand for.
  private static let candidates =
    ["pinentry", "pinentry-gnome3", "pinentry-qt", "pinentry-gtk-2", "pinentry-fltk", "pinentry-curses", "pinentry-tty"].map {
      "/usr/bin/" + $0
    }

  /// The path of the first that is there and is not this program itself, which may stand in pinentry's place; `nil` where there
  /// is none. The variable `SIGNET_PINENTRY` names another.
  public static func path(_ variable: (String) -> String? = Variables.value) -> String? {
    let chosen = variable("SIGNET_PINENTRY").map { [$0] } ?? candidates
    let own = file("/proc/self/exe")
    return chosen.first { path in
      guard let file = file(path), unsafe access(path, X_OK) == 0 else { return false }
      return own.map { $0 != file } ?? true
    }
  }

  private struct File: Equatable { var device: dev_t, number: ino_t }

  private static func file(_ path: String) -> File? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return File(device: status.st_dev, number: status.st_ino)
  }

  /// What pinentry needs to find the user's screen and language.
  public static func environment(_ variable: (String) -> String? = Variables.value) -> [String] {
    (Variables.screen + Variables.language).compactMap { name in variable(name).map { "\(name)=\($0)" } }
  }

  /// What gpg-agent tells a pinentry, as well as it is known: the terminal, where there is no other screen, and the language.
  public static func options(_ variable: (String) -> String? = Variables.value) -> [String] {
    let terminal = variable("GPG_TTY") ?? (hasTerminal ? "/dev/tty" : nil)
    let type = variable("LC_ALL") ?? variable("LC_CTYPE") ?? variable("LANG")
    let messages = variable("LC_ALL") ?? variable("LC_MESSAGES") ?? variable("LANG")
    let all = [
      ("ttyname", terminal), ("ttytype", terminal == nil ? nil : variable("TERM")), ("lc-ctype", type),
      ("lc-messages", messages),
    ]
    return all.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }

  private static var hasTerminal: Bool {
    let terminal = unsafe clinux_open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC, 0)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
  }
}

/// The variables of a user's session.
public enum Variables {
  /// Where there is a screen, and what is on it.
  public static let screen = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "TERM", "GPG_TTY", "HOME",
  ]
  public static let language = [
    "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES",
  ]

  /// Of this process; `nil` in a setuid one, and for an empty or unreasonably long value.
  public static func value(_ name: String) -> String? {
    guard let value = unsafe cenvironment_secure(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty || text.utf8.count > 4096 || text.contains("\n") ? nil : text
  }
}
