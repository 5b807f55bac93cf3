import CLinux
import Glibc

/// A bus of the test's own, without systemd behind it. It can be ended and started again at the same address.
public final class PrivateBus {
  /// Whether what it needs is installed.
  public static let isAvailable =
    access("/usr/bin/dbus-daemon", X_OK) == 0 && access("/usr/lib/python3/dist-packages/gi", R_OK) == 0

  /// Where fprintd's programs are: unpacked beside the build, or installed.
  public static let fprintd = unsafe getenv("SIGNET_FPRINTD").map { unsafe String(cString: $0) + "/usr/bin" } ?? "/usr/bin"
  public static let hasFprintd = access(fprintd + "/fprintd-verify", X_OK) == 0

  public let folder: String
  public var address: String { "unix:path=\(folder)/bus" }
  private var process: Program?
  /// What programs get that the bus starts for whoever calls them.
  private let environment: [String]

  /// - Parameter startsServices: the environment of the session's services; `nil`: the bus starts none.
  public init(start: Bool = true, startsServices: [String]? = nil) throws {
    environment = startsServices ?? ["PATH=/usr/bin:/bin"]
    folder = try makeTemporaryFolder("bus")
    chmod(folder, 0o711)
    let file = fopen(folder + "/bus.conf", "we")
    guard let file else { throw TestKitError("\(folder)/bus.conf: \(errno)") }
    let services = startsServices == nil ? "" : "<type>session</type> <standard_session_servicedirs/>"
    fputs(PrivateBus.configuration(address, services), file)
    fclose(file)
    if start { try self.start() }
  }

  deinit {
    process = nil
    removeTree(folder)
  }

  /// Of a bus on which everybody may do everything.
  public static func configuration(_ address: String, _ more: String = "") -> String {
    """
    <busconfig>
      <listen>\(address)</listen> \(more)
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/> <allow own="*"/> <allow send_destination="*"/> <allow receive_sender="*"/>
      </policy>
    </busconfig>
    """
  }

  /// Starts it and waits until it listens.
  public func start() throws {
    let lines = try Lines()
    process = try Program(
      ["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"],
      environment: environment, descriptors: [1: lines.writer])
    try lines.read(until: "unix:path=")
  }

  public func end() throws {
    process?.signal(SIGTERM)
    _ = try process?.waitForExit()
    process = nil
    unlink(folder + "/bus")
  }
}
