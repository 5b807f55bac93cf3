import DaemonAccounts
import SignetMemory
import SignetSealing
import SignetTokens
import SignetVocabulary

/// Keys for what the programs of a session seal. Each is wrapped under a key that comes from the session's token, which only the
/// session has, and from random bits that only signetd has: they end with the session, and with a lock of its user.
package struct SessionSeal: ~Copyable {
  private static let label: StaticString = "seal of a session"
  private let wrapping: SealingKey
  private let context: SealContext

  /// `nil` where there is no memory.
  package init?(_ sessions: SessionRegistry, _ session: Session, token: Span<UInt8>) throws(SystemError) {
    guard let new = RandomBytes.array(FieldLimit.token), let sealing = try sessions.sealing(of: session, orElse: new),
      var secret = SecretBytes(capacity: SealingKey.length), secret.append(sealing.span), let key = SealingKey(secret),
      let wrapping = key.derived(SessionSeal.label, token)
    else { return nil }
    self.wrapping = wrapping
    context = SealContext("SGse", uid: session.uid, name: Array(session.identifier.text.utf8))
  }

  /// A new key, and its wrapped form.
  package func newKey() -> WrappedKey? {
    guard let key = SealingKey(random: ()) else { return nil }
    guard let wrapped = wrap(key) else { return nil }
    return WrappedKey(key: key, wrapped: wrapped)
  }

  private func wrap(_ key: borrowing SealingKey) -> [UInt8]? { wrapping.seal(key.secret.span, for: context) }

  /// A key that was wrapped before; `nil` where another session wrapped it, or a lock came in between.
  package func key(_ wrapped: Span<UInt8>) -> WrappedKey? {
    guard let secret = wrapping.open(wrapped, for: context), let key = SealingKey(secret) else { return nil }
    return WrappedKey(key: key, wrapped: Array(copying: wrapped))
  }

  package struct WrappedKey: ~Copyable {
    package let key: SealingKey
    package let wrapped: [UInt8]
  }
}
