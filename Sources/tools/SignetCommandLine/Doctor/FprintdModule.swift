import SignetBytes
import SignetMachine

/// pam_fprintd.so: whose it is, and who calls it.
struct FprintdModule {
  static let name = "pam_fprintd.so"
  private static let folder = "/etc/pam.d"

  private let machine: Machine

  init(_ machine: Machine) { self.machine = machine }

  /// The module is Signet's own where fprintd's name is.
  var isSignets: Bool {
    machine.text("/usr/share/dbus-1/system-services/net.reactivated.Fprint.service")?.includes("signet-fprint") == true
  }

  /// The files that have it.
  var files: [String] {
    (machine.names(FprintdModule.folder) ?? []).filter { name in
      (machine.text("\(FprintdModule.folder)/\(name)") ?? "").split(separator: "\n")
        .contains { !$0.drop(while: \.isWhitespace).hasPrefix("#") && $0.includes(FprintdModule.name) }
    }
  }
}
