import CLinux
import Glibc

/// A network of its own (network_namespaces(7)): a machine among others. What was started in it keeps it; it ends with the last of those
/// and this value.
public final class Network {
  /// What programs that are started in it begin with.
  public let prefix: [String]
  private let holder: Program
  private let input: Int32

  /// Needs root's rights.
  public init() throws {
    var ends: [Int32] = [-1, -1]
    guard clinux_pipe(&ends) == 0 else { throw TestKitError("no pipe") }
    defer { close(ends[0]) }
    let lines = try Lines()
    holder = try Program(
      ["unshare", "--net", "--", "sh", "-c", "ip link set lo up && echo up && exec cat"], environment: Network.environment,
      descriptors: [0: ends[0], 1: lines.writer, 2: lines.writer])
    input = ends[1]
    prefix = ["nsenter", "--net=/proc/\(holder.pid)/ns/net", "--"]
    try lines.read(until: "\n")
    guard lines.text == "up\n" else { throw TestKitError("no network: \(lines.text)") }
  }

  deinit { close(input) }

  /// Lays a cable between the two. Each knows the other by its address.
  ///
  /// - Parameter name: of the cable, up to 15 letters, the same at both ends.
  public func connect(_ name: String, address: String, to other: Network, address otherAddress: String) throws {
    try ip("link", "add", name, "netns", "\(holder.pid)", "type", "veth", "peer", "name", name, "netns", "\(other.holder.pid)")
    try plug(name, address, peer: otherAddress)
    try other.plug(name, otherAddress, peer: address)
  }

  private func plug(_ name: String, _ address: String, peer: String) throws {
    try ip("address", "add", address, "peer", peer, "dev", name)
    try ip("link", "set", name, "up")
  }

  /// Pulls the cable out, or puts it back in.
  public func setCable(_ name: String, isIn: Bool) throws { try ip("link", "set", name, isIn ? "up" : "down") }

  private func ip(_ words: String...) throws { _ = try Program.output(prefix + ["ip"] + words) }

  private static let environment = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
}
