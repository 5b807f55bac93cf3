import SignetMemory
import SignetWire

extension FuzzTarget {
  /// Every packet that signetd reads: of clients, of signet-reader, of signet-passcode.
  ///
  /// What is read is written back bit for bit, each field is within its bound, and only the one form of a verified
  /// passcode is read as one.
  static let toSignetd = FuzzTarget(
    name: "to-signetd", longest: WireLimit.packet + 64,
    seeds: {
      vectors(of: [
        "AuthenticateRequest", "PasscodeRequest", "OpenSessionRequest", "CloseSessionRequest", "AdministrationRequest",
        "ReaderEvent", "PasscodeAnswer",
      ])
    },
    run: { packet in
      readRequest(packet)
      if let event = try? ReaderEvent(parsing: packet) {
        requireSame(packet, "\(event)") { output throws(WireError) in try event.write(into: &output) }
      }
      if let answer = try? PasscodeAnswer(parsing: packet) {
        requireSame(packet, "\(answer)") { output throws(WireError) in try answer.write(into: &output) }
        require((answer.outcome == .verified) == (packet[2] == 0xA5), "\(hex(packet)) is \(answer.outcome)")
      }
    })
}

private func readRequest(_ packet: Span<UInt8>) {
  var fields = WireReader(packet)
  guard let header = try? fields.header(), let kind = RequestKind(rawValue: header) else { return }
  switch kind {
  case .authenticate: readAuthenticate(packet, fields)
  case .passcode:
    guard let request = try? PasscodeRequest(parsing: fields) else { return }
    require(request.passcode.count <= WireLimit.passcode, "a passcode of \(request.passcode.count) bytes")
    requireSame(packet, "a passcode") { output throws(WireError) in try request.write(into: &output) }
  case .openSession:
    guard let request = try? OpenSessionRequest(parsing: fields) else { return }
    require(request.token.count == WireLimit.token, "a token of \(request.token.count) bytes")
    requireSame(packet, "openSession") { output throws(WireError) in try request.write(into: &output) }
  case .closeSession:
    guard let request = try? CloseSessionRequest(parsing: fields) else { return }
    require(request.token.count == WireLimit.token, "a token of \(request.token.count) bytes")
    requireSame(packet, "closeSession") { output throws(WireError) in try request.write(into: &output) }
  default:
    guard let request = try? AdministrationRequest(kind: kind, parsing: fields) else { return }
    requireSame(packet, "\(request)") { output throws(WireError) in try request.write(into: &output) }
  }
}

private func readAuthenticate(_ packet: Span<UInt8>, _ fields: consuming WireReader) {
  guard let request = try? AuthenticateRequest(parsing: fields) else { return }
  require((1...3600).contains(request.timeout), "a time-out of \(request.timeout) s")
  require(request.user.count <= WireLimit.user, "a user name of \(request.user.count) bytes")
  require(request.service.count <= WireLimit.name, "a service name of \(request.service.count) bytes")
  require(request.terminal.count <= WireLimit.name, "a terminal name of \(request.terminal.count) bytes")
  require(request.remoteHost.count <= WireLimit.host, "a host name of \(request.remoteHost.count) bytes")
  requireSame(packet, "authenticate") { output throws(WireError) in try request.write(into: &output) }
}
