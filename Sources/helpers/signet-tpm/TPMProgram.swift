// signet-tpm talks to the TPM for signetd: one request, one answer. It is a process of its own because the TPM's library brings a
// TLS library's worth of code with it, which must not share memory with the keys of vaults. It decides nothing.
import CLibc
import CLinux
import CTPM

/// All that signet-tpm does: it reads one `TPMRequest` and writes one `TPMAnswer`.
enum TPMProgram {
  /// The most seconds that the process lives, should the TPM never answer.
  private static var lifetime: UInt32 { 20 }

  /// Serves the request that standard input brings. `transport` is the TCTI. Returns the exit status: 0 where an answer was sent.
  ///
  /// Call it once, first thing in the process: it changes the process's limits and descriptors.
  static func run(_ words: [String]) -> Int32 {
    guard words.count == 1, let transport = words.first, NodeOwner.become(of: transport), confine(),
      var packet = SecretBytes(capacity: PacketLimit.packet), receive(into: &packet)
    else { return 1 }
    do {
      let answer = try answer(to: TPMRequest(parsing: packet.span), transport)
      try answer.write(into: &packet)
    } catch { return 1 }
    return send(packet) ? 0 : 1
  }

  private static func answer(to request: borrowing TPMRequest, _ transport: String) throws(FormatError) -> TPMAnswer {
    defer { ctpm_close() }
    let opened = unsafe ctpm_open(transport)
    guard opened == 0 else { return try failed(opened) }
    switch request.kind {
    case .seal: return try SealedKey.seal(request.bytes.span, request.pcrs)
    case .unseal: return try SealedKey.unseal(request.bytes.span)
    case .count: return try count(request)
    case .makeSigningKey: return try TPMSigningKey.make(agrees: false)
    case .makeAgreeingKey: return try TPMSigningKey.make(agrees: true)
    case .sign: return try TPMSigningKey.sign(request.input, with: request.bytes.span)
    case .agree: return try TPMSigningKey.agree(with: request.input, by: request.bytes.span)
    }
  }

  private static func count(_ request: borrowing TPMRequest) throws(FormatError) -> TPMAnswer {
    guard let count = request.count, request.bytes.count == Int(CTPM_AUTH) else { throw .badValue }
    var value: UInt64 = 0
    let outcome = unsafe request.bytes.span.withUnsafeBufferPointer { auth in
      unsafe ctpm_count(count.index, auth.baseAddress, count.makes ? 1 : 0, count.target, &value)
    }
    guard outcome == 0 else { return try failed(outcome) }
    return try TPMAnswer(counted: value)
  }

  static func failed(_ outcome: Int32) throws(FormatError) -> TPMAnswer {
    try TPMAnswer(failing: TPMFault(rawValue: UInt8(truncatingIfNeeded: outcome)) ?? .refused, code: ctpm_code())
  }

  /// No core dump, no tracer that is not root, an end in time, and nothing that signetd had open.
  private static func confine() -> Bool {
    _ = alarm(lifetime)
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none) == 0 else { return false }
    _ = umask(0o077)
    _ = clearenv()
    // The library leaves copies of what it carried on the heap.
    _ = mallopt(M_PERTURB, 0xA5)
    return clinux_prctl(PR_SET_DUMPABLE, 0) == 0 && clinux_close_from(3) == 0
  }

  private static func receive(into packet: inout SecretBytes) -> Bool {
    let flags = Int32(truncatingIfNeeded: MSG_TRUNC)
    let count = unsafe packet.replace { buffer in unsafe recv(0, buffer.baseAddress, buffer.count, flags) }
    return count > 0 && count <= packet.capacity
  }

  private static func send(_ packet: borrowing SecretBytes) -> Bool {
    let sent = unsafe packet.span.withUnsafeBytes { bytes in
      unsafe CLinux.send(0, bytes.baseAddress, bytes.count, Int32(truncatingIfNeeded: MSG_NOSIGNAL))
    }
    return sent == packet.span.count
  }
}
