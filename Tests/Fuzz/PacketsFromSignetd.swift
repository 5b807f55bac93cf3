import SignetBytes
import SignetClient
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

extension FuzzTarget {
  /// Every packet that signetd sends: to clients, to signet-reader, to signet-passcode, to signet-tpm.
  ///
  /// What is read is written back bit for bit. A success has what proved it, and may have a token, anything else has neither; and
  /// only a finger's success has a login secret. What a
  /// prompt says on a terminal is one plain line, whatever its packet holds.
  static let fromSignetd = FuzzTarget(
    name: "from-signetd", longest: PacketLimit.packet + 64,
    seeds: {
      vectors(of: ["LoginReply", "AdministrationReply", "ValueReply", "ReaderCommand", "PasscodeStack", "PasscodeCheck"])
        + vectors(of: [
          "PasscodeQuestion", "AccountQuestion", "EvaluatedReply", "PolicyRow", "BiometryRow", "OpeningRow", "TPMRequest",
        ])
    },
    run: { packet in
      readLoginReply(packet)
      if let reply = try? AdministrationReply(parsing: packet) {
        requireSame(packet, "\(reply)") { output throws(FormatError) in try reply.write(into: &output) }
      }
      if let reply = try? ValueReply(parsing: packet) {
        require(reply.total <= 65_536 && reply.part.count <= Int(reply.total), "\(reply.part.count) bytes of \(reply.total)")
        requireSame(packet, "a released value") { output throws(FormatError) in try reply.write(into: &output) }
      }
      readContextReply(packet)
      if let command = try? ReaderCommand(parsing: packet) {
        requireSame(packet, "\(command)") { output throws(FormatError) in try command.write(into: &output) }
      }
      if let check = try? PasscodeCheck(parsing: packet) {
        require(check.passcode.count <= FieldLimit.passcode, "a passcode of \(check.passcode.count) bytes")
        requireSame(packet, "a passcode check") { output throws(FormatError) in try check.write(into: &output) }
      }
      if let stack = try? PasscodeStack(parsing: packet) {
        requireSame(packet, "\(stack)") { output throws(FormatError) in try stack.write(into: &output) }
      }
      if let question = try? PasscodeQuestion(parsing: packet) {
        requireSame(packet, "\(question)") { output throws(FormatError) in try question.write(into: &output) }
      }
      if let question = try? AccountQuestion(parsing: packet) {
        requireSame(packet, "\(question)") { output throws(FormatError) in try question.write(into: &output) }
      }
      if let request = try? TPMRequest(parsing: packet) {
        require(request.bytes.count <= 2048 && [0, 32, 64].contains(request.input.count), "\(request.kind) is too long")
        requireSame(packet, "a request to the TPM") { output throws(FormatError) in try request.write(into: &output) }
      }
      readText(packet)
    })
}

private func readLoginReply(_ packet: Span<UInt8>) {
  guard let reply = try? LoginReply(parsing: packet) else { return }
  requireSame(packet, "a login reply") { output throws(FormatError) in try reply.write(into: &output) }
  switch reply {
  case .verdict(let verdict, let method, let token, let authtok):
    let isSuccess = verdict.rawValue == 0xA5
    require(token.isEmpty || isSuccess && token.count == 32, "verdict \(verdict.rawValue) with a token of \(token.count) bytes")
    require(isSuccess == (method != .none), "verdict \(verdict.rawValue) by \(method)")
    require(authtok.count <= FieldLimit.passcode, "a login secret of \(authtok.count) bytes")
    require(
      authtok.isEmpty || (isSuccess && method == .fingerprint), "verdict \(verdict.rawValue) by \(method) with a login secret")
  case .show(let prompt, let value, let detail):
    for enterAsksPasscode in [false, true] {
      var line = TextLine()
      PromptText.write(prompt, value: value, detail: detail, enterAsksPasscode: enterAsksPasscode, into: &line)
      requireLine(line.span)
    }
  case .heartbeat, .askPasscode, .busy: break
  }
}

private func readContextReply(_ packet: Span<UInt8>) {
  if let reply = try? EvaluatedReply(parsing: packet) {
    require((reply.verdict.rawValue == 0xA5) == (reply.method != .none), "verdict \(reply.verdict.rawValue) by \(reply.method)")
    requireSame(packet, "\(reply)") { output throws(FormatError) in try reply.write(into: &output) }
  }
  if let row = try? PolicyRow(parsing: packet) {
    require([0, 32].contains(row.domainState.count), "a domain state of \(row.domainState.count) bytes")
    requireSame(packet, "a policy") { output throws(FormatError) in try row.write(into: &output) }
  }
  if let row = try? BiometryRow(parsing: packet) {
    require([0, 32].contains(row.domainState.count), "a domain state of \(row.domainState.count) bytes")
    requireSame(packet, "a watched state") { output throws(FormatError) in try row.write(into: &output) }
  }
  if let row = try? OpeningRow(parsing: packet) {
    requireSame(packet, "an opening") { output throws(FormatError) in try row.write(into: &output) }
  }
}

/// The whole input as the name of somebody else: what is shown of it is all of it, or nothing.
private func readText(_ text: Span<UInt8>) {
  var line = TextLine("in use by ")
  let isShown = line.put(foreign: text)
  require(line.count == (isShown ? 10 + text.count : 10), "\(line.count) bytes of \(text.count)")
  requireLine(line.span)
}

private func requireLine(_ line: Span<UInt8>) {
  guard let text = String(validating: Array(copying: line), as: UTF8.self) else { fail("\(hex(line)) is not UTF-8") }
  requirePlain(text, "a line")
  for scalar in text.unicodeScalars where scalar.properties.isBidiControl || scalar.properties.generalCategory == .lineSeparator {
    fail("a line holds U+\(String(scalar.value, radix: 16))")
  }
}
