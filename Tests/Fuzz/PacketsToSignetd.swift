import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

extension FuzzTarget {
  /// Every packet that signetd reads: of clients, of signet-reader, of signet-passcode, of signet-tpm.
  ///
  /// What is read is written back bit for bit, each field is within its bound, and only the one form of a verified
  /// passcode is read as one.
  static let toSignetd = FuzzTarget(
    name: "to-signetd", longest: PacketLimit.packet + 64,
    seeds: {
      vectors(of: [
        "AuthenticateRequest", "PasscodeRequest", "OpenSessionRequest", "CloseSessionRequest", "AdministrationRequest",
        "VaultRequest", "ValueRequest", "ContextRequest", "EvaluateRequest", "CanEvaluateRequest", "WatchRequest",
        "WatchVaultRequest", "OnBehalfRequest",
        "ForgetRequest", "PasscodeChangedRequest", "ReaderEvent", "PasscodeAnswer",
        "TPMAnswer",
      ])
    },
    run: { packet in
      readRequest(packet)
      if let event = try? ReaderEvent(parsing: packet) {
        requireSame(packet, "\(event)") { output throws(FormatError) in try event.write(into: &output) }
      }
      if let answer = try? PasscodeAnswer(parsing: packet) {
        requireSame(packet, "\(answer)") { output throws(FormatError) in try answer.write(into: &output) }
        require((answer.outcome == .verified) == (packet[2] == 0xA5), "\(hex(packet)) is \(answer.outcome)")
      }
      readTPMAnswer(packet)
    })
}

private func readTPMAnswer(_ packet: Span<UInt8>) {
  guard let answer = try? TPMAnswer(parsing: packet) else { return }
  requireSame(packet, "an answer of the TPM") { output throws(FormatError) in try answer.write(into: &output) }
  require((answer.kind == .failed) == (answer.fault != nil), "\(answer.kind) with the fault \(String(describing: answer.fault))")
  require(answer.bytes.count <= 2048, "\(answer.kind) of \(answer.bytes.count) bytes")
  let point = answer.kind == .signingKey ? 64 : 0
  require(answer.point.count == point, "\(answer.kind) with a point of \(answer.point.count) bytes")
}

private func readRequest(_ packet: Span<UInt8>) {
  var fields = ByteReader(packet)
  guard let header = try? fields.header(), let kind = RequestKind(rawValue: header) else { return }
  switch kind {
  case .authenticate: readAuthenticate(packet, fields)
  case .passcode:
    guard let request = try? PasscodeRequest(parsing: fields) else { return }
    require(request.passcode.count <= FieldLimit.passcode, "a passcode of \(request.passcode.count) bytes")
    requireSame(packet, "a passcode") { output throws(FormatError) in try request.write(into: &output) }
  case .openSession:
    guard let request = try? OpenSessionRequest(parsing: fields) else { return }
    require(request.token.count == FieldLimit.token, "a token of \(request.token.count) bytes")
    requireSame(packet, "openSession") { output throws(FormatError) in try request.write(into: &output) }
  case .closeSession:
    guard let request = try? CloseSessionRequest(parsing: fields) else { return }
    require(request.token.count == FieldLimit.token, "a token of \(request.token.count) bytes")
    requireSame(packet, "closeSession") { output throws(FormatError) in try request.write(into: &output) }
  case .value:
    guard let request = try? ValueRequest(parsing: fields) else { return }
    require((1...PacketLimit.valuePart).contains(request.part.count), "a part of \(request.part.count) bytes")
    requireSame(packet, "a value") { output throws(FormatError) in try request.write(into: &output) }
  case .passcodeChanged: readPasscodeChanged(packet, fields)
  case .vaultAdd, .vaultUpdate, .vaultRead, .vaultDelete, .vaultRevoke, .vaultList, .vaultRecover, .vaultReset,
    .keyMake, .keySign:
    readVault(packet, kind, fields)
  case .context:
    guard let request = try? ContextRequest(parsing: fields) else { return }
    require(request.name.count <= FieldLimit.name, "a name of \(request.name.count) bytes")
    requireSame(packet, "a context") { output throws(FormatError) in try request.write(into: &output) }
  case .evaluate:
    guard let request = try? EvaluateRequest(parsing: fields) else { return }
    require((1...3600).contains(request.timeout) && request.reuse <= 300, "\(request)")
    requireSame(packet, "\(request)") { output throws(FormatError) in try request.write(into: &output) }
  case .canEvaluate:
    guard let request = try? CanEvaluateRequest(parsing: fields) else { return }
    requireSame(packet, "\(request)") { output throws(FormatError) in try request.write(into: &output) }
  case .onBehalf:
    guard let request = try? OnBehalfRequest(parsing: fields) else { return }
    require(request.request.count <= OnBehalfRequest.limit, "a request of \(request.request.count) bytes")
    requireSame(packet, "on behalf") { output throws(FormatError) in try request.write(into: &output) }
  case .watchVault:
    guard let request = try? WatchVaultRequest(parsing: fields) else { return }
    requireSame(packet, "watch of the vault") { output throws(FormatError) in try request.write(into: &output) }
  case .watch:
    guard let request = try? WatchRequest(parsing: fields) else { return }
    requireSame(packet, "watch") { output throws(FormatError) in try request.write(into: &output) }
  case .forget:
    guard let request = try? ForgetRequest(parsing: fields) else { return }
    requireSame(packet, "forget") { output throws(FormatError) in try request.write(into: &output) }
  default:
    guard let request = try? AdministrationRequest(kind: kind, parsing: fields) else { return }
    requireSame(packet, "\(request)") { output throws(FormatError) in try request.write(into: &output) }
  }
}

