// DaemonSealing keeps the device key: in a file, or sealed by the TPM, which signet-tpm is asked for. It decides where the key
// is, and never hands out another one than that with which everything was sealed.
import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary
import SignetWire

/// How the TPM is reached, and whether it is to be used.
package struct TPM: Sendable {
  /// Of signet-tpm.
  package var program: String
  /// As in tss2-tctildr(3).
  package var transport: String
  /// Whether signet.conf wants the device key sealed where there is a TPM.
  package var isWanted: Bool
  /// For whose values it is sealed; bit n for PCR n.
  package var pcrs: UInt32
  /// For how long one that refuses to sign is asked again, in milliseconds: it may be busy, or the machine may just have woken up.
  let insistence: Int64

  package init(program: String, transport: String, isWanted: Bool, pcrs: UInt32, insistence: Int64 = 2_000) {
    self.insistence = insistence
    self.program = program
    self.transport = transport
    self.isWanted = isWanted
    self.pcrs = pcrs
  }

  /// Whether there may be one: a machine without it starts no process for that.
  package var isThere: Bool {
    guard let node = TPMTransport.node(of: transport) else { return true }
    return unsafe access(node, F_OK) == 0
  }

  /// Asks, and does not wait.
  package func begin(_ request: borrowing TPMRequest) throws(Failure) -> TPMQuestion {
    guard isThere else { throw Failure(fault: .missing) }
    do {
      guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw Failure(fault: .refused) }
      try request.write(into: &packet)
      let process = try ChildProcess(path: program, arguments: [transport])
      try Channel.send(packet, on: process.channel.raw)
      return TPMQuestion(process)
    } catch {
      Log.write(.error, "signet-tpm cannot be asked: \(error)")
      throw Failure(fault: .refused)
    }
  }

  /// Asks, and waits for the answer.
  package func ask(_ request: borrowing TPMRequest, within limit: Int64) throws(Failure) -> TPMAnswer {
    try begin(request).answer(within: limit)
  }

  /// What the TPM made of a key.
  package func seal(_ key: HeldKey, within limit: Int64) throws(Failure) -> [UInt8] {
    guard let secret = key.copy else { throw Failure(fault: .refused) }
    let answer = try ask(TPMRequest(sealing: secret, pcrs: pcrs), within: limit)
    guard answer.kind == .sealed else { throw Failure(fault: .refused) }
    return Array(copying: answer.bytes.span)
  }

  /// Asks for the key, and does not wait.
  package func beginUnsealing(_ sealed: [UInt8]) throws(Failure) -> TPMQuestion {
    guard let request = try? TPMRequest(unsealing: sealed.span) else { throw Failure(fault: .refused) }
    return try begin(request)
  }

  /// What the TPM's counter has after it counted up to `target`. Its place and its authorization value come from the key, so that
  /// nothing about it needs to be kept, and two systems that share the TPM do not share it.
  package func count(
    _ key: HeldKey, upTo target: UInt64, makes: Bool, within limit: Int64
  ) throws(Failure) -> UInt64 {
    let nothing: [UInt8] = []
    guard let place = try? key.mark("counter", nothing.span),
      let authorization = try? key.mark("counter's authorization", nothing.span)
    else { throw Failure(fault: .refused) }
    // The range that is the owner's.
    let index = 0x0180_0000 | place.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x3F_FFFF
    let count = TPMRequest.Count(index: index, target: target, makes: makes)
    guard let request = try? TPMRequest(counting: count, authorization: authorization.span) else {
      throw Failure(fault: .refused)
    }
    let answer = try ask(request, within: limit)
    guard answer.kind == .counted else { throw Failure(fault: .refused) }
    return answer.value
  }

  package struct Failure: Error, Equatable {
    package var fault: TPMFault
    package var code: UInt32

    package init(fault: TPMFault, code: UInt32 = 0) {
      self.fault = fault
      self.code = code
    }
  }
}

/// A question that signet-tpm has not answered yet. If the value is dropped, the process is ended.
package final class TPMQuestion: Sendable {
  private let process: ChildProcess
  /// When it was asked, in milliseconds of the monotonic clock.
  let asked = monotonicMilliseconds()

  fileprivate init(_ process: ChildProcess) { self.process = process }

  /// The answer. After `silent` it may be asked for again.
  package func answer(within limit: Int64) throws(TPM.Failure) -> TPMAnswer {
    let deadline = monotonicMilliseconds() + limit
    var watched = pollfd(fd: process.channel.raw, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&watched, 1, Int32(clamping: max(0, deadline - monotonicMilliseconds()))) < 0, errno == EINTR {}
    guard watched.revents != 0 else { throw TPM.Failure(fault: .silent) }
    guard var packet = SecretBytes(capacity: PacketLimit.packet),
      (try? Channel.receive(into: &packet, from: process.channel.raw)) == true,
      let answer = try? TPMAnswer(parsing: packet.span)
    else {
      Log.write(.error, "signet-tpm ended without an answer")
      throw TPM.Failure(fault: .refused)
    }
    if let fault = answer.fault { throw TPM.Failure(fault: fault, code: answer.code) }
    return answer
  }

  /// The key, where that was asked for.
  package func key(within limit: Int64) throws(TPM.Failure) -> HeldKey {
    let answer = try answer(within: limit)
    guard answer.kind == .unsealed, var copy = SecretBytes(capacity: HeldKey.length), copy.append(answer.bytes.span),
      let key = HeldKey(copy)
    else { throw TPM.Failure(fault: .damaged) }
    return key
  }
}
