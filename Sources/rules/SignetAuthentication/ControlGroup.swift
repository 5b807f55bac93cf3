/// Where the service manager has put a process (cgroups(7)). A process stays in the slice that it was born in: nobody but root can
/// move one out of it, or into another user's.
public enum ControlGroup: Equatable, Sendable {
  /// In the slice of a user, which has their sessions and what their own service manager started.
  case user(UInt32)
  /// In a container, a virtual machine or another scope that no session is: root there need not be root here.
  case guest
  /// In a service of the system, or where nobody keeps such groups.
  case system

  /// `text`: as /proc/PID/cgroup has it. The lines of other hierarchies say nothing: systemd does not keep those.
  public init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, ["", "name=systemd"].contains(fields[1]) else { continue }
      self.init(path: fields[2])
      if self != .system { return }
    }
    self = .system
  }

  /// Only slices at the beginning count: behind the unit the names are its own choice.
  private init(path: Substring) {
    let parts = path.split(separator: "/")
    let slices = parts.prefix { $0.hasSuffix(".slice") }
    let isScope = parts.dropFirst(slices.count).first?.hasSuffix(".scope") == true
    if slices.first == "user.slice", slices.count > 1, let user = ControlGroup.user(ofSlice: slices[1]) {
      self = .user(user)
    } else {
      self = slices.first == "machine.slice" || isScope && !slices.isEmpty ? .guest : .system
    }
  }

  /// Of `user-1000.slice`.
  private static func user(ofSlice name: Substring) -> UInt32? {
    name.hasPrefix("user-") ? UInt32(name.dropFirst(5).dropLast(6)) : nil
  }
}
