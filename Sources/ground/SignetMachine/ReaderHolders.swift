import SignetBytes

/// The programs that have a reader's node open, as far as who looks may see: root sees everybody's, a user their own. signetd, which has
/// few capabilities, sees root's programs that have no more than it.
package struct ReaderHolders {
  package struct Holder: Equatable {
    /// As the program calls itself, made harmless: fifteen bytes at most, and no proof of which program it is.
    package var name: String
    package var process: String
    package var node: String

    /// `fprintd (pid 812)`
    package var words: String { "\(name) (pid \(process))" }
  }

  /// More than a machine has with something wrong with it.
  private static let most = 4

  private let machine: Machine
  /// The nodes of what udev has marked as a reader.
  package let nodes: [String]

  package init(_ machine: Machine = Machine()) {
    self.machine = machine
    nodes = ReaderHolders.marked(machine)
  }

  private static func marked(_ machine: Machine) -> [String] {
    (machine.names("/run/udev/data") ?? []).compactMap { name in
      guard name.hasPrefix("c189:"), let minor = Int(name.dropFirst(5)), (0..<1 << 20).contains(minor),
        machine.text("/run/udev/data/\(name)")?.includes("E:ID_SIGNET_READER=1") == true
      else { return nil }
      return "/dev/bus/usb/\(ReaderHolders.padded(minor / 128 + 1))/\(ReaderHolders.padded(minor % 128 + 1))"
    }
  }

  private static func padded(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }

  package var processes: [String] { (machine.names("/proc") ?? []).filter { $0.allSatisfy(\.isNumber) } }

  /// The first few. signet-reader is none.
  ///
  /// - Parameter hasTime: asked before each process: somebody may wait for the passcode's prompt meanwhile.
  package func seen(while hasTime: () -> Bool = { true }) -> [Holder] {
    let nodes = Set(nodes)
    guard !nodes.isEmpty else { return [] }
    var found: [Holder] = []
    for process in processes where found.count < ReaderHolders.most && hasTime() {
      guard let node = node(of: process, among: nodes), case let name = name(of: process), name != "signet-reader" else {
        continue
      }
      found.append(Holder(name: name, process: process, node: node))
    }
    return found
  }

  private func node(of process: String, among nodes: Set<String>) -> String? {
    (machine.names("/proc/\(process)/fd") ?? []).lazy.compactMap { machine.link("/proc/\(process)/fd/\($0)") }
      .first(where: nodes.contains)
  }

  package func name(of process: String) -> String {
    // The kernel has no longer ones.
    let bytes = machine.text("/proc/\(process)/comm").map { $0.utf8.prefix(16).split(separator: UInt8(ascii: "\n")) }
    return bytes?.first.map { ForeignText.harmless(String(decoding: $0, as: UTF8.self)) } ?? ""
  }
}
