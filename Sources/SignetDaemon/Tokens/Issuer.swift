// DaemonTokens issues what a session gets besides its own token: signed access tokens that others verify without asking signetd
// (`Issuer`), the refresh tokens for which they are renewed (`RefreshRegistry`), and keys with which a session's programs seal
// (`SessionSeal`).
import DaemonAccounts
import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetTokens
import SignetVocabulary
import Synchronization

/// Signs access tokens, with keys that never leave signetd. They are on disk under the device key, and change by themselves
/// (`SigningKeys`). Safe from any thread.
package final class Issuer: Sendable {
  private let store: SharedStore
  private let clock: @Sendable () -> UInt64
  private let known = Mutex<(file: IssuerFile, stamp: FileStamp)?>(nil)

  package init(_ store: SharedStore, clock: @escaping @Sendable () -> UInt64 = { wallSeconds() }) {
    self.store = store
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

  /// A token for one audience, for a session that ends at a known time at the latest.
  package func issue(
    to session: Session, endsBy end: UInt64, for audience: String, confirmation: [UInt8]
  ) throws(Failure) -> Issued {
    let file = try current()
    let now = clock()
    guard let signing = SigningKeys(file.keys.map(\.entry)).signing(at: now),
      let key = file.keys.first(where: { $0.entry == signing }), let identifier = AccessToken.newIdentifier()
    else { throw .exhausted }
    let token = AccessToken(
      issuer: file.issuer, audience: audience, session: session, sessionEnds: end, issued: now, identifier: identifier,
      confirmation: confirmation)
    do throws(SigningError) {
      return Issued(token: try token.signed(by: key.key), lifetime: UInt32(clamping: token.expires - min(token.expires, now)))
    } catch {
      throw .signing(error)
    }
  }

  /// Who issues, and the public keys that verify what was and will be signed (RFC 7517).
  package func keySet() throws(Failure) -> (issuer: String, jwks: String) {
    let file = try current()
    return (file.issuer, SigningKeys(file.keys.map(\.entry)).jwks)
  }

  // MARK: - the keys

  /// The keys as they are now: read again where somebody put another file in place, and with a new key where it is time for one.
  private func current() throws(Failure) -> IssuerFile {
    let result: Result<IssuerFile, Failure> = known.withLock { known in
      do throws(Failure) {
        var file = try read(&known)
        if try renew(&file) { try write(file, &known) }
        return .success(file)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func read(_ known: inout (file: IssuerFile, stamp: FileStamp)?) throws(Failure) -> IssuerFile {
    do throws(SystemError) {
      let stamp = try store.value.root.stamp(IssuerFile.name)
      if let known, known.stamp == stamp { return known.file }
      let device = try store.value.deviceKey()
      guard let (bytes, stamp) = try store.value.root.readStamped(IssuerFile.name, limit: IssuerFile.limit) else {
        return try new()
      }
      guard let file = try? IssuerFile(opening: bytes, under: device) else {
        // Nothing is lost with them but the tokens of the last minutes.
        let path = "\(store.value.root.path)/\(IssuerFile.name)"
        Log.write(.error, "\(path) does not open; tokens are signed with a new key from now on")
        return try new()
      }
      known = (file, stamp)
      return file
    } catch {
      throw .state(error)
    }
  }

  private func new() throws(SystemError) -> IssuerFile {
    guard let identity = RandomBytes.array(IssuerFile.identityLength) else {
      throw .call(.makeKey, "\(store.value.root.path)/\(IssuerFile.name)", code: EAGAIN)
    }
    return IssuerFile(identity: identity, keys: [])
  }

  /// Whether a key was added or left out.
  private func renew(_ file: inout IssuerFile) throws(Failure) -> Bool {
    var keys = SigningKeys(file.keys.map(\.entry))
    let now = clock()
    let retired = keys.retire(at: now)
    file.keys.removeAll { retired.contains($0.entry) }
    guard let from = keys.due(at: now) else { return !retired.isEmpty }
    do throws(SigningError) { file.keys.append(IssuerFile.Key(try ES256Key(random: ()), from: from)) } catch {
      throw .signing(error)
    }
    return true
  }

  private func write(_ file: IssuerFile, _ known: inout (file: IssuerFile, stamp: FileStamp)?) throws(Failure) {
    do {
      let bytes = try file.sealed(under: try store.value.deviceKey())
      try store.value.root.replace(IssuerFile.name, with: bytes)
      guard let stamp = try store.value.root.stamp(IssuerFile.name) else { return }
      known = (file, stamp)
    } catch let error as SystemError {
      throw .state(error)
    } catch {
      throw .state(.call(.seal, "\(store.value.root.path)/\(IssuerFile.name)", code: ENOMEM))
    }
  }
}
