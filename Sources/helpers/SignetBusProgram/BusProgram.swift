// SignetBusProgram is what the programs have in common that stand between a message bus and signetd: their command line, and the lines
// that they write. It knows of no bus, and of nothing that is said on one.
//
// Compiled twice: normally, for the tests, and in Embedded Swift for the programs.
#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBytes
#endif

/// The command line: `[--bus ADDRESS] [--socket PATH]`, and `[--idle-exit SECONDS]` where the program ends by itself, `[--device PATH]`
/// where it has one.
public struct BusArguments: Equatable {
  public private(set) var bus: String
  public private(set) var socket: String
  /// How long to stay where nobody asks anything, in seconds; 0 for ever.
  public private(set) var idleExit: Int64
  public private(set) var device: String?

  /// Why a command line is none.
  public struct Refusal: Error { public var explanation: String }

  /// - Parameters:
  ///   - words: without the program's name.
  ///   - bus: where it is by itself.
  ///   - socket: signetd's, or that of the program.
  ///   - idleExit: how long to stay by itself; 0 where the program does not end, and has no such option.
  ///   - device: its node by itself; `nil` where it has none, and no such option.
  public init(
    parsing words: [String], bus: String, socket: String = "/run/signet/socket", idleExit: Int64 = 0, device: String? = nil
  ) throws(Refusal) {
    self.bus = bus
    self.socket = socket
    self.idleExit = idleExit
    self.device = device
    var rest = words[...]
    while let word = rest.popFirst() {
      guard let value = rest.popFirst(), !value.isEmpty else { throw Refusal(explanation: "\(word) needs a value") }
      switch word {
      case "--bus": self.bus = value
      case "--socket": self.socket = value
      case "--device" where device != nil: self.device = value
      case "--idle-exit" where idleExit > 0:
        guard let seconds = Int64(value), seconds > 0, seconds <= 86_400 else {
          throw Refusal(explanation: "\(value) is no number of seconds")
        }
        self.idleExit = seconds
      default: throw Refusal(explanation: "unknown argument \(word)")
      }
    }
  }
}

/// Severity, as in syslog(3), which journald reads from `<N>` in front of a line.
public enum LogLevel: Int {
  case error = 3, warning = 4, notice = 5, info = 6
}

/// What a program writes to standard error.
public enum BusLog {
  /// A line. What others named must make neither a second line, nor an endless one.
  public static func line(_ program: StaticString, _ level: LogLevel, _ text: String) -> String {
    "<\(level.rawValue)>\(program): \(ForeignText.harmless(String(text.unicodeScalars.prefix(400)), replacement: "?"))\n"
  }

  /// Writes it.
  public static func put(_ program: StaticString, _ level: LogLevel, _ text: String) {
    var bytes = Array(line(program, level, text).utf8)
    _ = bytes.withUnsafeMutableBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
