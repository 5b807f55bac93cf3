import Glibc
import SignetAuthTestKit
import SignetJSON
import SignetTestKit
import Synchronization
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

/// Running providers, and a network that trusts their authority alone besides the system's.
struct Providers: Sendable {
  static let reasonToSkip = Comment(rawValue: ProviderRig.reasonToSkip)
  static let areHere = ProviderRig.environment != nil
  static let hasGlewlwyd = areHere && access("/usr/bin/glewlwyd", X_OK) == 0
  static let reasonToSkipGlewlwyd: Comment = "needs SIGNET_PROVIDERS and glewlwyd: see Tests/Providers/install-glewlwyd"

  /// All of them, for tests that leave no trace but in their own accounts and counts. They end with the process.
  static var shared: Providers { get throws { try all.get() } }
  private static let all = Result {
    try Providers(only: hasGlewlwyd ? "django,glewlwyd,hostile" : "django,hostile")
  }

  let rig: ProviderRig
  let network: HTTPNetworkClient

  /// Providers of a test's own, which may be stopped and counted.
  init(only names: String, options: [String] = []) throws {
    let folder = try makeTemporaryFolder("providers")
    Leftovers.removeAtExit(folder)
    rig = try ProviderRig(only: names, options: options, in: folder)
    network = try Providers.network(rig)
  }

  private static func network(_ rig: ProviderRig, total: Duration = .seconds(120)) throws -> HTTPNetworkClient {
    try HTTPNetworkClient(
      trust: ServerTrust(additionalRoots: [rig.authority]),
      limits: .init(connect: .seconds(60), idle: .seconds(60), total: total))
  }

  /// A network of a test's own, which no other one's connections are left in.
  func network(total: Duration) throws -> HTTPNetworkClient { try Providers.network(rig, total: total) }

  /// An address at one of them.
  func endpoint(_ names: String..., path: String = "") throws -> Endpoint {
    var value: Any? = rig.facts
    for name in names { value = (value as? [String: Any])?[name] }
    return try Endpoint(try #require(value as? String) + path)
  }

  func password(of name: String = "alice") throws -> Password { try #require(Password(try rig.password(of: name))) }

  /// What an address answers with.
  func get(_ endpoint: Endpoint, bearer: String? = nil) async throws -> NetworkResponse {
    var request = NetworkRequest(endpoint)
    if let bearer { request.headers["Authorization"] = "Bearer " + bearer }
    return try await network.send(request)
  }

  /// How often an address was asked, by the words that the servers count under.
  func count(_ name: String, at counts: Endpoint) async throws -> Int {
    try await get(counts).object(from: counts)[name]?.integer ?? 0
  }
}

/// Folders of providers that end with the process.
private enum Leftovers {
  private static let folders = Mutex<[String]>([])
  private static let isRegistered: Void = {
    atexit { Leftovers.remove() }
  }()

  static func removeAtExit(_ folder: String) {
    isRegistered
    folders.withLock { $0.append(folder) }
  }

  private static func remove() {
    for folder in folders.withLock({ $0 }) { removeTree(folder) }
  }
}
