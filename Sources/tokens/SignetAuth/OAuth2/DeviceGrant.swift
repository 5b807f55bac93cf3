import SignetJWT

/// What the owner is to do on another device.
public struct DevicePrompt: Equatable, Sendable {
  /// What they type there.
  public let userCode: String
  /// The page where they type it.
  public let page: String
  /// The same with the code in it, for a QR code.
  public let pageWithCode: String?
  /// How many seconds they have.
  public let lifetime: Double
}

/// Signs in by a page on another device (RFC 8628).
struct DeviceGrant: Sendable {
  static let type = "urn:ietf:params:oauth:grant-type:device_code"
  /// The longest that a code is waited for, whatever the provider says.
  static let maximumLifetime: Double = 1800

  let client: OAuth2Client
  let endpoint: TokenEndpoint
  let show: @Sendable (DevicePrompt) async -> Void
  let clock: any Clock<Duration>
  let time: any TimeSource

  func run() async throws(AuthError) -> TokenResponse {
    let metadata = try await endpoint.provider.metadata()
    let host = endpoint.provider.host
    guard let start = metadata.deviceAuthorization else { throw .oauth2(host: host, .unsupported("sign-in on another device")) }
    let response = try await endpoint.post([("scope", client.scopes.joined(separator: " "))], to: start, metadata)
    guard response.status == 200 else { throw TokenEndpoint.failure(response, start.host) }
    let code = try DeviceCode(response.object(from: start), host: start.host)
    let deadline = time.now + code.prompt.lifetime
    await show(code.prompt)
    return try await poll(code, until: deadline, metadata)
  }

  private func poll(_ code: DeviceCode, until deadline: Double, _ metadata: ProviderMetadata) async throws(AuthError)
    -> TokenResponse
  {
    var interval = code.interval
    while true {
      do { try await clock.sleep(for: .seconds(interval)) } catch { throw .cancelled }
      guard time.now < deadline else { throw .oauth2(host: metadata.token.host, .timedOut) }
      do throws(AuthError) {
        return try await endpoint.tokens([("grant_type", DeviceGrant.type), ("device_code", code.code)], metadata)
      } catch {
        interval = try DeviceGrant.interval(after: error, interval)
      }
    }
  }

  /// How long to wait before the next question (3.5).
  ///
  /// - Throws: an error that ends the waiting.
  static func interval(after error: AuthError, _ interval: Double) throws(AuthError) -> Double {
    switch error {
    case .oauth2(_, .code("authorization_pending")): return interval
    case .oauth2(_, .code("slow_down")): return min(interval + 5, 300)
    case .oauth2(let host, .code("expired_token")): throw .oauth2(host: host, .timedOut)
    case .network(.timedOut), .network(.unreachable), .server: return min(interval * 2, 300)
    default: throw error
    }
  }
}

/// The answer of the device authorization endpoint (RFC 8628, 3.2).
private struct DeviceCode {
  let code: String
  let interval: Double
  let prompt: DevicePrompt

  init(_ object: JSONObject, host: String) throws(AuthError) {
    func invalid(_ what: String) -> AuthError { .invalidResponse(host: host, what: what) }
    guard let code = TokenText.checked(object["device_code"]) else { throw invalid("no device code") }
    // It is shown on a terminal: nothing but what a keyboard has.
    guard let userCode = object["user_code"]?.string, (1...64).contains(userCode.utf8.count),
      userCode.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
    else { throw invalid("no user code") }
    guard let page = object["verification_uri"]?.string, let page = try? Endpoint(page) else { throw invalid("no page") }
    let complete = object["verification_uri_complete"]?.string.flatMap { try? Endpoint($0) }
    guard let lifetime = object["expires_in"]?.number, lifetime > 0 else { throw invalid("no lifetime") }
    self.code = code
    interval = min(max(object["interval"]?.number ?? 5, 1), 300)
    prompt = DevicePrompt(
      userCode: userCode, page: page.description, pageWithCode: complete?.description,
      lifetime: min(lifetime, DeviceGrant.maximumLifetime))
  }
}
