import SignetClient
import SignetLanguage

/// One line of `signet doctor`.
struct Finding: Equatable, Sendable {
  enum Level: String, CaseIterable, Encodable, Sendable {
    case ok, warn, fail

    var words: String {
      switch self {
      case .ok: say("ok")
      case .warn: say("warn")
      case .fail: say("fail")
      }
    }
  }

  enum Group: String, CaseIterable, Encodable, Sendable {
    case readers, service, pam, keys, kernel, tpm, state, clock, configuration

    /// Of these, English ones are what `--only` takes.
    var words: String {
      switch self {
      case .readers: say("readers")
      case .service: say("service")
      case .pam: "pam"
      case .keys: say("keys")
      case .kernel: say("kernel")
      case .tpm: "tpm"
      case .state: say("state")
      case .clock: say("clock")
      case .configuration: say("configuration")
      }
    }
  }

  var group: Group
  var level: Level
  var message: String
  /// The command that mends it, or where to read on; empty where nothing is wrong or nothing can be done.
  var mend = ""
  /// Whether root would see more.
  var needsRoot = false

  static func ok(_ group: Group, _ message: String) -> Finding { Finding(group: group, level: .ok, message: message) }

  static func warn(_ group: Group, _ message: String, _ mend: String = "") -> Finding {
    Finding(group: group, level: .warn, message: message, mend: mend)
  }

  static func fail(_ group: Group, _ message: String, _ mend: String) -> Finding {
    Finding(group: group, level: .fail, message: message, mend: mend)
  }

  /// What a user cannot see: no fault, and no proof that all is well.
  static func hidden(_ group: Group, _ message: String) -> Finding {
    Finding(group: group, level: .ok, message: message, mend: "", needsRoot: true)
  }
}

/// As JSON has it; signet-json(5) names the keys.
struct DoctorRecord: Encodable {
  var group: Finding.Group
  var level: Finding.Level
  var message: String
  var command: String
  var needsRoot: Bool

  init(_ finding: Finding) {
    (group, level, message) = (finding.group, finding.level, finding.message)
    (command, needsRoot) = (finding.mend, finding.needsRoot)
  }
}
