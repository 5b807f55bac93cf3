import Glibc
import SignetClient
import SignetVocabulary

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
  /// No reader, or a busy one.
  static var unavailable: ExitStatus { ExitStatus(rawValue: 5) }
  static var permissionDenied: ExitStatus { ExitStatus(rawValue: 6) }
  /// As shells report a program that a signal ended.
  static func interrupted(by signal: Int32) -> ExitStatus { ExitStatus(rawValue: 128 + signal) }

  init(rawValue: Int32) { self.rawValue = rawValue }

  init(_ refusal: Refusal) {
    switch refusal {
    case .permissionDenied: self = .permissionDenied
    case .readerUnavailable, .readerBusy: self = .unavailable
    case .stateUnusable, .passcodeDelayed, .vaultUnavailable: self = .locked
    case .unknownUser, .notEnrolled, .duplicateFinger, .storageFull, .passcodeFailed, .passcodeNotSet, .cancelled, .notFound,
      .failed, .duplicateItem, .vaultFull, .fingersChanged:
      self = .refused
    }
  }

  /// 0 for success alone: a verdict that this version does not know is a refusal.
  init(_ verdict: Verdict) {
    switch verdict {
    case .success: self = .done
    case .biometryLockout: self = .locked
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

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ refusal: Refusal, explanation: String) {
    self.init(ExitStatus(refusal), explanation.isEmpty ? RefusalText.of(refusal) : Printable.text(explanation))
  }

  /// signetd answered something else than what was asked.
  static var unexpectedReply: CommandFailure {
    CommandFailure(.noHelper, "signetd answered something else. Restart it: systemctl restart signetd")
  }

  init(_ error: ClientError, socket: String) {
    let place = Printable.text(socket)
    switch error {
    case .noHelper(let cause):
      self.init(
        .noHelper,
        "nobody answers at \(place): \(ErrorText.of(cause)). As root: systemctl start signetd.socket")
    case .untrustedHelper(let uid):
      self.init(.noHelper, "\(place) belongs to uid \(uid), not to root: nothing was sent. Check who listens there.")
    case .closed(0): self.init(.noHelper, "signetd closed the connection without an answer. Its log: journalctl -u signetd")
    case .closed(let cause): self.init(.noHelper, "the connection to signetd broke: \(ErrorText.of(cause)). Try again.")
    case .silent: self.init(.noHelper, "signetd is stopped or stuck at \(place). As root: systemctl restart signetd")
    case .malformed:
      self.init(.noHelper, "what answers at \(place) does not speak this version's protocol. Restart signetd after an update.")
    }
  }
}

enum ErrorText {
  /// strerror(3)'s words for an errno.
  static func of(_ error: Int32) -> String {
    guard let text = unsafe strerror(error) else { return "error \(error)" }
    return unsafe String(cString: text)
  }
}

/// For refusals that come without an explanation.
enum RefusalText {
  static func of(_ refusal: Refusal) -> String {
    switch refusal {
    case .permissionDenied: "permission denied. For another user's fingers, run it as root."
    case .unknownUser: "there is no such user. Check the name."
    case .notEnrolled: "this finger is not enrolled. See: signet list"
    case .readerUnavailable: "no fingerprint reader answers. See: signet readers"
    case .readerBusy: "the reader is in use. Try again when it is free."
    case .duplicateFinger: "this finger is enrolled already. See: signet list"
    case .storageFull: "the reader's own memory is full. Delete a finger, then try again."
    case .passcodeFailed: "the passcode was not accepted. Nothing was changed."
    case .passcodeNotSet: "this account has no passcode, and a finger alone is not enough. Set one with: passwd"
    case .stateUnusable: "the state file is unusable, so the fingerprints are locked. See: signet status"
    case .cancelled: "cancelled. Nothing was changed."
    case .notFound: "there is no such entry."
    case .passcodeDelayed: "too many wrong passcodes. Try again later. See: signet status"
    case .duplicateItem: "there is such an item already. To replace it: signet vault update"
    case .vaultFull: "no more items fit. Delete some: signet vault delete"
    case .vaultUnavailable: "the vault does not open. See: signet status"
    case .fingersChanged: "the enrolled fingers changed, and nothing opens this item any more. Delete it: signet vault delete"
    case .failed: "signetd could not do it. Its log: journalctl -u signetd"
    }
  }
}
