import Foundation
import SignetAuth
import Synchronization

/// A network without one: each request is answered by the next step of a script. A request that the script does not have fails.
public final class ScriptedNetworkClient: NetworkClient {
  public typealias Step = @Sendable (NetworkRequest) async throws -> NetworkResponse

  public let baseURL: Endpoint?
  private let state = Mutex((steps: [Step](), requests: [NetworkRequest]()))

  /// - Parameter baseURL: the server that requests name a path of.
  public init(_ steps: Step..., baseURL: Endpoint? = try? Endpoint("https://api.example")) {
    self.baseURL = baseURL
    state.withLock { $0.steps = steps }
  }

  /// All requests so far.
  public var requests: [NetworkRequest] { state.withLock { $0.requests } }
  /// How many steps nobody asked for yet.
  public var stepsLeft: Int { state.withLock { $0.steps.count } }

  public func add(_ step: @escaping Step) { state.withLock { $0.steps.append(step) } }

  /// Answers with JSON.
  public func add(_ json: String, status: Int = 200) {
    add { _ in NetworkResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(json.utf8)) }
  }

  /// Answers with a value as JSON.
  public func add(_ value: some Encodable, status: Int = 200) throws {
    add(String(decoding: try JSONEncoder().encode(value), as: UTF8.self), status: status)
  }

  public func send(_ request: NetworkRequest) async throws -> NetworkResponse {
    let step = state.withLock { state -> Step? in
      state.requests.append(request)
      return state.steps.isEmpty ? nil : state.steps.removeFirst()
    }
    guard let step else { throw NetworkError.unreachable(host: request.endpoint.host, reason: "the script has no such request") }
    return try await step(request)
  }
}

/// The same, by the name that such doubles often have.
public typealias MockNetworkClient = ScriptedNetworkClient
