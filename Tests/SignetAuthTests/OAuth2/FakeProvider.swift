import SignetAuthTestKit
import SignetJWT
import Synchronization

@testable import SignetAuth
@testable import SignetTokenServices

/// An identity provider in memory that does what its RFCs say, until a test makes it do something else.
final class FakeProvider: NetworkClient {
  struct Behaviour {
    var issuer = FakeProvider.issuer
    var metadata: JSONObject = [:]
    var idClaims: JSONObject = [:]
    var idKey: SigningKey?
    /// Answers of the token endpoint that come before its own.
    var errors: [(status: Int, code: String)] = []
    var tokenFields: JSONObject = [:]
    var wantsNonce: String?
    var isDown = false
    /// What becomes of a request on its way: the provider's own answer is had by the call, where it comes so far.
    var way: (@Sendable (NetworkRequest, () throws -> NetworkResponse) throws -> NetworkResponse)?
    /// Whether a refresh token that was exchanged is taken once more, until the one that was given for it is used: a grace period.
    var isGraceful = false
    /// Answers in the place of its own, by path.
    var answers: [String: NetworkResponse] = [:]
  }

  private struct State {
    var behaviour = Behaviour()
    var requests: [NetworkRequest] = []
    var nonce: String?
    var number = 0
    var current: String?
    var previous: String?
    var codes: [String: (challenge: String, redirect: String)] = [:]
  }

  static let issuer = "https://id.example/o"

  let key = SigningKey(keyID: "one")
  let time: ManualTime
  private let state = Mutex(State())

  init(time: ManualTime) { self.time = time }

  func change(_ body: @Sendable (inout Behaviour) -> Void) { state.withLock { body(&$0.behaviour) } }

  var requests: [NetworkRequest] { state.withLock { $0.requests } }
  func forms(_ path: String) -> [[String: String]] {
    requests.filter { $0.endpoint.path == path }.map { FormEncoding.decode(String(decoding: $0.body, as: UTF8.self)[...]) ?? [:] }
  }
  var current: String? { state.withLock { $0.current } }

  /// What the provider's page does once the owner said yes: a code for these fields of the request.
  func authorize(_ fields: [String: String]) -> String {
    state.withLock { state in
      state.number += 1
      let code = "code-\(state.number)"
      state.codes[code] = (fields["code_challenge"] ?? "", fields["redirect_uri"] ?? "")
      state.nonce = fields["nonce"]
      return code
    }
  }

