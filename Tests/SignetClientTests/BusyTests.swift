import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetClient

/// What a client makes of a signetd that has no place for it.
@Suite struct BusyTests {
  /// When an exchange that is turned away each time is made again, and the error in the end.
  private func attempts(_ exchange: inout Exchange, of crowd: Crowd) -> (moments: [Int64], end: ClientError?) {
    var moments: [Int64] = []
    var now: Int64 = 0
    while moments.count < 1_000 {
      do throws(ClientError) {
        guard try exchange.turnedAway(by: crowd, at: now) == .pause else { return (moments, nil) }
        while !exchange.asksAgain(at: now) { now += Int64(try exchange.wait(at: now)) }
        moments.append(now)
      } catch { return (moments, error) }
    }
    return (moments, nil)
  }

  @Test func `a busy signetd is asked again, soon and then more seldom, for two seconds`() {
    var exchange = Exchange(.command, at: 0)
    let (moments, end) = attempts(&exchange, of: .ofServices)
    #expect(moments == [10, 30, 70, 150, 310, 510, 710, 910, 1_110, 1_310, 1_510, 1_710, 1_910, 2_000])
    #expect(end == .busy(.ofServices))
  }

  @Test func `a login that services crowd out goes to the passcode at once, and one that its own user does tries again`() {
    var exchange = Exchange(.login, at: 0)
    #expect(throws: ClientError.busy(.ofServices)) { try exchange.turnedAway(by: .ofServices, at: 0) }
    exchange = Exchange(.login, at: 0)
    #expect(attempts(&exchange, of: .ofAsker).moments.count == 14)
  }

  @Test func `a request that was made again has all its time`() throws {
    var exchange = Exchange(.login, at: 0)
    #expect(try exchange.received(.crowded, at: 0) == .pause)
    #expect(try exchange.wait(at: 4) == 6)
    #expect(exchange.asksAgain(at: 9) == false)
    #expect(exchange.asksAgain(at: 10) == true)
    #expect(exchange.asksAgain(at: 11) == false)
    #expect(try exchange.wait(at: 10) == 900)
    for second: Int64 in 1...31 { #expect(try exchange.received(.heartbeat, at: second * 1_000) == .heartbeat) }
    _ = try exchange.wait(at: 32_009)
    #expect(throws: ClientError.overdue) { try exchange.wait(at: 32_010) }
  }

  @Test(arguments: [Reply.heartbeat, .touch, .wanted])
  func `what was begun is not asked for again`(reply: Reply) throws {
    var exchange = Exchange(.login, at: 0)
    _ = try exchange.received(reply, at: 100)
    #expect(throws: ClientError.busy(.ofAsker)) { try exchange.received(.crowded, at: 200) }
    #expect(exchange.cancelled(at: 200) == .send(.cancel))
    #expect(throws: (any Error).self) { try exchange.wait(at: 200) }
  }

  @Test func `in a pause nobody is told of a cancel, and no key asks for the passcode`() throws {
    var exchange = Exchange(.login, at: 0)
    _ = try exchange.received(.crowded, at: 0)
    #expect(!exchange.watchesKeys)
    #expect(exchange.keyPressed(at: 1) == .wait)
    #expect(exchange.cancelled(at: 1) == .wait)
    #expect(exchange.asksAgain(at: 5_000) == false)
  }

  // MARK: over a socket

  private func ask(_ daemon: ScriptedDaemon, _ terms: Exchange.Terms) throws -> PendingRequest {
    let kind = terms.ending == .verdict ? RequestKind.authenticate : .readers
    return try PendingRequest(secret([PacketLimit.version, kind.rawValue, 7, 8, 9]), to: daemon.path, terms)
  }

  @Test func `the same request is made again until there is a place for it`() throws {
    let busy: [ScriptedDaemon.Step] = [.expect(.authenticate), .send(Packet.busy(.ofAsker))]
    let daemon = try ScriptedDaemon(
      busy, busy, [.send(Packet.busy(.ofAsker))],
      [.expect(.authenticate), .send(Packet.heartbeat), .send(Packet.success(.fingerprint, token: Reply.token))])
    var request = try ask(daemon, .login)
    var host = UnattendedHost()
    #expect(try request.next(&host) == .verdict(.success, .fingerprint))
    let sent = try daemon.finish()
    #expect([0, 1, 3].map { sent[$0] } == [[[1, 1, 7, 8, 9]], [[1, 1, 7, 8, 9]], [[1, 1, 7, 8, 9]]])
  }

  @Test func `a full queue is a busy signetd, and is waited for no longer`() throws {
    let daemon = try ScriptedDaemon(backlog: 0)
    let queued = try ClientSocket(path: daemon.path)
    var terms = Exchange.Terms.command
    terms.busyTimeout = 50
    var host = UnattendedHost()
    var request = try ask(daemon, terms)
    #expect(request.descriptor == -1)
    #expect(throws: ClientError.busy(getuid() == 0 ? .ofServices : .ofAsker)) { try request.next(&host) }
    withExtendedLifetime(queued) {}
  }

  @Test func `whoever typed a passcode while signetd made room for others hears that, and not that the connection broke`() throws
  {
    let daemon = try ScriptedDaemon([
      .expect(.authenticate), .send(Packet.askPasscode(.misses)), .send(Packet.busy(.ofAsker)),
    ])
    var request = try ask(daemon, .login)
    var host = UnattendedHost()
    #expect(try request.next(&host) == .passcodeWanted(.misses))
    try daemon.finish()
    #expect(throws: ClientError.busy(.ofAsker)) { try request.answer(secret(Array("horse\n".utf8))) }
  }
}
