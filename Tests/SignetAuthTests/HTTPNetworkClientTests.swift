import SignetAuth
import Testing

@testable import SignetTokenServices

/// The real client against a real server, well-behaved and not.
@Suite struct HTTPNetworkClientTests {
  private func client(_ trust: ServerTrust = ServerTrust(), total: Duration = .seconds(120)) throws -> HTTPNetworkClient {
    try HTTPNetworkClient(trust: trust, limits: .init(total: total))
  }

  private func request(_ server: LoopbackServer, _ path: String = "/", redirects: Int = 0) throws -> NetworkRequest {
    NetworkRequest(try Endpoint(server.url(path)), responseLimit: 1000, redirectLimit: redirects)
  }

  private struct Greeting: Decodable, Equatable {
    let hello: String
  }

  @Test func `a request goes out as it is, and a typed answer comes back`() async throws {
    let server = try LoopbackServer { _ in .response(200, [], Array(#"{"hello":"world"}"#.utf8)) }
    var request = try request(server, "/a?b=c")
    request.method = .post
    request.headers["X-Test"] = "1"
    request.body = [1, 2, 3]
    #expect(try await client().send(request, as: Greeting.self) == Greeting(hello: "world"))
    let received = try #require(server.requests.first)
    #expect(received.method == "POST" && received.target == "/a?b=c" && received.body == [1, 2, 3])
    #expect(received.header("x-test") == "1" && received.header("user-agent") == "Signet")
    #expect(received.header("accept-encoding") == nil && received.header("cookie") == nil)
  }

  @Test func `an answer of another type or with a name twice is none`() async throws {
    let server = try LoopbackServer { request in
      .response(
        request.target == "/missing" ? 404 : 200, [],
        Array((request.target == "/twice" ? #"{"hello":"a","hello":"b"}"# : "[1]").utf8))
    }
    let client = try client()
    for path in ["/twice", "/array"] {
      await #expect(throws: NetworkError.invalidBody(host: "127.0.0.1")) {
        try await client.send(request(server, path), as: Greeting.self)
      }
    }
    await #expect(throws: NetworkError.unexpectedStatus(host: "127.0.0.1", 404)) {
      try await client.send(request(server, "/missing"), as: Greeting.self)
    }
  }

  @Test func `TLS is by the roots that are given`() async throws {
    let identity = try ServerIdentity()
    let server = try LoopbackServer(identity) { _ in .response(200) }
    #expect(try await client(ServerTrust(additionalRoots: [identity.authority])).send(request(server)).status == 200)
    await #expect {
      try await client().send(request(server))
    } throws: { error in
      if case NetworkError.notTrusted = error { true } else { false }
    }
    #expect(server.requests.count == 1)
  }

  @Test func `a certificate of another name is refused`() async throws {
    let identity = try ServerIdentity(names: "DNS:other.example,IP:127.0.0.2")
    let server = try LoopbackServer(identity) { _ in .response(200) }
    await #expect {
      try await client(ServerTrust(additionalRoots: [identity.authority])).send(request(server))
    } throws: { error in
      if case NetworkError.notTrusted = error { true } else { false }
    }
    #expect(server.requests.isEmpty)
  }

  @Test func `a pinned key has to be the server's, or one of several`() async throws {
    let identity = try ServerIdentity()
    let server = try LoopbackServer(identity) { _ in .response(200) }
    let own = PublicKeyPin(subjectPublicKeyInfo: try identity.subjectPublicKeyInfo())
    let next = PublicKeyPin(subjectPublicKeyInfo: [1])
    func send(_ pins: Set<PublicKeyPin>) async throws -> Int {
      let trust = ServerTrust(additionalRoots: [identity.authority], pins: ["127.0.0.1": pins])
      return try await client(trust).send(request(server)).status
    }
    #expect(try await send([own]) == 200)
    #expect(try await send([next, own]) == 200)
    await #expect(throws: NetworkError.notPinned(host: "127.0.0.1")) { try await send([next]) }
    await #expect(throws: NetworkError.notPinned(host: "127.0.0.1")) { try await send([]) }
    #expect(server.requests.count == 2)
  }

  @Test func `a pin replaces no root, and cleartext has no key`() async throws {
    let identity = try ServerIdentity()
    let server = try LoopbackServer(identity) { _ in .response(200) }
    let pins = ["127.0.0.1": Set([PublicKeyPin(subjectPublicKeyInfo: try identity.subjectPublicKeyInfo())])]
    await #expect {
      try await client(ServerTrust(pins: pins)).send(request(server))
    } throws: { error in
      if case NetworkError.notTrusted = error { true } else { false }
    }
    let plain = try LoopbackServer { _ in .response(200) }
    await #expect(throws: NetworkError.self) { try await client(ServerTrust(pins: pins)).send(request(plain)) }
    #expect(server.requests.isEmpty && plain.requests.isEmpty)
  }

  @Test func `a handshake that is cut off is no refusal`() async throws {
    let server = try LoopbackServer(try ServerIdentity(), cutsOff: true) { _ in .response(200) }
    await #expect {
      try await client().send(request(server))
    } throws: { error in
      (error as? NetworkError)?.isTransient == true
    }
  }

