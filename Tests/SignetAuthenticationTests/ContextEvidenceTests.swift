import SignetAuthentication
import SignetVocabulary
import Testing

@Suite struct ContextEvidenceTests {
  private static let basis = ContextEvidence.Basis(locks: 7, fingers: [1, 2, 3])

  private static func evidence(_ method: EvidenceMethod) -> AuthenticationEvidence? {
    var evaluation = Evaluation(uid: 1000, policy: .deviceOwnerAuthentication, limits: LockoutLimits())
    guard method == .fingerprint else {
      _ = evaluation.begin(isLocked: true)
      return evaluation.passcodeVerified()
    }
    evaluation.arm(operation: 1)
    return evaluation.match(operation: 1)
  }

  private func kept(_ methods: EvidenceMethod..., at now: Int64 = 1_000) -> ContextEvidence {
    var kept = ContextEvidence()
    for method in methods {
      if let evidence = Self.evidence(method) { kept.keep(evidence, at: now, on: Self.basis) }
    }
    return kept
  }

  private func methods(
    _ evidence: ContextEvidence, at now: Int64 = 1_000, _ basis: ContextEvidence.Basis = basis, isLocked: Bool = false,
    lifetime: Int64 = ContextEvidence.lifetime
  ) -> Set<EvidenceMethod> {
    evidence.methods(at: now, on: basis, isLocked: isLocked, lifetime: lifetime)
  }

  @Test func `nothing counts before anything was proved, nor after it was forgotten`() {
    #expect(methods(ContextEvidence()) == [] && ContextEvidence().end == nil)
    var evidence = kept(.fingerprint, .passcode)
    #expect(methods(evidence) == [.fingerprint, .passcode])
    evidence.forget()
    #expect(methods(evidence) == [] && evidence.end == nil)
  }

  @Test(arguments: [EvidenceMethod.fingerprint, .passcode]) func `evidence counts for 300 seconds`(method: EvidenceMethod) {
    let evidence = kept(method)
    #expect(methods(evidence, at: 300_999) == [method])
    #expect(methods(evidence, at: 301_000) == [])
    #expect(evidence.end == 301_000)
  }

  @Test func `evidence of a moment to come counts for nothing`() {
    #expect(methods(kept(.fingerprint), at: 999) == [])
  }

  @Test func `a shorter life is asked for, and no longer one`() {
    #expect(methods(kept(.fingerprint), at: 6_000, lifetime: 5_000) == [])
    #expect(methods(kept(.fingerprint), at: 5_999, lifetime: 5_000) == [.fingerprint])
    #expect(methods(kept(.fingerprint), at: 301_000, lifetime: 900_000) == [])
  }

  @Test func `a lock ends all evidence, also when it is over`() {
    let evidence = kept(.fingerprint, .passcode)
    #expect(methods(evidence, isLocked: true) == [])
    #expect(methods(evidence, ContextEvidence.Basis(locks: 8, fingers: [1, 2, 3])) == [])
  }

  @Test func `other fingers end what a finger proved, and not what the passcode proved`() {
    let evidence = kept(.fingerprint, .passcode)
    #expect(methods(evidence, ContextEvidence.Basis(locks: 7, fingers: [1, 2])) == [.passcode])
    #expect(methods(evidence, ContextEvidence.Basis(locks: 7, fingers: [])) == [.passcode])
  }

  @Test func `a finger proves nothing where nobody knows which fingers there are`() {
    var evidence = ContextEvidence()
    let unknown = ContextEvidence.Basis(locks: 7, fingers: [])
    if let finger = Self.evidence(.fingerprint) { evidence.keep(finger, at: 1_000, on: unknown) }
    #expect(methods(evidence, unknown) == [])
  }

  @Test func `what is proved again counts anew`() {
    var evidence = kept(.fingerprint)
    if let again = Self.evidence(.fingerprint) { evidence.keep(again, at: 200_000, on: Self.basis) }
    #expect(methods(evidence, at: 400_000) == [.fingerprint])
    #expect(evidence.end == 500_000)
  }
}
