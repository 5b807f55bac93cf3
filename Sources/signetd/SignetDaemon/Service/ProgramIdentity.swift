import SignetBytes
import SignetDigest
import SignetVocabulary

/// Which program a process runs, as far as the kernel says, for the items that remember programs:
///
/// - `flatpak:org.example.App` and `snap:name`, from the control group in which those systems start an application. What is
///   inside has a file system of its own, so that paths say nothing there.
/// - `/usr/bin/example`, the path of the executable where that is believed (`Executable`), with ` (example.service)` behind it in
///   a service of the system.
/// - `unit:example.service`, where only that is known.
/// - `user-unit:signet-agent.service`, where the user's own manager runs signet-agent, which forbids to be traced.
///
/// Nothing of it is what the process says of itself, such as its name or its arguments. But processes of one user can trace,
/// preload and start each other: Sources/SECURITY.md says what a program's identity is worth among them.
package struct ProgramIdentity: Equatable, Sendable {
  /// At most `ItemLimit.program` bytes of harmless text; empty where it is not known.
  package let text: String
  /// By which the process is recognised quickly.
  private let executable: Executable?

  package static let unknown = ProgramIdentity(text: "", executable: nil)

  /// Reads it from /proc. The caller makes sure that the process is still the one that it means.
  package init(of peer: Peer) {
    executable = Executable(of: peer)
    let path = executable.flatMap { $0.isAtItsPath(for: peer) ? $0.path : nil } ?? ""
    text = ProgramIdentity.identity(group: ProgramIdentity.group(of: peer.pid), path: path)
  }

  private init(text: String, executable: Executable?) { (self.text, self.executable) = (text, executable) }

  /// Whether the process still runs this program; after an upgrade its successor is another file at the same path.
  package func isStill(of peer: Peer) -> Bool {
    guard let executable else { return Executable(of: peer) == nil }
    if executable.isRun(by: peer) { return true }
    guard let present = Executable(of: peer) else { return false }
    return present.path.utf8.elementsEqual(executable.path.utf8) && present.isAtItsPath(for: peer)
  }

  /// How people are told of a program of this name beside another one, from which they have to tell it apart; at most 60 bytes.
  package static func shown(_ text: String, beside other: String) -> String {
    if text.isEmpty { return "an unknown program" }
    return ForeignText.harmless(text).shortened(to: 60, beside: ForeignText.harmless(other))
  }

  // MARK: - what it means

  private static func group(of pid: Int32) -> String {
    let lines = PeerProcess.read("cgroup", of: pid).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return lines.split(separator: "\n").first { $0.hasPrefix("0::") }.map { String($0.dropFirst(3)) } ?? ""
  }

  /// From the control group of a process and its executable's path, which may be empty.
  static func identity(group: String, path: String) -> String {
    let parts = group.split(separator: "/").map(String.init)
    for part in parts.reversed() {
      if let application = flatpak(part) { return bounded("flatpak:\(application)") }
      if let application = snap(part) { return bounded("snap:\(application)") }
    }
    // A user's own manager starts units of any name.
    let unit = parts.first == "system.slice" ? parts.first { $0.hasSuffix(".service") } : nil
    if path.isEmpty { return unit.map { bounded("unit:\($0)") } ?? (isAgent(parts) ? "user-unit:\(agent)" : "") }
    return bounded(unit.map { "\(path) (\($0))" } ?? path)
  }

  private static let agent = "signet-agent.service"

  /// No debugger may read the agent's tokens, and of what may not be traced the kernel shows no executable. A program of the
  /// user's that is not confined can take this group, as it could load its code into the agent's own program; one that is
  /// confined has no way to it, and a container's groups are deeper.
  private static func isAgent(_ parts: [String]) -> Bool {
    parts.count == 5 && parts[0] == "user.slice" && parts[1].hasPrefix("user-") && parts[2].hasPrefix("user@")
      && parts[3].hasSuffix(".slice") && parts[4] == agent
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