  @Test func `roots that cannot be read are an error at once`() throws {
    #expect(throws: NetworkError.invalidTrust("/nonexistent")) { try client(ServerTrust(additionalRoots: ["/nonexistent"])) }
    #expect(throws: NetworkError.invalidTrust("/dev/null")) { try client(ServerTrust(additionalRoots: ["/dev/null"])) }
  }

  @Test func `an answer that is larger than it may be is dropped`() async throws {
    let server = try LoopbackServer { request in
      .response(200, [], Array(repeating: 0, count: request.target == "/large" ? 1001 : 1000))
    }
    let client = try client()
    #expect(try await client.send(request(server)).body.count == 1000)
    await #expect(throws: NetworkError.tooLarge(host: "127.0.0.1", limit: 1000)) {
      try await client.send(request(server, "/large"))
    }
  }

  @Test func `a server that is silent, or stops in the midst, is given up in time`() async throws {
    let server = try LoopbackServer { $0.target == "/half" ? .half : .silence }
    let client = try client(total: .milliseconds(200))
    for path in ["/", "/half"] {
      await #expect(throws: NetworkError.timedOut(host: "127.0.0.1")) { try await client.send(request(server, path)) }
    }
  }

  @Test(arguments: [
    "garbage\r\n\r\n", "", "HTTP/1.1 999999 x\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
    "HTTP/1.1 200 OK\r\nno field\r\n\r\n",
    "HTTP/1.1 200 OK\r\n" + String(repeating: "X: " + String(repeating: "x", count: 1000) + "\r\n", count: 90) + "\r\n",
  ])
  func `garbage is no answer`(text: String) async throws {
    let server = try LoopbackServer { _ in .raw(Array(text.utf8)) }
    await #expect {
      try await client().send(request(server))
    } throws: { error in
      if case NetworkError.unreachable = error { true } else { false }
    }
  }

  @Test func `requests that may be sent twice share a connection, and no other is sent once more`() async throws {
    let server = try LoopbackServer { $0.method == "POST" ? .raw([]) : .response(200) }
    var limits = HTTPNetworkClient.TimeLimits(total: .seconds(120))
    limits.kept = .seconds(120)
    let client = try HTTPNetworkClient(limits: limits)
    for _ in 0..<2 { #expect(try await client.send(request(server)).status == 200) }
    #expect(server.connections == 1)
    var post = try request(server)
    post.method = .post
    await #expect {
      try await client.send(post)
    } throws: { error in
      if case NetworkError.unreachable = error { true } else { false }
    }
    #expect(server.requests.map(\.method) == ["GET", "GET", "POST"])
  }

  @Test func `a field may be empty, and its name is a name`() async throws {
    let server = try LoopbackServer { _ in .response(200, [("X-Twice", " a "), ("X-Twice", "")]) }
    var request = try request(server)
    request.headers["X-Empty"] = ""
    request.headers["Content-Length"] = "7"
    let response = try await client().send(request)
    #expect(response.headers.values("x-twice") == ["a", ""])
    #expect(server.requests.first?.header("X-Empty") == "" && server.requests.first?.header("Content-Length") == nil)
    for name in ["", "a b", "a:b", "ä"] {
      request.headers = [name: "x"]
      await #expect(throws: NetworkError.invalidRequest(host: "127.0.0.1")) { try await client().send(request) }
    }
    #expect(server.requests.count == 1)
  }

  @Test func `a port where nobody listens says so`() async throws {
    let endpoint: Endpoint
    do {
      let server = try LoopbackServer { _ in .response(200) }
      endpoint = try Endpoint(server.url("/"))
      server.stop()
    }
    await #expect(throws: NetworkError.unreachable(host: "127.0.0.1", reason: "no connection")) {
      try await client().send(NetworkRequest(endpoint))
    }
  }

  @Test func `redirects are followed here, and not elsewhere`() async throws {
    let other = try LoopbackServer { _ in .response(200) }
    let server = try LoopbackServer { [elsewhere = other.url("/")] request in
      switch request.target {
      case "/here": .response(302, [("Location", "/there")])
      case "/loop": .response(302, [("Location", "/loop")])
      case "/away": .response(302, [("Location", elsewhere)])
      default: .response(200, [], Array("there".utf8))
      }
    }
    let client = try client()
    #expect(try await client.send(request(server, "/here")).status == 302)
    #expect(try await client.send(request(server, "/here", redirects: 3)).body == Array("there".utf8))
    await #expect(throws: NetworkError.redirected(host: "127.0.0.1", to: other.url("/"))) {
      try await client.send(request(server, "/away", redirects: 3))
    }
    await #expect(throws: NetworkError.redirected(host: "127.0.0.1", to: "/loop")) {
      try await client.send(request(server, "/loop", redirects: 3))
    }
    #expect(other.requests.isEmpty)
  }

  @Test func `a header with a line break is not sent`() async throws {
    let server = try LoopbackServer { _ in .response(200) }
    var request = try request(server)
    request.headers["X"] = "a\r\nY: b"
    await #expect(throws: NetworkError.self) { try await client().send(request) }
    #expect(server.requests.isEmpty)
  }

  @Test func `who cancels gets an end at once`() async throws {
    let (arrived, arrival) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { _ in
      arrival.yield()
      return .silence
    }
    let task = Task { try await client().send(request(server)) }
    for await _ in arrived { break }
    task.cancel()
    await #expect(throws: NetworkError.cancelled) { try await task.value }
  }
}