  func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    try state.withLock { state in
      state.requests.append(request)
      if state.behaviour.isDown { throw NetworkError.timedOut(host: "id.example") }
      guard let way = state.behaviour.way else { return try answer(request, &state) }
      // Of the state there is one at a time.
      var copy = state
      defer { state = copy }
      return try way(request) { try self.answer(request, &copy) }
    }
  }

  private func answer(_ request: NetworkRequest, _ state: inout State) throws -> NetworkResponse {
    if let answer = state.behaviour.answers[request.endpoint.path] { return answer }
    switch request.endpoint.path {
    case "/o/.well-known/openid-configuration": return json(metadata(state.behaviour))
    case "/o/keys":
      return NetworkResponse(status: 200, body: JSONWebKeySet([(state.behaviour.idKey ?? key).publicKey]).encoded)
    case "/o/token": return try token(request, &state)
    case "/o/device":
      return json([
        "device_code": "device", "user_code": "ABCD-EFGH", "verification_uri": "https://id.example/o/activate", "expires_in": 600,
        "interval": 5,
      ])
    case "/o/revoke":
      (state.current, state.previous) = (nil, nil)
      return NetworkResponse(status: 200)
    case "/o/register":
      return json(
        [
          "client_id": "registered", "registration_client_uri": "https://id.example/o/register/1",
          "registration_access_token": "rat",
        ], status: 201)
    case "/o/register/1": return NetworkResponse(status: 204)
    case "/api": return NetworkResponse(status: 200)
    default: return NetworkResponse(status: 404)
    }
  }

  private func json(_ object: JSONObject, status: Int = 200, headers: NetworkHeaders = [:]) -> NetworkResponse {
    NetworkResponse(status: status, headers: headers, body: object.encoded)
  }

  private func metadata(_ behaviour: Behaviour) -> JSONObject {
    var metadata: JSONObject = [
      "issuer": .string(behaviour.issuer), "code_challenge_methods_supported": ["plain", "S256"],
      "id_token_signing_alg_values_supported": ["ES256"], "authorization_response_iss_parameter_supported": true,
    ]
    let endpoints = [
      "token_endpoint": "token", "authorization_endpoint": "authorize", "jwks_uri": "keys", "revocation_endpoint": "revoke",
      "device_authorization_endpoint": "device", "registration_endpoint": "register",
    ]
    for (name, path) in endpoints { metadata[name] = .string("https://id.example/o/" + path) }
    for name in behaviour.metadata.names { metadata[name] = behaviour.metadata[name] }
    return metadata
  }

  private func token(_ request: NetworkRequest, _ state: inout State) throws -> NetworkResponse {
    if let nonce = state.behaviour.wantsNonce {
      let proof = try? CompactJWS(request.headers["DPoP"] ?? "").unverifiedClaims().text("nonce")
      guard proof == nonce else { return json(["error": "use_dpop_nonce"], status: 400, headers: ["DPoP-Nonce": nonce]) }
    }
    if !state.behaviour.errors.isEmpty {
      let (status, code) = state.behaviour.errors.removeFirst()
      return json(["error": .string(code)], status: status)
    }
    let form = FormEncoding.decode(String(decoding: request.body, as: UTF8.self)[...]) ?? [:]
    guard isValid(form, &state) else {
      (state.current, state.previous) = (nil, nil)
      return json(["error": "invalid_grant", "error_description": "The refresh token was used before."], status: 400)
    }
    return try tokens(isBound: request.headers["DPoP"] != nil, &state)
  }

  private func isValid(_ form: [String: String], _ state: inout State) -> Bool {
    switch form["grant_type"] {
    case "authorization_code":
      guard let code = state.codes.removeValue(forKey: form["code"] ?? "") else { return false }
      return PKCE(verifier: form["code_verifier"] ?? "").challenge == code.challenge && form["redirect_uri"] == code.redirect
    case "refresh_token":
      guard let token = form["refresh_token"] else { return false }
      if token == state.current { return true }
      guard state.behaviour.isGraceful, token == state.previous else { return false }
      state.current = token
      return true
    case DeviceGrant.type: return form["device_code"] == "device"
    default: return false
    }
  }

  private func tokens(isBound: Bool, _ state: inout State) throws -> NetworkResponse {
    state.number += 1
    state.previous = state.current
    state.current = "refresh-\(state.number)"
    let now = Int(time.now)
    var claims: JSONObject = [
      "iss": .string(FakeProvider.issuer), "aud": "app", "sub": "alice", "iat": .integer(now), "exp": .integer(now + 300),
      "auth_time": .integer(now), "preferred_username": "Alice",
    ]
    if let nonce = state.nonce { claims["nonce"] = .string(nonce) }
    for name in state.behaviour.idClaims.names { claims[name] = state.behaviour.idClaims[name] }
    let key = state.behaviour.idKey ?? key
    let idToken = try CompactJWS.sign(claims, type: "JWT", header: ["kid": .string(key.publicKey.keyID ?? "")], by: key)
    var answer: JSONObject = [
      "access_token": .string("access-\(state.number)"), "token_type": isBound ? "DPoP" : "Bearer", "expires_in": 300,
      "refresh_token": .string("refresh-\(state.number)"), "id_token": .string(idToken),
    ]
    for name in state.behaviour.tokenFields.names { answer[name] = state.behaviour.tokenFields[name] }
    return json(answer)
  }
}
