import SignetVocabulary

/// Proof that one user was authenticated once. Only `Evaluation` makes it, and releasing something consumes it: a second
/// use does not compile.
public struct AuthenticationEvidence: ~Copyable, Sendable {
  /// Whose evidence it is.
  public let uid: UInt32
  public let method: EvidenceMethod

  init(uid: UInt32, method: EvidenceMethod) {
    self.uid = uid
    self.method = method
  }
}
