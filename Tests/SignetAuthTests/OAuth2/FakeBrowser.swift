import SignetAuth
import Synchronization

@testable import SignetAuth
@testable import SignetTokenServices

/// A browser with an owner who says yes: it goes to the program's page over HTTP, from there to the provider, and back with
/// an answer.
final class FakeBrowser: BrowserOpener {
  /// What it brings back, made of the fields of the request and a code.
  typealias Answer = @Sendable (_ asked: [String: String], _ code: String) -> [(String, String)]

  private let provider: FakeProvider
  private let answer: Answer
  private let network: HTTPNetworkClient
  private let state = Mutex((statuses: [Int](), asked: [String: String](), page: ""))
  private let visits = Mutex<Task<Void, any Error>?>(nil)

  init(_ provider: FakeProvider, _ answer: @escaping Answer = FakeBrowser.right) throws {
    self.provider = provider
    self.answer = answer
    network = try HTTPNetworkClient()
  }

  @Sendable static func right(_ asked: [String: String], _ code: String) -> [(String, String)] {
    [("code", code), ("state", asked["state"] ?? ""), ("iss", FakeProvider.issuer)]
  }

  /// How its visits at the program's pages were answered.
  var statuses: [Int] { state.withLock { $0.statuses } }
  /// The fields of the request to the provider.
  var asked: [String: String] { state.withLock { $0.asked } }
  var page: String { state.withLock { $0.page } }

  func open(_ url: String) async throws {
    state.withLock { $0.page = url }
    try await run {
      let (asked, cookie) = try await self.start(url)
      try await self.bring(self.answer(asked, self.provider.authorize(asked)), to: asked["redirect_uri"] ?? "", cookie: cookie)
    }
  }

  /// Does what a browser does, which goes on when nobody waits for it any more.
  func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await body() }
    visits.withLock { $0 = task }
    try await task.value
  }

  /// Waits until the browser shows the last page.
  func finish() async throws { try await visits.withLock { $0 }?.value }

  /// Visits the first page.
  ///
  /// - Returns: the fields of the request that it leads to, and the cookie.
  func start(_ url: String) async throws -> ([String: String], String) {
    let response = try await visit(url)
    let target = try Endpoint(response.headers["Location"] ?? "")
    let asked = FormEncoding.decode((target.query ?? "")[...]) ?? [:]
    state.withLock { $0.asked = asked }
    return (asked, String((response.headers["Set-Cookie"] ?? "").prefix { $0 != ";" }))
  }

  @discardableResult func bring(_ fields: [(String, String)], to redirect: String, cookie: String?) async throws -> Int {
    try await visit(try Endpoint(redirect).adding(fields).description, cookie: cookie).status
  }

  func visit(_ url: String, cookie: String? = nil, host: String? = nil) async throws -> NetworkResponse {
    var request = NetworkRequest(try Endpoint(url))
    if let cookie { request.headers["Cookie"] = cookie }
    if let host { request.headers["Host"] = host }
    let response = try await network.send(request)
    state.withLock { $0.statuses.append(response.status) }
    return response
  }
}
