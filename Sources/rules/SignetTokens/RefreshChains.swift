import SignetBytes
import SignetDigest
import SignetMemory
import SignetVocabulary

/// A chain of refresh tokens, each of which was given for the one before (RFC 6749, section 6, with the rotation of RFC 9700,
/// section 4.14). Only the newest is valid. It belongs to one session and one audience, and ends with the session.
public struct RefreshChain: Equatable, Sendable {
  /// Where a token says which chain it is of.
  public var number: UInt64
  public var session: SessionName
  public var uid: UInt32
  public var audience: String
  /// As in `AccessToken`.
  public var confirmation: [UInt8]
  /// SHA-256 of the newest token.
  public var digest: [UInt8]

  public init(
    number: UInt64, session: SessionName, uid: UInt32, audience: String, confirmation: [UInt8], digest: [UInt8]
  ) {
    self.number = number
    self.session = session
    self.uid = uid
    self.audience = audience
    self.confirmation = confirmation
    self.digest = digest
  }
}

/// The chains of all open sessions: a value without I/O.
public struct RefreshChains: Sendable {
  /// The most chains of one session. The oldest ends for one more.
  public static let limit = 16

  public private(set) var chains: [RefreshChain]

  public init(_ chains: [RefreshChain] = []) { self.chains = chains }

  /// Why a token refreshes nothing.
  public enum Failure: Error, Equatable, Sendable {
    /// It is of no chain, or of another user's, or of another key's.
    case unknown
    /// It was used before: somebody has a copy of it. The chain has ended.
    case reused(RefreshChain)
  }

  /// Begins a chain with its first token; returns the chain that had to end for it.
  public mutating func begin(_ chain: RefreshChain) -> RefreshChain? {
    let own = chains.indices.filter { chains[$0].session == chain.session }
    let ended = own.count >= RefreshChains.limit ? chains.remove(at: own[0]) : nil
    chains.append(chain)
    return ended
  }

  /// The chain of a token, which must be its newest. `peer` must be root or the chain's user.
  public mutating func chain(of token: Span<UInt8>, confirmation: Span<UInt8>, peer: UInt32) throws(Failure) -> RefreshChain {
    guard let number = RefreshToken.chain(of: token),
      let index = chains.firstIndex(where: { $0.number == number && (peer == 0 || peer == $0.uid) })
    else { throw .unknown }
    // The time that comparing takes tells something about the digest, and nothing useful about the token.
    guard chains[index].digest == SHA256.hash(token) else { throw .reused(chains.remove(at: index)) }
    // A key that is not the chain's is a thief's, or a mistake: the chain is left to who has the right one.
    let expected = chains[index].confirmation
    guard confirmation.isEqual(to: expected.span) else { throw .unknown }
    return chains[index]
  }

  /// Makes another token the newest of its chain.
  public mutating func rotate(_ chain: RefreshChain, to token: borrowing RefreshToken) -> RefreshChain? {
    guard let index = chains.firstIndex(where: { $0.number == chain.number && $0.digest == chain.digest }) else { return nil }
    chains[index].digest = token.digest
    return chains[index]
  }

  /// Ends chains, and returns them.
  public mutating func end(where isOver: (RefreshChain) -> Bool) -> [RefreshChain] {
    let over = chains.filter(isOver)
    chains.removeAll(where: isOver)
    return over
  }
}

/// A refresh token: the number of its chain, and 256 random bits.
public struct RefreshToken: ~Copyable, Sendable {
  private static let numberLength = 8
  public let secret: SecretBytes
  public let digest: [UInt8]

  /// A new one of a chain; `nil` where the kernel gives no random bytes or no memory.
  public init?(of chain: UInt64) {
    guard let random = RandomBytes.secret(FieldLimit.token), var secret = SecretBytes(capacity: FieldLimit.refreshToken),
      (try? secret.put(chain, size: RefreshToken.numberLength)) != nil, secret.append(random.span)
    else { return nil }
    digest = SHA256.hash(secret.span)
    self.secret = secret
  }

  /// The number of its chain; `nil` where it has another length than a refresh token.
  public static func chain(of token: Span<UInt8>) -> UInt64? {
    guard token.count == FieldLimit.refreshToken else { return nil }
    return (0..<numberLength).reduce(0) { $0 | UInt64(token[$1]) << (8 * UInt64($1)) }
  }
}
