import SignetBytes
import SignetJWT
import Synchronization

/// Proofs for requests, with the nonces that servers gave (RFC 9449, 8 and 9).
final class DPoPSession: Sendable {
  /// A nonce is a header's value of bounded size.
  private static let maximumNonceSize = 1024
  /// The servers that a client talks to are few.
  private static let maximumServers = 16

  private let key: any TokenSigner
  private let time: any TimeSource
  private let nonces = Mutex<[Endpoint.Origin: String]>([:])

  init(key: any TokenSigner, time: any TimeSource) {
    self.key = key
    self.time = time
  }

  /// The value of a `DPoP` header.
  func proof(for request: NetworkRequest, accessToken: String? = nil) throws(AuthError) -> String {
    let nonce = nonces.withLock { $0[request.endpoint.origin] }
    do throws(JWTError) {
      return try DPoP.proof(
        method: request.method.rawValue, target: request.endpoint.target, tokenID: RandomText.make(), now: time.now, nonce: nonce,
        accessToken: accessToken, by: key)
    } catch { throw .token(host: request.endpoint.host, error) }
  }

  /// Remembers the nonce of an answer.
  ///
  /// - Returns: whether it asks for the same once more, with the nonce.
  func take(_ response: NetworkResponse, from endpoint: Endpoint) -> Bool {
    guard let nonce = response.headers["DPoP-Nonce"], !nonce.isEmpty, nonce.utf8.count <= DPoPSession.maximumNonceSize else {
      return false
    }
    nonces.withLock { nonces in
      if nonces.count >= DPoPSession.maximumServers, nonces[endpoint.origin] == nil { nonces.removeAll() }
      nonces[endpoint.origin] = nonce
    }
    if response.status == 400 { return TokenResponse.errorCode(response) == "use_dpop_nonce" }
    return response.status == 401 && response.headers["WWW-Authenticate"]?.includes("use_dpop_nonce") == true
  }
}