private func readPasscodeChanged(_ packet: Span<UInt8>, _ fields: consuming ByteReader) {
  guard let request = try? PasscodeChangedRequest(parsing: fields) else { return }
  require(request.user.count <= FieldLimit.user, "a user name of \(request.user.count) bytes")
  require(request.old.count <= FieldLimit.passcode, "an old passcode of \(request.old.count) bytes")
  require((1...FieldLimit.passcode).contains(request.new.count), "a new passcode of \(request.new.count) bytes")
  requireSame(packet, "passcodeChanged") { output throws(FormatError) in try request.write(into: &output) }
}

private func readVault(_ packet: Span<UInt8>, _ kind: RequestKind, _ fields: consuming ByteReader) {
  guard let request = try? VaultRequest(kind: kind, parsing: fields) else { return }
  require(request.kind == kind, "\(kind) was read as \(request.kind)")
  require(request.user.utf8.count <= FieldLimit.user, "a user name of \(request.user.utf8.count) bytes")
  switch request {
  case .add(_, let item, let length), .update(_, let item, let length):
    require(length <= UInt32(ItemLimit.value), "a value of \(length) bytes")
    requireBounded(item)
  case .makeKey(_, let item):
    require(item.name.kind == .key && item.attributes.isEmpty, "\(item) is no key to make")
    requireBounded(item)
  case .sign(_, let name, let digest, _):
    require(name.kind == .key && digest.count == 32, "\(request) is nothing to sign")
    requireBounded(Item(name))
  case .read(_, let name, _), .delete(_, let name), .revoke(_, let name): requireBounded(Item(name))
  case .list, .recover, .reset: break
  }
  requireSame(packet, "\(request)") { output throws(FormatError) in try request.write(into: &output) }
}

/// The bounds are repeated here, because the item's own `isValid` is what is being tested.
private func requireBounded(_ item: Item) {
  let name = item.name
  require(name.service.utf8.count <= 256 && name.account.utf8.count <= 256, "\(name) is too long")
  require(item.label.utf8.count <= 1024 && item.comment.utf8.count <= 1024, "\(item) is too long")
  require(item.accessControl.constraints.rawValue < 16, "\(item) has unknown constraints")
  require(item.attributes.count <= 1024, "\(item) is too long")
  require(name.kind != .loginSecret || name.service.isEmpty && name.account.isEmpty, "\(name) has a name")
}

private func readAuthenticate(_ packet: Span<UInt8>, _ fields: consuming ByteReader) {
  guard let request = try? AuthenticateRequest(parsing: fields) else { return }
  require((1...3600).contains(request.timeout), "a time-out of \(request.timeout) s")
  require(request.user.count <= FieldLimit.user, "a user name of \(request.user.count) bytes")
  require(request.service.count <= FieldLimit.name, "a service name of \(request.service.count) bytes")
  require(request.terminal.count <= FieldLimit.name, "a terminal name of \(request.terminal.count) bytes")
  require(request.remoteHost.count <= FieldLimit.host, "a host name of \(request.remoteHost.count) bytes")
  requireSame(packet, "authenticate") { output throws(FormatError) in try request.write(into: &output) }
}
