// DaemonTokens issues what a session gets besides its own token: signed access tokens that others verify without asking signetd
// (`Issuer`), the refresh tokens for which they are renewed (`RefreshRegistry`), and keys with which a session's programs seal
// (`SessionSeal`).
import DaemonAccounts
import DaemonService
import SignetTokens
import SignetVocabulary

/// Signs access tokens, with keys that never leave signetd, nor the TPM where they are in one (`IssuerKey`). They change by
/// themselves (`SigningKeys`). Safe from any thread.
package final class Issuer: Sendable {
  private let keys: IssuerKeyring
  private let turns = SigningTurns()
  private let clock: @Sendable () -> UInt64

  /// How long the TPM may take to sign, in milliseconds: less than those who ask wait for signetd. After that a key in a file signs.
  private let signingLimit: Int64
  /// After how many keys that the TPM has lost nothing is signed: the next one is in a file.
  private static let attempts = 3

  package init(
    _ store: SharedStore, signingLimit: Int64 = 3_500, clock: @escaping @Sendable () -> UInt64 = { wallSeconds() }
  ) {
    self.signingLimit = signingLimit
    keys = IssuerKeyring(store, clock: clock)
    self.clock = clock
  }

  package enum Failure: Error, Equatable {
    /// The keys cannot be read or kept.
    case state(SystemError)
    /// Nothing signs: see `SigningError`.
    case signing(SigningError)
    /// The kernel gives no random bytes.
    case exhausted
  }

  /// An access token, and in how many seconds it expires.
  package struct Issued: Sendable {
    package var token: String
    package var lifetime: UInt32
  }

  /// A token for one audience, for a session that ends at a known time at the latest. Where the TPM signs, that takes up to some
  /// seconds, in which the session may end.
  package func issue(
    to session: Session, endsBy end: UInt64, for audience: String, confirmation: [UInt8]
  ) throws(Failure) -> Issued {
    guard let identifier = AccessToken.newIdentifier() else { throw .exhausted }
    return try turns.take(of: session.uid) { () throws(Failure) in
      try withKey { file, key, now throws(IssuerKey.Failure) in
        let token = AccessToken(
          issuer: file.issuer, audience: audience, session: session, sessionEnds: end, issued: now, identifier: identifier,
          confirmation: confirmation)
        let text = try token.signed(for: key.publicKey) { message throws(IssuerKey.Failure) in
          try key.sign(message, keys.tpm, within: signingLimit)
        }
        return Issued(token: text, lifetime: UInt32(clamping: token.expires - min(token.expires, now)))
      }
    }
  }

  /// Signs with the key whose time it is, or where the TPM does not sign with that, with the one that comes in its place.
  private func withKey(
    _ sign: (IssuerFile, IssuerKey, UInt64) throws(IssuerKey.Failure) -> Issued
  ) throws(Failure) -> Issued {
    for _ in 0..<Issuer.attempts {
      let now = clock()
      let file = try keys.current(at: now)
      guard let key = file.key(at: now) else { throw .exhausted }
      do throws(IssuerKey.Failure) { return try sign(file, key, now) } catch {
        switch error {
        case .signing(let error): throw .signing(error)
        case .tpm(let failure): try keys.replace(key, after: failure)
        }
      }
    }
    throw .signing(.refused)
  }

  /// Who issues, and the public keys that verify what was and will be signed (RFC 7517).
  package func keySet() throws(Failure) -> (issuer: String, jwks: String) {
    let file = try keys.current(at: clock())
    return (file.issuer, file.signingKeys.jwks)
  }

  /// Where the key is that signs, for `signet status`. Makes none.
  package var home: TokenKeyHome { keys.home }
}
