import SignetClient
import SignetVocabulary
import SignetWords

/// How the command ends; signet(1) documents the numbers.
struct ExitStatus: RawRepresentable, Equatable, Sendable {
  let rawValue: Int32

  static var done: ExitStatus { ExitStatus(rawValue: 0) }
  /// Refused, not verified, or not there.
  static var refused: ExitStatus { ExitStatus(rawValue: 1) }
  static var usage: ExitStatus { ExitStatus(rawValue: 2) }
  /// signetd does not answer, or not in its protocol.
  static var noHelper: ExitStatus { ExitStatus(rawValue: 3) }
  /// The fingerprints are locked.
  static var locked: ExitStatus { ExitStatus(rawValue: 4) }
  /// No reader, or a busy one; or signetd has no place left for the caller.
  static var unavailable: ExitStatus { ExitStatus(rawValue: 5) }
  static var permissionDenied: ExitStatus { ExitStatus(rawValue: 6) }
  /// As env(1) says of a command that it was to run.
  static var notStarted: ExitStatus { ExitStatus(rawValue: 125) }
  static var commandUnusable: ExitStatus { ExitStatus(rawValue: 126) }
  static var commandMissing: ExitStatus { ExitStatus(rawValue: 127) }
  /// As shells report a program that a signal ended.
  static func interrupted(by signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) }

  init(rawValue: Int32) { self.rawValue = rawValue }

  init(_ refusal: Refusal) {
    switch refusal.kind {
    case .permissionDenied: self = .permissionDenied
    case .unavailable: self = .unavailable
    case .locked: self = .locked
    case .refused: self = .refused
    }
  }

  init(_ error: ClientError) {
    switch error {
    case .cancelled: self = .refused
    case .busy: self = .unavailable
    case .noHelper, .untrustedHelper, .closed, .silent, .overdue, .malformed: self = .noHelper
    }
  }

  /// 0 for success alone: a verdict that this version does not know is a refusal.
  init(_ verdict: Verdict) {
    switch verdict {
    case .success: self = .done
    case .biometryLockout, .accountClosed, .passcodeExpired, .accountUnknown: self = .locked
    case .biometryNotAvailable: self = .unavailable
    case .invalidContext: self = .permissionDenied
    default: self = .refused
    }
  }
}

/// Why a command did not do what it was asked: what happened, to what, and what to do next.
struct CommandFailure: Error, Equatable {
  var status: ExitStatus
  var message: String

  /// The message may have others' words in it.
  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = Printable.text(message)
  }

  init(_ refusal: Refusal) { self.init(ExitStatus(refusal), RefusalText.of(refusal)) }

  static func interrupted(by signal: Int32) -> CommandFailure {
    CommandFailure(.interrupted(by: signal), ObstacleText.cancelled)
  }

  /// signetd answered something else than what was asked.
  static var unexpectedReply: CommandFailure { CommandFailure(.noHelper, ClientErrorText.unexpectedReply) }

  init(_ error: ClientError, socket: String) {
    self.init(ExitStatus(error), ClientErrorText.of(error, socket: socket))
  }
}
