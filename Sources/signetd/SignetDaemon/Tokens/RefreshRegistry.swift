import DaemonAccounts
import DaemonService
import SignetBytes
import SignetFiles
import SignetTokens
import SignetVocabulary
import Synchronization

/// The chains of refresh tokens, on file in the runtime directory as sessions are. The files hold digests, not tokens.
package final class RefreshRegistry: Sendable {
  private let folder: StateDirectory
  private let chains: Mutex<RefreshChains>

  package init(path: String) throws(SystemError) {
    folder = try StateDirectory(path: path, create: true).directory("refresh", create: true)
    var known: [RefreshChain] = []
    for name in try folder.names() {
      if let number = UInt64(name, radix: 16), let bytes = try? folder.read(name, limit: RefreshRegistry.limit),
        let chain = try? RefreshChain(decoding: bytes, number: number)
      {
        known.append(chain)
        continue
      }
      Log.write(.error, "\(folder.path)/\(name) cannot be used; its refresh tokens have ended")
      try folder.remove(name)
    }
    chains = Mutex(RefreshChains(known))
  }

  fileprivate static let limit = 4096

  /// The first token of a new chain of a session; `nil` where there is no memory.
  package func begin(for session: Session, audience: String, confirmation: [UInt8]) throws(SystemError) -> RefreshToken? {
    guard let number = RandomBytes.number(), let token = RefreshToken(of: number) else { return nil }
    let chain = RefreshChain(
      number: number, session: session.identifier, uid: session.uid, audience: audience, confirmation: confirmation,
      digest: token.digest)
    try keep(chain)
    if let ended = chains.withLock({ $0.begin(chain) }) { forget(ended) }
    return token
  }

  /// The chain whose newest token this is.
  package func chain(
    of token: Span<UInt8>, confirmation: Span<UInt8>, peer: UInt32
  ) throws(RefreshChains.Failure) -> RefreshChain {
    let result: Result<RefreshChain, RefreshChains.Failure> = chains.withLock { chains in
      do throws(RefreshChains.Failure) {
        return .success(try chains.chain(of: token, confirmation: confirmation, peer: peer))
      } catch {
        return .failure(error)
      }
    }
    if case .failure(.reused(let chain)) = result { forget(chain) }
    return try result.get()
  }

  /// The next token of a chain, which makes the last one useless. `nil` where another request used that one in the same moment, which
  /// ends the chain as a later use does, or where there is no memory.
  package func rotate(_ chain: RefreshChain) throws(SystemError) -> RefreshToken? {
    guard let token = RefreshToken(of: chain.number) else { return nil }
    guard let rotated = chains.withLock({ $0.rotate(chain, to: token) }) else {
      end { $0.number == chain.number }
      return nil
    }
    do throws(SystemError) { try keep(rotated) } catch {
      // After a restart the old token would be the newest again.
      end { $0.number == chain.number }
      throw error
    }
    return token
  }

  /// Ends the chain of a token, if there is one.
  package func end(_ token: Span<UInt8>, peer: UInt32) {
    let found = chains.withLock { chains in
      RefreshToken.chain(of: token).flatMap { number in
        chains.end { $0.number == number && (peer == 0 || peer == $0.uid) }.first
      }
    }
    if let found { forget(found) }
  }

  /// Ends chains whose session has ended.
  package func end(where isOver: (RefreshChain) -> Bool) { chains.withLock { $0.end(where: isOver) }.forEach(forget) }

  private func keep(_ chain: RefreshChain) throws(SystemError) {
    guard let bytes = try? chain.encoded() else { throw .call(.encode, "a refresh token", code: 0) }
    try folder.replace(chain.name, with: bytes, .volatile)
  }

  private func forget(_ chain: RefreshChain) {
    do throws(SystemError) { try folder.remove(chain.name) } catch { Log.write(.error, error.description) }
  }
}

extension RefreshChain {
  fileprivate var name: String { String(number, radix: 16) }

  fileprivate func encoded() throws(FormatError) -> [UInt8] {
    try Record.encode(.refresh, uid: uid, limit: RefreshRegistry.limit) { packet throws(FormatError) in
      try packet.put(raw: Array(session.text.utf8).span)
      try packet.put(text: audience, limit: FieldLimit.audience)
      try packet.put(confirmation.span, limit: FieldLimit.thumbprint)
      try packet.put(raw: digest.span)
    }
  }

  fileprivate init(decoding bytes: [UInt8], number: UInt64) throws(FormatError) {
    let uid = try Record.uid(of: bytes)
    self = try Record.decode(.refresh, uid: uid, bytes) { reader, _ throws(FormatError) in
      let name = Array(copying: try reader.bytes(FieldLimit.sessionIdentifier))
      guard let session = SessionName(String(decoding: name, as: UTF8.self)) else { throw .badValue }
      let audience = try reader.text(limit: FieldLimit.audience)
      let confirmation = Array(copying: try reader.string(limit: FieldLimit.thumbprint))
      let digest = Array(copying: try reader.bytes(32))
      return RefreshChain(
        number: number, session: session, uid: uid, audience: audience, confirmation: confirmation, digest: digest)
    }
  }
}
