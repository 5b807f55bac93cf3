import SignetLanguage
import SignetMachine

/// Units: what starts signetd, and what has to run beside it.
struct ServiceFindings {
  let machine: Machine

  private static let folders = ["/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system"]

  var all: [Finding] {
    guard machine.exists("/run/systemd/system") else {
      return [.warn(.service, say("systemd does not run here: nothing starts signetd"), "man signetd")]
    }
    return [
      unit("signetd.socket", wantedBy: "sockets.target", say("nobody can ask signetd after the next start")),
      machine.exists("/run/signet/socket")
        ? .ok(.service, say("signetd.socket listens at /run/signet/socket"))
        : .fail(.service, say("nothing listens at /run/signet/socket"), "systemctl start signetd.socket"),
      unit("signet-sleep.service", wantedBy: "sleep.target", say("a reader may be open while the machine sleeps")),
    ]
  }

  private func unit(_ name: String, wantedBy target: String, _ otherwise: String) -> Finding {
    guard Self.folders.contains(where: { machine.exists("\($0)/\(name)") }) else {
      return .fail(.service, say("\(name) is not installed"), say("install Signet again"))
    }
    // The link itself: what it names may be nowhere that a test has.
    guard machine.link("/etc/systemd/system/\(target).wants/\(name)") != nil else {
      return .warn(.service, say("\(name) is not enabled: \(otherwise)"), "systemctl enable --now \(name)")
    }
    return .ok(.service, say("\(name) is enabled"))
  }
}
