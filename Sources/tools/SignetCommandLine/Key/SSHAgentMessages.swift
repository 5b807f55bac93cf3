/// How ssh writes texts and numbers (RFC 4251, section 5).
enum SSHText {
  /// RFC 5656, section 6.2: the kind of key that Signet has, and its curve.
  static let algorithm = "ecdsa-sha2-nistp256"
  static let curve = "nistp256"

  static func number(_ number: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }

  /// A text with its length before it.
  static func string(_ text: [UInt8]) -> [UInt8] { number(text.count) + text }
  static func string(_ text: String) -> [UInt8] { string(Array(text.utf8)) }
}

/// What a client of an ssh agent asks (OpenSSH's PROTOCOL.agent, and draft-miller-ssh-agent).
enum SSHAgentRequest: Equatable {
  case identities
  /// `key` as `PublicKey.sshBlob`.
  case sign(key: [UInt8], data: [UInt8])
  /// Something that this agent does not do: keys come by `signet key make` alone, and go by `signet key delete`.
  case other

  /// The most bytes that a message has behind its length; OpenSSH's own agent takes no more.
  static let limit = 256 * 1024

  /// A message without its length. What is cut off, or has more than it should, is `other`: it is answered by a failure.
  init(_ message: ArraySlice<UInt8>) {
    var rest = message.dropFirst()
    switch message.first {
    case 11 where rest.isEmpty: self = .identities
    case 13:
      // The flags at the end choose among RSA's hashes; a key of this curve has one.
      guard let key = Self.string(&rest), let data = Self.string(&rest), rest.count == 4 else { fallthrough }
      self = .sign(key: key, data: data)
    default: self = .other
    }
  }

  private static func string(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard let count = length(rest.prefix(4)), count <= rest.count - 4 else { return nil }
    defer { rest = rest.dropFirst(4 + count) }
    return Array(rest.dropFirst(4).prefix(count))
  }

  /// The number that four bytes are; `nil` where there are fewer.
  static func length(_ bytes: some Collection<UInt8>) -> Int? {
    bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | Int($1) } : nil
  }
}

/// What the agent answers.
enum SSHAgentReply {
  case identities([(key: PublicKey, name: String)])
  case signature(RawSignature)
  case failure

  /// The whole message.
  var bytes: [UInt8] {
    let body = body
    return SSHText.number(body.count) + body
  }

  private var body: [UInt8] {
    switch self {
    case .failure: return [5]
    case .identities(let keys):
      var body: [UInt8] = [12] + SSHText.number(keys.count)
      for (key, name) in keys { body += SSHText.string(key.sshBlob) + SSHText.string(name) }
      return body
    case .signature(let signature): return [14] + SSHText.string(signature.ssh)
    }
  }
}
