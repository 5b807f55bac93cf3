import CLinux

#if hasFeature(Embedded)
  import CLibc
#else
  import Glibc
  import SignetBytes
  import SignetMemory
  import SignetVocabulary
  import SignetWire
#endif

/// The connection on which somebody else has asked signetd for something. Of what signetd says only that is taken which is for
/// the user; the rest stays for whoever asked.
struct Signetd: ~Copyable {
  enum Arrival {
    /// Nothing yet.
    case nothing
    case heartbeat
    case event(PromptState.Event)
  }

  let descriptor: Int32
  private var packet: SecretBytes

  /// `nil` where this is no socket of signetd's kind, or there is no memory.
  init?(_ descriptor: Int32) {
    var kind: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0, kind == Int32(SOCK_SEQPACKET.rawValue),
      let packet = SecretBytes(capacity: PacketLimit.packet)
    else { return nil }
    self.descriptor = descriptor
    self.packet = packet
  }

  /// The next packet, if it is for the user.
  mutating func next() -> Arrival {
    let peek = Int32(MSG_PEEK | MSG_DONTWAIT | MSG_TRUNC)
    // The header first: the rest of a packet that is not ours may be a secret.
    var header: (UInt8, UInt8) = (0, 0)
    let count = withUnsafeMutableBytes(of: &header) { recv(descriptor, $0.baseAddress, $0.count, peek) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    guard count >= 2, header.0 == PacketLimit.version, [.heartbeat, .show, .askPasscode].contains(ReplyKind(rawValue: header.1))
    else { return .event(.over) }
    let whole = packet.replace { buffer in recv(descriptor, buffer.baseAddress, buffer.count, peek) }
    guard whole == count, let arrival = Signetd.arrival(in: packet) else { return .event(.over) }
    _ = packet.replace { buffer in recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)) }
    packet.removeAll()
    return arrival
  }

  private static func arrival(in packet: borrowing SecretBytes) -> Arrival? {
    guard let reply = try? LoginReply(parsing: packet.span) else { return nil }
    switch reply {
    case .heartbeat: return .heartbeat
    case .show(let prompt, let value, let detail):
      return .event(.show(prompt, value: value, detail: Array(copying: detail)))
    case .askPasscode(let reason): return .event(.passcodeWanted(reason))
    case .verdict, .busy: return nil
    }
  }

  /// Sends a request without fields. Where that fails signetd has gone, which whoever asked will see.
  mutating func send(_ kind: RequestKind) {
    guard (try? packet.begin(kind.rawValue)) != nil else { return }
    send()
  }

  /// Sends what was typed.
  mutating func send(passcode: borrowing SecretBytes) {
    if (try? PasscodeRequest(passcode: passcode.span).write(into: &packet)) != nil { send() }
    packet.removeAll()
  }

  private func send() {
    packet.span.withUnsafeBytes { bytes in
      transmit(bytes, on: descriptor)
    }
  }
}

private func transmit(_ bytes: UnsafeRawBufferPointer, on descriptor: Int32) {
  _ = send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
}
