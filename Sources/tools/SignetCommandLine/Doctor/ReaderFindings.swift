import Glibc
import SignetLanguage
import SignetMachine
import SignetVocabulary
import SignetWire
import SignetWords

/// Readers: what signetd sees, whose their nodes are, and who else holds them.
struct ReaderFindings {
  private let machine: Machine
  private let holders: ReaderHolders
  private let listing: Result<Listing<ReaderDescription>, CommandFailure>

  /// - Parameter listing: what signetd answered.
  init(machine: Machine, listing: Result<Listing<ReaderDescription>, CommandFailure>) {
    self.machine = machine
    self.listing = listing
    holders = ReaderHolders(machine)
  }

  var all: [Finding] { seen + nodes + others }

  private var seen: [Finding] {
    switch listing {
    case .failure(let failure):
      return [
        .fail(.readers, say("signetd lists no readers: \(failure.message)"), "systemctl status signetd.socket signetd.service")
      ]
    case .success(let listing):
      if let failure = listing.failure { return [.warn(.readers, failure.message, "signet readers")] }
      guard !listing.rows.isEmpty else {
        return [
          .warn(.readers, say("no reader is there that libfprint supports; the passcode works"), "lsusb")
        ]
      }
      return listing.rows.map(seen)
    }
  }

  private func seen(_ reader: ReaderDescription) -> Finding {
    let words = say("\(reader.name) (driver \(reader.driver))")
    return switch reader.obstacle {
    case .none where !reader.tellsFinger:
      .ok(.readers, say("\(words) does not tell whether a finger is there: three cancelled scans count as a miss"))
    case .none: .ok(.readers, words)
    // As signet.conf wants it.
    case .lidClosed: .ok(.readers, say("\(words); the lid is \(StatusText.lidClosed([reader.identifier]))"))
    case .heldByOther:
      .warn(
        .readers, say("\(words) is held by another program: logins ask for the passcode"),
        machine.isRoot ? "" : say("signet doctor --only readers, as root"))
    }
  }

  /// The number of the group `signet`.
  private var group: UInt32? {
    machine.text("/etc/group")?.split(separator: "\n").first { $0.hasPrefix("signet:") }
      .flatMap { line in line.split(separator: ":").dropFirst(2).first.flatMap { UInt32($0) } }
  }

  private var nodes: [Finding] {
    guard let group else {
      return [.fail(.readers, say("there is no group signet, whose the readers are"), "systemd-sysusers signet.conf")]
    }
    return holders.nodes.compactMap { node in
      guard let status = machine.status(node) else { return nil }
      if status.st_gid == group, status.st_mode & 0o777 == 0o660 {
        return .ok(.readers, say("\(node) belongs to the group signet"))
      }
      return .fail(
        .readers,
        say("\(node) does not belong to the group signet alone: its mode is \(String(status.st_mode & 0o777, radix: 8))"),
        "udevadm control --reload && udevadm trigger --subsystem-match=usb --action=change")
    }
  }

  /// fprintd, and whoever has a node open.
  private var others: [Finding] {
    var found: [Finding] = []
    if holders.processes.contains(where: { holders.name(of: $0) == "fprintd" }) {
      found.append(
        .warn(.readers, say("fprintd runs, and holds a reader while it is used"), "systemctl mask --now fprintd.service"))
    }
    guard !holders.nodes.isEmpty else { return found }
    guard machine.isRoot else { return found + [.hidden(.readers, say("who holds a reader only root sees"))] }
    return found
      + holders.seen().map { .warn(.readers, say("\($0.words) holds \($0.node)"), say("end it, or log out where it runs")) }
  }
}
