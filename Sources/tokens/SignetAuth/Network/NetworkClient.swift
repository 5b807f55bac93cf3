/// Sends requests. Any thread may use it.
public protocol NetworkClient: Sendable {
  /// Sends one request.
  ///
  /// - Returns: the answer, whatever its status.
  /// - Throws: `NetworkError` where there is none.
  func send(_ request: NetworkRequest) async throws -> NetworkResponse

  /// The server that requests name a path of; `nil` where each names its server.
  var baseURL: Endpoint? { get }
}

extension NetworkClient {
  public var baseURL: Endpoint? { nil }

  /// As `send`, with the module's error.
  func answer(to request: NetworkRequest) async throws(AuthError) -> NetworkResponse {
    do { return try await send(request) } catch let error as NetworkError {
      throw error == .cancelled ? .cancelled : .network(error)
    } catch let error as AuthError {
      throw error
    } catch is CancellationError {
      throw .cancelled
    } catch {
      throw .failed("\(type(of: error))")
    }
  }
}
