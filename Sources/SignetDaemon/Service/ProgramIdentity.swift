import CLinux
import Glibc
import SignetBytes
import SignetDigest
import SignetVocabulary

/// Which program a process runs, as far as the kernel says, for the items that remember programs:
///
/// - `flatpak:org.example.App` and `snap:name`, from the control group in which those systems start an application. What is
///   inside has a file system of its own, so that paths say nothing there.
/// - `/usr/bin/example`, the path of the executable, with ` (example.service)` behind it in a service of the system.
/// - `unit:example.service`, where only that is known.
///
/// Nothing of it is what the process says of itself, such as its name or its arguments. But processes of one user can trace,
/// preload and start each other: Sources/SECURITY.md says what a program's identity is worth among them.
package struct ProgramIdentity: Equatable, Sendable {
  /// At most `ItemLimit.program` bytes of harmless text; empty where it is not known.
  package let text: String
  /// The executable's path as the kernel gave it, by which it is recognised quickly.
  private let path: String

  package static let unknown = ProgramIdentity(text: "", path: "")

  /// Reads it from /proc. The caller makes sure that the process is still the one that it means.
  package init(of peer: Peer) {
    (text, path) = ProgramIdentity.asPeer(peer) {
      let path = ProgramIdentity.executable(of: peer.pid) ?? ""
      return (ProgramIdentity.identity(group: ProgramIdentity.group(of: peer.pid), path: path), path)
    }
  }

  private init(text: String, path: String) { (self.text, self.path) = (text, path) }

  /// Whether the process still runs this program.
  package func isStill(of peer: Peer) -> Bool {
    ProgramIdentity.asPeer(peer) { (ProgramIdentity.executable(of: peer.pid) ?? "").utf8.elementsEqual(path.utf8) }
  }

  /// How people are told of a program of this name: a path's last part, an application's identifier; at most 60 bytes.
  package static func shown(_ text: String) -> String {
    if text.isEmpty { return "an unknown program" }
    let last = text.split(separator: text.hasPrefix("/") ? "/" : ":").last.map(String.init) ?? text
    return ForeignText.harmless(last).shortened(to: 60)
  }

  // MARK: - what /proc says

  /// The kernel shows who may not trace a process neither its executable nor its namespaces. signetd is root without the
  /// capability to trace, so that it looks as the user whose process it is.
  private static func asPeer<Value>(_ peer: Peer, _ look: () -> Value) -> Value {
    // Of this thread only. Who may not do it looks as itself.
    let (group, user) = (setfsgid(peer.gid), setfsuid(peer.uid))
    defer {
      _ = setfsuid(uid_t(bitPattern: user))
      _ = setfsgid(gid_t(bitPattern: group))
    }
    return look()
  }

  /// `nil` where the kernel does not say, or where the path could be one of the process's own making: whoever has a namespace of
  /// users can mount any file at any path.
  private static func executable(of pid: Int32) -> String? {
    guard let users, users == RequesterProcess.link("/proc/\(pid)/ns/user"),
      let path = RequesterProcess.link("/proc/\(pid)/exe"), path.hasPrefix("/"), !path.hasPrefix("/memfd:")
    else { return nil }
    return path.hasSuffix(deleted) && isDeleted(pid) ? String(path.dropLast(deleted.count)) : path
  }

  /// signetd's own namespace of users.
  private static let users = RequesterProcess.link("/proc/self/ns/user")

  /// What the kernel puts behind the path of a file that has none any more: one that was replaced by an upgrade, for instance.
  private static let deleted = " (deleted)"

  private static func isDeleted(_ pid: Int32) -> Bool {
    var status = stat()
    return unsafe stat("/proc/\(pid)/exe", &status) == 0 && status.st_nlink == 0
  }

  private static func group(of pid: Int32) -> String {
    let lines = RequesterProcess.read("cgroup", of: pid).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return lines.split(separator: "\n").first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) } ?? ""
  }

  // MARK: - what it means

  /// From the control group of a process and its executable's path, which may be empty.
  static func identity(group: String, path: String) -> String {
    let parts = group.split(separator: "/").map(String.init)
    for part in parts.reversed() {
      if let application = flatpak(part) { return bounded("flatpak:\(application)") }
      if let application = snap(part) { return bounded("snap:\(application)") }
    }
    // A user's own manager starts units of any name.
    let unit = parts.first == "system.slice" ? parts.first { $0.hasSuffix(".service") } : nil
    if path.isEmpty { return unit.map { bounded("unit:\($0)") } ?? "" }
    return bounded(unit.map { "\(path) (\($0))" } ?? path)
  }

  /// Of `app-flatpak-org.example.App-4711.scope`.
  private static func flatpak(_ part: String) -> String? {
    let prefix = "app-flatpak-"
    guard part.hasPrefix(prefix), part.hasSuffix(".scope") else { return nil }
    let name = part.dropFirst(prefix.count)
    guard let end = name.lastIndex(of: "-"), end > name.startIndex else { return nil }
    return String(name[..<end])
  }

  /// Of `snap.name.program-….scope` and `snap.name.program.service`.
  private static func snap(_ part: String) -> String? {
    let words = part.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count >= 4, words[0] == "snap", !words[1].isEmpty, ["scope", "service"].contains(words[words.count - 1]) else {
      return nil
    }
    return String(words[1])
  }

  /// The text itself where it is short and harmless; else its end, and a digest of the whole by which it is still unlike any
  /// other.
  private static func bounded(_ text: String) -> String {
    let bytes = Array(text.utf8)
    if bytes.count <= ItemLimit.program, ForeignText.isHarmless(bytes.span) { return text }
    let digest = SHA256.hash(bytes.span).prefix(16).hexadecimal
    let kind = text.hasPrefix("/") ? "/" : ""
    return "\(kind)\(digest)/\(ForeignText.harmless(String(text.suffix(40))).shortened(to: ItemLimit.program - 64))"
  }
}
