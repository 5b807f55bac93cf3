import SignetJWT
import Synchronization

/// A provider's metadata and keys, fetched once and kept for a while. Any thread may use it.
final class Provider: Sendable {
  /// How many seconds they are kept.
  static let lifetime: Double = 3600
  /// A token with an unknown key has the keys fetched anew, but no oftener than this many seconds: anybody can make such a token.
  static let keyInterval: Double = 30

  private struct Cache {
    var metadata: (value: ProviderMetadata, time: Double)?
    var keys: (value: JSONWebKeySet, time: Double)?
  }

  let issuer: String
  let client: any NetworkClient
  private let unlisted: UnlistedEndpoints
  private let time: any TimeSource
  private let cache = Mutex(Cache())
  private let metadataFlight = SingleFlight<ProviderMetadata>()
  private let keyFlight = SingleFlight<JSONWebKeySet>()

  init(
    issuer: String, unlisted: UnlistedEndpoints = UnlistedEndpoints(), client: any NetworkClient, time: any TimeSource
  ) {
    self.issuer = issuer
    self.unlisted = unlisted
    self.client = client
    self.time = time
  }

  var host: String { (try? Endpoint(issuer))?.host ?? issuer }

  func metadata() async throws(AuthError) -> ProviderMetadata {
    if let known = cache.withLock({ $0.metadata }), time.now < known.time + Provider.lifetime { return known.value }
    return try await AuthError.typed { try await self.metadataFlight.run { try await self.discover() } }
  }

  private func discover() async throws(AuthError) -> ProviderMetadata {
    let locations: [Endpoint]
    do throws(NetworkError) { locations = try ProviderMetadata.locations(of: issuer) } catch { throw .network(error) }
    for (index, location) in locations.enumerated() {
      let response = try await get(location)
      // What a provider does not have it answers in its own way.
      guard response.status == 429 || !(400..<500).contains(response.status) else { continue }
      guard response.status == 200 else { throw .server(host: host, status: response.status) }
      var object = try response.object(from: location)
      for other in locations[(index + 1)...] { await complete(&object, from: other) }
      let metadata = try ProviderMetadata(object, issuer: issuer, host: host, unlisted: unlisted)
      cache.withLock { $0.metadata = (metadata, time.now) }
      return metadata
    }
    throw .oauth2(host: host, .unsupported("discovery"))
  }

  /// What OpenID Connect does not define, and many providers therefore name in RFC 8414's document alone.
  private static let beyondOpenID = ["revocation_endpoint", "registration_endpoint", "device_authorization_endpoint"]

  /// Adds what the other document of the same issuer knows. A provider that has none is whole without.
  private func complete(_ object: inout JSONObject, from location: Endpoint) async {
    let missing = Provider.beyondOpenID.filter { object[$0] == nil }
    guard !missing.isEmpty, let response = try? await get(location), response.status == 200,
      let other = try? response.object(from: location), other["issuer"]?.string?.hasSameBytes(as: issuer) == true
    else { return }
    for name in missing { object[name] = other[name] }
  }

  /// Has the metadata and keys ready, so that what is asked for once only is verified whatever becomes of the network.
  func prepare() async throws(AuthError) {
    _ = try await keys(after: nil)
  }

  private func get(_ endpoint: Endpoint) async throws(AuthError) -> NetworkResponse {
    try await client.answer(
      to: NetworkRequest(
        endpoint, headers: ["Accept": "application/json"], responseLimit: JSONWebKeySet.maximumSize, redirectLimit: 3))
  }

  /// Verifies by the provider's keys; by new ones where the known ones do not have the token's.
  func verify<Token: Sendable>(
    _ body: (JSONWebKeySet) throws(JWTError) -> Token
  ) async throws(AuthError) -> Token {
    let (keys, time) = try await keys(after: nil)
    do throws(JWTError) { return try body(keys) } catch {
      guard case .unknownKey = error, self.time.now >= time + Provider.keyInterval else { throw .token(host: host, error) }
    }
    let (newKeys, _) = try await self.keys(after: time)
    do throws(JWTError) { return try body(newKeys) } catch { throw .token(host: host, error) }
  }

  /// The keys and when they were fetched: others than those of `old`.
  private func keys(after old: Double?) async throws(AuthError) -> (JSONWebKeySet, Double) {
    if let known = cache.withLock({ $0.keys }), time.now < known.time + Provider.lifetime, known.time != old { return known }
    _ = try await AuthError.typed { try await self.keyFlight.run { try await self.fetchKeys() } }
    guard let known = cache.withLock({ $0.keys }) else { throw .oauth2(host: host, .unsupported("keys")) }
    return known
  }

  private func fetchKeys() async throws(AuthError) -> JSONWebKeySet {
    guard let endpoint = try await metadata().keys else { throw .oauth2(host: host, .unsupported("keys")) }
    let response = try await get(endpoint)
    guard response.status == 200 else { throw .server(host: host, status: response.status) }
    let keys: JSONWebKeySet
    do throws(JWTError) { keys = try JSONWebKeySet(json: response.body) } catch { throw .token(host: host, error) }
    cache.withLock { $0.keys = (keys, time.now) }
    return keys
  }
}
