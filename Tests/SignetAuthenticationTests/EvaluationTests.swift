import SignetAuthentication
import SignetVocabulary
import Testing

@Suite struct EvaluationTests {
  private func evaluation(_ policy: Policy = .deviceOwnerAuthentication) -> Evaluation {
    Evaluation(uid: 1000, policy: policy, limits: LockoutLimits())
  }

  @Test func `three misses ask for the passcode`() {
    var evaluation = evaluation()
    for operation in UInt32(1)...3 {
      evaluation.arm(operation: operation)
      let next = evaluation.miss(operation: operation, isLockedNow: false)
      #expect(next == (operation < 3 ? .scan(missesLeft: Int(3 - operation)) : .askPasscode(.misses)))
    }
  }

  @Test func `without a passcode in the policy three misses fail`() {
    var evaluation = evaluation(.deviceOwnerAuthenticationWithBiometrics)
    for operation in UInt32(1)...2 {
      evaluation.arm(operation: operation)
      _ = evaluation.miss(operation: operation, isLockedNow: false)
    }
    evaluation.arm(operation: 3)
    #expect(evaluation.miss(operation: 3, isLockedNow: false) == .end(.authenticationFailed))
  }

  @Test func `a match of another operation makes no evidence`() {
    var evaluation = evaluation()
    evaluation.arm(operation: 7)
    let stale = method(of: evaluation.match(operation: 6))
    #expect(stale == nil)
    let current = method(of: evaluation.match(operation: 7))
    #expect(current == .fingerprint)
    let again = method(of: evaluation.match(operation: 7))
    #expect(again == nil)
  }

  @Test func `a match after the evaluation was stopped makes no evidence`() {
    var evaluation = evaluation()
    evaluation.arm(operation: 1)
    #expect(evaluation.stop(.userFallback) == .askPasscode(.userFallback))
    let late = method(of: evaluation.match(operation: 1))
    #expect(late == nil)
  }

  @Test func `a passcode that was not asked for makes no evidence`() {
    var evaluation = evaluation()
    evaluation.arm(operation: 1)
    let unasked = method(of: evaluation.passcodeVerified())
    #expect(unasked == nil)
  }

  @Test func `poor scans of evaluations that were cancelled count`() {
    var evaluation = Evaluation(
      uid: 1000, policy: .deviceOwnerAuthentication, limits: LockoutLimits(), poorScans: 9)
    evaluation.arm(operation: 1)
    #expect(evaluation.poorScan(operation: 1) == .askPasscode(.misses))
  }

  @Test func `no tries at all mean the passcode at once`() {
    var limits = LockoutLimits()
    limits.missesPerEvaluation = 0
    var either = Evaluation(uid: 1000, policy: .deviceOwnerAuthentication, limits: limits)
    #expect(either.begin(isLocked: false) == .askPasscode(.readerUnavailable))
    var finger = Evaluation(uid: 1000, policy: .deviceOwnerAuthenticationWithBiometrics, limits: limits)
    #expect(finger.begin(isLocked: false) == .end(.biometryNotAvailable))
  }

  @Test func `the tenth poor scan ends scanning`() {
    var evaluation = evaluation()
    for operation in UInt32(1)...10 {
      evaluation.arm(operation: operation)
      let next = evaluation.poorScan(operation: operation)
      #expect(next == (operation < 10 ? .scan(missesLeft: 3) : .askPasscode(.misses)))
    }
  }

  @Test func `a reader that returns is asked where the passcode is, while there is no lock and a miss is left`() {
    var evaluation = evaluation()
    var returned = [evaluation.readerReturned(isLocked: false)]
    evaluation.arm(operation: 1)
    _ = evaluation.miss(operation: 1, isLockedNow: false)
    returned.append(evaluation.readerReturned(isLocked: false))
    #expect(evaluation.stop(.readerUnavailable) == .askPasscode(.readerUnavailable))
    returned += [evaluation.readerReturned(isLocked: true), evaluation.readerReturned(isLocked: false)]
    #expect(returned == [false, false, false, true])
    let tooEarly = method(of: evaluation.passcodeVerified())
    #expect(tooEarly == nil)
    evaluation.arm(operation: 2)
    #expect(evaluation.miss(operation: 2, isLockedNow: false) == .scan(missesLeft: 1))
    evaluation.arm(operation: 3)
    #expect(evaluation.miss(operation: 3, isLockedNow: false) == .askPasscode(.misses))
    let (again, verified) = (evaluation.readerReturned(isLocked: false), method(of: evaluation.passcodeVerified()))
    #expect(!again && verified == .passcode)
  }

  @Test func `a locked user is asked for the passcode at once`() {
    var evaluation = evaluation()
    #expect(evaluation.begin(isLocked: true) == .askPasscode(.lockout))
  }
}

/// What the evidence says, as a value that `#expect` can hold.
private func method(of evidence: consuming AuthenticationEvidence?) -> EvidenceMethod? {
  switch consume evidence {
  case .some(let evidence): evidence.method
  case .none: nil
  }
}
