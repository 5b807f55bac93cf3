import Glibc

/// The real polkitd, and an agent of which only the window is missing (polkit_agent.py), with the module in polkit's service.
public struct PolkitDesk {
  public let scene: Scene
  public let agent: Talker

  private static let script = #filePath.dropLast("PolkitDesk.swift".count) + "polkit_agent.py"

  /// Whether polkit and an agent's session are installed.
  public static var isComplete: Bool {
    let check = "import gi; gi.require_version('PolkitAgent', '1.0')"
    return access("/usr/lib/polkit-1/polkitd", X_OK) == 0
      && (try? Program(["/usr/bin/python3", "-c", check]).waitForExit()) == 0
  }

  /// Asks polkitd for something that the scene's user has to prove. Needs root.
  public init(_ scene: Scene) throws {
    self.scene = scene
    let daemon = scene.daemon
    let module = try ReaderChannel.program("libpam_signet.so")
    try daemon.write("pam/polkit-1", "auth required \(module) socket=\(daemon.socket)\naccount required pam_permit.so\n")
    try daemon.write("pam/other", "auth required pam_deny.so\n")
    agent = try Talker(
      [
        "setsid", "unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child",
        "/usr/bin/python3", "-B", String(PolkitDesk.script), daemon.confdir, daemon.user,
      ], environment: HostRun.environment, talksOn: 1)
  }

  /// Waits for the end of the dialog, and of those who ran it.
  public func ends(allowed: Bool) throws {
    try agent.line(with: allowed ? "completed proved" : "completed not proved")
    try agent.line(with: allowed ? "authorized" : "refused")
    guard try agent.program.waitForExit() == 0 else { throw TestKitError("the agent failed") }
  }
}
