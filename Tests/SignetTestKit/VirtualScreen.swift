import CLinux
import Glibc

/// A screen that nobody sees (Xvfb), with a session's bus, for programs that have windows. xdotool is the keyboard.
public final class VirtualScreen {
  private let server: Program
  private let bus: PrivateBus
  private let display: String
  /// Libraries of the desktop leave files there.
  private let home: TemporaryFolder

  public init() throws {
    let lines = try Lines()
    home = try TemporaryFolder()
    server = try Program(
      ["Xvfb", "-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"], environment: ["PATH=/usr/bin:/bin"],
      descriptors: [1: lines.writer])
    try lines.read(until: "\n")
    display = ":" + lines.text.split(separator: "\n")[0]
    bus = try PrivateBus(startsServices: ["PATH=/usr/bin:/bin", "HOME=\(home.path)", "DISPLAY=\(display)"])
  }

  deinit {
    server.signal(SIGTERM)
    _ = try? server.waitForExit()
  }

  /// For programs that are to be seen there.
  public var environment: [String] { ["DISPLAY=\(display)", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)"] }

  /// Waits for a window with this name; its number.
  public func window(_ name: String) throws -> String {
    let found = try control(["timeout", "20", "xdotool", "search", "--sync", "--onlyvisible", "--name", name])
    guard let number = found.split(separator: "\n").first else { throw TestKitError("no window \(name)") }
    return String(number)
  }

  /// Types a line into a window, once it is there.
  public func type(_ text: String, into name: String) throws {
    try control(["xdotool", "windowfocus", "--sync", window(name), "type", "--delay", "20", text])
    try control(["xdotool", "key", "Return"])
  }

  public func press(_ key: String, in name: String) throws {
    try control(["xdotool", "windowfocus", "--sync", window(name), "key", key])
  }

  /// Waits until somebody on the bus has this name.
  public func awaitName(_ name: String) throws {
    try control(["gdbus", "wait", "--address", bus.address, "--timeout", "20", name])
  }

  /// Runs a program on the screen; what it wrote.
  @discardableResult public func control(_ words: [String]) throws -> String {
    try Program.output(words, environment: ["PATH=/usr/bin:/bin", "HOME=\(home.path)"] + environment)
  }
}
