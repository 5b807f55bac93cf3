/// The libpam that this process runs. Modules are beside it, in a folder that is named after the architecture.
public enum LibPAM {
  private static let folder: String = {
    let mappings = (try? RawFile.text("/proc/self/maps")) ?? ""
    let path = mappings.split(separator: "\n").first { $0.contains("/libpam.so") }?.split(separator: " ").last ?? ""
    return path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
  }()

  /// A module of libpam's own.
  public static func module(_ name: String) -> String { "\(folder)/security/\(name)" }

  /// A module of Debian's libpam-wrapper.
  public static func wrapper(_ name: String) -> String { "\(folder)/pam_wrapper/\(name)" }
}
