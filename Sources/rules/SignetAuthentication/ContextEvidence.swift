import SignetVocabulary

/// What the evaluations of one context have proved, and how long it counts: so that an application which has just asked for a
/// finger reads its items without asking again. A value without I/O; moments are milliseconds of the boot clock.
///
/// It stays in signetd. It is no token that somebody could take along, and it releases nothing by itself.
public struct ContextEvidence: Equatable, Sendable {
  /// What has to stay as it is for evidence to count.
  public struct Basis: Equatable, Sendable {
    /// Grows whenever the user is locked or their vault is closed.
    public var locks: UInt64
    /// Stands for the fingers that are enrolled.
    public var fingers: [UInt8]

    public init(locks: UInt64, fingers: [UInt8]) {
      self.locks = locks
      self.fingers = fingers
    }
  }

  /// How long evidence counts, in milliseconds.
  public static let lifetime: Int64 = 300_000

  private struct Proved: Equatable, Sendable {
    var at: Int64
    var basis: Basis
  }

  private var fingerprint: Proved?
  private var passcode: Proved?

  public init() {}

  /// Keeps what a piece of evidence proves. The same evidence may be used up for something else besides.
  public mutating func keep(_ evidence: borrowing AuthenticationEvidence, at now: Int64, on basis: Basis) {
    switch evidence.method {
    case .fingerprint: fingerprint = Proved(at: now, basis: basis)
    case .passcode: passcode = Proved(at: now, basis: basis)
    case .none: break
    }
  }

  /// What counts now. `isLocked`: whether only the passcode will do now, and then nothing does that was proved before.
  /// `lifetime`: how long ago it may have been proved, if that is shorter than usual.
  public func methods(
    at now: Int64, on basis: Basis, isLocked: Bool, lifetime: Int64 = ContextEvidence.lifetime
  ) -> Set<EvidenceMethod> {
    guard !isLocked else { return [] }
    let limit = min(lifetime, ContextEvidence.lifetime)
    func counts(_ proved: Proved?) -> Bool {
      guard let proved, now >= proved.at else { return false }
      return now - proved.at < limit && proved.basis.locks == basis.locks
    }
    var methods: Set<EvidenceMethod> = []
    if counts(fingerprint), !basis.fingers.isEmpty, fingerprint?.basis.fingers == basis.fingers { methods.insert(.fingerprint) }
    if counts(passcode) { methods.insert(.passcode) }
    return methods
  }

  /// When the last of it stops counting, if nothing else happens; `nil` where there is none.
  public var end: Int64? { [fingerprint, passcode].compactMap { $0?.at }.max().map { $0 + ContextEvidence.lifetime } }

  public mutating func forget() { self = ContextEvidence() }
}
