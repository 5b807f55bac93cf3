extension NetworkResponse {
  /// The request that follows a redirect; `nil` where the answer is none, or the request follows none.
  ///
  /// - Throws: `NetworkError.redirected` where it leads to another origin: what goes with a request is meant for one server.
  func redirect(of request: NetworkRequest) throws(NetworkError) -> NetworkRequest? {
    guard [301, 302, 303, 307, 308].contains(status), request.redirectLimit > 0,
      request.method == .get || request.method == .head
    else { return nil }
    guard let location = headers["Location"], let next = try? request.endpoint.resolve(location),
      next.origin == request.endpoint.origin
    else { throw .redirected(host: request.endpoint.host, to: headers["Location"] ?? "") }
    var following = request
    following.endpoint = next
    following.redirectLimit -= 1
    // The last one must lead to something else.
    if following.redirectLimit == 0, next == request.endpoint { throw .redirected(host: next.host, to: location) }
    return following
  }
}
