import SignetAuthTestKit
import Testing

@testable import SignetAuth
@testable import SignetTokenServices

@Suite struct RetryTests {
  private let clock = ImpatientClock()
  private let time = ManualTime(784_111_777)

  private func send(
    _ method: NetworkMethod, _ script: ScriptedNetworkClient, _ policy: RetryPolicy = RetryPolicy()
  ) async throws -> NetworkResponse {
    let client = RetryingNetworkClient(script, policy: policy, clock: clock, time: time, jitter: { 0.5 })
    return try await client.send(NetworkRequest(try Endpoint("https://a.example/"), method: method))
  }

  private static let unreachable = NetworkError.unreachable(host: "a.example", reason: "")

  @Test func `a GET is sent again until it is answered, after longer and longer waits`() async throws {
    let script = ScriptedNetworkClient(
      { _ in throw RetryTests.unreachable }, { _ in NetworkResponse(status: 503) }, { _ in NetworkResponse(status: 200) })
    #expect(try await send(.get, script).status == 200)
    #expect(clock.waits == [.milliseconds(125), .milliseconds(250)])
  }

  @Test func `it is given up in the end, with the last answer`() async throws {
    let script = ScriptedNetworkClient()
    for _ in 0..<3 { script.add("{}", status: 502) }
    #expect(try await send(.get, script).status == 502)
    let dead = ScriptedNetworkClient()
    for _ in 0..<3 { dead.add { _ in throw RetryTests.unreachable } }
    await #expect(throws: RetryTests.unreachable) { try await send(.get, dead) }
    #expect(dead.stepsLeft == 0)
  }

  @Test(arguments: [NetworkMethod.post, .patch]) func `what is not idempotent is sent once`(method: NetworkMethod) async throws {
    let script = ScriptedNetworkClient({ _ in NetworkResponse(status: 503) })
    #expect(try await send(method, script).status == 503)
    #expect(script.requests.count == 1 && clock.waits.isEmpty)
  }

  @Test func `a certificate that is refused is not asked for again`() async throws {
    let script = ScriptedNetworkClient({ _ in throw NetworkError.notPinned(host: "a.example") })
    await #expect(throws: NetworkError.notPinned(host: "a.example")) { try await send(.get, script) }
    #expect(script.requests.count == 1)
  }

  @Test(
    arguments: [
      ("7", 7.125), ("0", 0.125), ("Sun, 06 Nov 1994 08:49:47 GMT", 10.125), ("Sun, 06 Nov 1994 08:49:27 GMT", 0.125),
      ("soon", 0.125), ("-5", 0.125),
    ])
  func `a server says when it may be asked again`(text: String, seconds: Double) async throws {
    let script = ScriptedNetworkClient(
      { _ in NetworkResponse(status: 429, headers: ["Retry-After": text]) }, { _ in NetworkResponse(status: 200) })
    #expect(try await send(.get, script).status == 200)
    #expect(clock.waits == [.seconds(seconds)])
  }

  @Test(arguments: ["61", "999999999", "Mon, 07 Nov 1994 08:49:37 GMT"])
  func `a server that asks for too much is not waited for`(text: String) async throws {
    let script = ScriptedNetworkClient({ _ in NetworkResponse(status: 503, headers: ["Retry-After": text]) })
    #expect(try await send(.get, script).status == 503)
    #expect(clock.waits.isEmpty)
  }

  @Test func `waits are bounded however many attempts there are`() {
    let policy = RetryPolicy(attempts: 100)
    #expect(policy.delay(after: 99, retryAfter: nil, jitter: 7) == .seconds(10))
    #expect(policy.delay(after: 100, retryAfter: nil, jitter: 1) == nil)
    #expect(policy.delay(after: 1, retryAfter: nil, jitter: -1) == .zero)
  }

  @Test(
    arguments: [
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
      ("Wed, 01-Mar-2000 00:00:00 GMT", 951_868_800),
      ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
    ])
  func `dates are seconds`(text: String, seconds: Double) { #expect(HTTPDate.parse(text) == seconds) }

  @Test(arguments: [
    "", "now", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 32 Nov 1994 08:49:37 GMT",
  ])
  func `other dates are none`(text: String) { #expect(HTTPDate.parse(text) == nil) }
}
