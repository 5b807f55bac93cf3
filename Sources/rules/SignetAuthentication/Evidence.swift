import SignetVocabulary

/// Proof that one user was authenticated once. Only `Evaluation` makes it, and whatever is released for it consumes it, so
/// that code which uses it twice does not compile.
public struct AuthenticationEvidence: ~Copyable, Sendable {
  /// The user who was authenticated.
  public let uid: UInt32
  public let method: EvidenceMethod

  init(uid: UInt32, method: EvidenceMethod) {
    self.uid = uid
    self.method = method
  }
}
