import Glibc
import SignetVocabulary
import SignetWire

/// Readers: what signetd sees, whose their nodes are, and who else holds them.
struct ReaderFindings {
  let machine: Machine
  /// What signetd answered.
  let listing: Result<Listing<ReaderDescription>, CommandFailure>

  var all: [Finding] { seen + nodes + others }

  private var seen: [Finding] {
    switch listing {
    case .failure(let failure):
      return [.fail(.readers, "signetd lists no readers: \(failure.message)", "systemctl status signetd.socket signetd.service")]
    case .success(let listing):
      if let failure = listing.failure { return [.warn(.readers, failure.message, "signet readers")] }
      guard !listing.rows.isEmpty else {
        return [
          .warn(.readers, "no reader is there that libfprint supports; the passcode works", "lsusb")
        ]
      }
      return listing.rows.map { .ok(.readers, "\($0.name) (driver \($0.driver))") }
    }
  }

  /// What udev has marked as a reader, by its node.
  private var marked: [String] {
    (machine.names("/run/udev/data") ?? []).compactMap { name in
      guard name.hasPrefix("c189:"), let minor = Int(name.dropFirst(5)), (0..<1 << 20).contains(minor),
        machine.text("/run/udev/data/\(name)")?.contains("E:ID_SIGNET_READER=1") == true
      else { return nil }
      return "/dev/bus/usb/\(ReaderFindings.padded(minor / 128 + 1))/\(ReaderFindings.padded(minor % 128 + 1))"
    }
  }

  private static func padded(_ number: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: max(0, 3 - text.count)) + text
  }

  /// The number of the group `signet`.
  private var group: UInt32? {
    machine.text("/etc/group")?.split(separator: "\n").first { $0.hasPrefix("signet:") }
      .flatMap { line in line.split(separator: ":").dropFirst(2).first.flatMap { UInt32($0) } }
  }

  private var nodes: [Finding] {
    guard let group else {
      return [.fail(.readers, "there is no group signet, whose the readers are", "systemd-sysusers signet.conf")]
    }
    return marked.compactMap { node in
      guard let status = machine.status(node) else { return nil }
      if status.st_gid == group, status.st_mode & 0o777 == 0o660 {
        return .ok(.readers, "\(node) belongs to the group signet")
      }
      return .fail(
        .readers, "\(node) does not belong to the group signet alone: its mode is \(String(status.st_mode & 0o777, radix: 8))",
        "udevadm control --reload && udevadm trigger --subsystem-match=usb --action=change")
    }
  }

  /// fprintd, and whoever has a node open.
  private var others: [Finding] {
    let processes = (machine.names("/proc") ?? []).filter { $0.allSatisfy(\.isNumber) }
    var found: [Finding] = []
    if processes.contains(where: { name(of: $0) == "fprintd" }) {
      found.append(.warn(.readers, "fprintd runs, and holds a reader while it is used", "systemctl mask --now fprintd.service"))
    }
    let nodes = Set(marked)
    guard !nodes.isEmpty else { return found }
    guard machine.isRoot else { return found + [.hidden(.readers, "who holds a reader only root sees")] }
    for process in processes where name(of: process) != "signet-reader" {
      let files = machine.names("/proc/\(process)/fd") ?? []
      guard let held = files.lazy.compactMap({ machine.link("/proc/\(process)/fd/\($0)") }).first(where: nodes.contains) else {
        continue
      }
      found.append(.warn(.readers, "\(name(of: process)) (pid \(process)) holds \(held)", "end it, or log out where it runs"))
    }
    return found
  }

  private func name(of process: String) -> String {
    machine.text("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init) ?? ""
  }
}
