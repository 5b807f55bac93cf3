import DaemonService

/// signetd's command line; see signetd(8). Plain enough not to need a library in the process that holds the keys.
package struct Options: Equatable, Sendable {
  /// Where to listen; `nil` for the socket that systemd passes, or the default.
  package var socket: String?
  package var stateDirectory = "/var/lib/signet"
  package var runtimeDirectory = "/run/signet"
  /// The configuration file; `nil` for the default, which need not exist.
  package var configuration: String?
  /// Seconds without a request after which signetd ends, 0 for never; `nil` for 30 with socket activation, else never.
  package var idleExit: Int64?

  /// Where the journal takes entries; `nil` for the system's, where standard error goes there too.
  package var journal: String?

  /// How many connections a second one user may make for long, 0 for any number; `nil` for the default.
  package var connectionRate: Int64?

  /// How the TPM is reached, as in tss2-tctildr(3); `nil` for the kernel's.
  package var tpm: String?

  /// Where the kernel has the state of the lid; `nil` for the usual place.
  package var lid: String?

  /// What is there while auditd runs; `nil` for the usual place.
  package var auditd: String?

  /// Where fprintd keeps its prints; `nil` for the usual place.
  package var fprintd: String?

  package static let usage = """
    usage: signetd [--socket PATH] [--state-dir DIR] [--runtime-dir DIR] [--config FILE] [--idle-exit SECONDS] [--journal SOCKET]
                   [--connection-rate NUMBER] [--fprintd-dir DIR] [--lid-dir DIR] [--tpm TCTI]
                   [--auditd-pid FILE]
    """

  /// Reads the words behind the program's name.
  package init(_ words: [String]) throws(StartFailure) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst() else { throw StartFailure(description: "\(word) needs a value\n\(Options.usage)") }
      switch word {
      case "--socket": socket = value
      case "--state-dir": stateDirectory = value
      case "--runtime-dir": runtimeDirectory = value
      case "--config": configuration = value
      case "--journal": journal = value
      case "--lid-dir": lid = value
      case "--fprintd-dir": fprintd = value
      case "--tpm": tpm = value
      case "--auditd-pid": auditd = value
      case "--idle-exit":
        guard let seconds = Int64(value), (0...86_400).contains(seconds) else {
          throw StartFailure(description: "--idle-exit needs 0 to 86400 seconds, found `\(value)`")
        }
        idleExit = seconds
      case "--connection-rate":
        guard let rate = Int64(value), (0...1_000).contains(rate) else {
          throw StartFailure(description: "--connection-rate needs 0 to 1000 a second, found `\(value)`")
        }
        connectionRate = rate
      default: throw StartFailure(description: "unknown option \(word)\n\(Options.usage)")
      }
    }
  }
}
