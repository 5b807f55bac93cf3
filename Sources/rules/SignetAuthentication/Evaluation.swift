import SignetVocabulary

/// One evaluation of one user: how many misses and poor scans it has left, which scan's verdict counts, and what comes next.
/// Only an evaluation makes evidence: of a finger while a scan is under way, of the passcode after asking for it.
public struct Evaluation: ~Copyable, Sendable {
  private enum State {
    case ready
    /// The reader is armed under this operation number; no other number's verdict counts.
    case scanning(operation: UInt32)
    case askingPasscode
    case over
  }

  /// What to do after an event.
  public enum Next: Equatable, Sendable {
    /// Arm the reader; so many misses are left.
    case scan(missesLeft: Int)
    case askPasscode(PasscodeReason)
    case end(Verdict)
  }

  /// Why scanning ended without a verdict.
  public enum Stop: Sendable {
    case timedOut, userFallback, readerUnavailable, readerTooHot
    /// It was pulled out, or is not there.
    case readerGone
    /// The passcode that was asked for beside the finger has come.
    case passcodeTyped
    /// A program that is no part of Signet has the reader.
    case readerHeld
    /// Whoever sits at the reader uses it.
    case readerTaken
    /// A closed lid covers the reader.
    case lidClosed
    /// There is no passcode, or a locked one: no finger stands in for it.
    case passcodeNotSet
    case userCancel, systemCancel, appCancel
  }

  private let uid: UInt32
  private let policy: Policy
  private let limits: LockoutLimits
  private var state = State.ready
  private var misses = 0
  /// Why scanning ended the last time without a verdict.
  public private(set) var lastStop: Stop?
  /// Poor scans since the last verdict, counting those of earlier evaluations.
  public private(set) var poorScans: Int

  /// `poorScans`: the count that earlier evaluations left (`Lockout.poorScans`).
  public init(uid: UInt32, policy: Policy, limits: LockoutLimits, poorScans: Int = 0) {
    self.uid = uid
    self.policy = policy
    self.limits = limits
    self.poorScans = poorScans
  }

  public var missesLeft: Int { max(0, limits.missesPerEvaluation - misses) }

  /// The first step: a scan, or the passcode where the fingerprints are locked or this service allows no scan.
  public mutating func begin(isLocked: Bool) -> Next {
    if isLocked { return passcode(.lockout, otherwise: .biometryLockout) }
    return missesLeft > 0 ? .scan(missesLeft: missesLeft) : passcode(.readerUnavailable, otherwise: .biometryNotAvailable)
  }

  /// The strike is durable and the reader is being armed under this number.
  public mutating func arm(operation: UInt32) {
    guard case .ready = state else { return }
    state = .scanning(operation: operation)
  }

  /// Evidence, if this is the verdict of the scan that is under way. A verdict that is late, comes twice or belongs to another
  /// scan counts for nothing.
  public mutating func match(operation: UInt32) -> AuthenticationEvidence? {
    guard isScanning(operation) else { return nil }
    state = .over
    return AuthenticationEvidence(uid: uid, method: .fingerprint)
  }

  /// What follows a miss; `nil` where it is not the verdict of the scan that is under way.
  public mutating func miss(operation: UInt32, isLockedNow: Bool) -> Next? {
    guard isScanning(operation) else { return nil }
    state = .ready
    misses += 1
    poorScans = 0
    if isLockedNow { return passcode(.lockout, otherwise: .biometryLockout) }
    if missesLeft == 0 { return passcode(.misses, otherwise: .authenticationFailed) }
    return .scan(missesLeft: missesLeft)
  }

  /// What follows a poor scan. At the limit the evaluation fails, and the strike that was charged for it stays.
  public mutating func poorScan(operation: UInt32) -> Next? {
    guard isScanning(operation) else { return nil }
    poorScans += 1
    state = .ready
    if poorScans >= limits.poorScansPerEvaluation { return passcode(.misses, otherwise: .authenticationFailed) }
    return .scan(missesLeft: missesLeft)
  }

  /// What follows the end of scanning without a verdict.
  public mutating func stop(_ reason: Stop) -> Next {
    state = .ready
    lastStop = reason
    switch reason {
    case .timedOut: return passcode(.timedOut, otherwise: .biometryNotAvailable)
    case .userFallback, .passcodeTyped: return passcode(.userFallback, otherwise: .userFallback)
    case .readerUnavailable, .readerGone, .readerTooHot, .readerHeld, .readerTaken, .lidClosed:
      return passcode(.readerUnavailable, otherwise: .biometryNotAvailable)
    case .passcodeNotSet: return end(.passcodeNotSet)
    case .userCancel: return end(.userCancel)
    case .systemCancel: return end(.systemCancel)
    case .appCancel: return end(.appCancel)
    }
  }

  /// A reader is there again while the passcode is asked for. Whether the finger may be asked for beside it: the misses of before count
  /// on.
  public mutating func readerReturned(isLocked: Bool) -> Bool {
    guard case .askingPasscode = state, !isLocked, missesLeft > 0 else { return false }
    state = .ready
    return true
  }

  /// Evidence, if the passcode was asked for and verified.
  public mutating func passcodeVerified() -> AuthenticationEvidence? {
    guard case .askingPasscode = state else { return nil }
    state = .over
    return AuthenticationEvidence(uid: uid, method: .passcode)
  }

  private func isScanning(_ operation: UInt32) -> Bool {
    guard case .scanning(let current) = state else { return false }
    return current == operation
  }

  private mutating func passcode(_ reason: PasscodeReason, otherwise verdict: Verdict) -> Next {
    guard policy == .deviceOwnerAuthentication else { return end(verdict) }
    state = .askingPasscode
    return .askPasscode(reason)
  }

  private mutating func end(_ verdict: Verdict) -> Next {
    state = .over
    return .end(verdict)
  }
}
