// What the commands answer (CTAP 2.1, section 6), as CBOR.

/// A public key of P-256 in COSE (RFC 9053).
public enum PublicKey {
  public static let es256 = -7
  /// What keys agree by; its number says less than it does.
  private static let agreement = -25

  /// - Parameter point: x and y.
  public static func signing(_ point: [UInt8]) -> CBOR { key(point, es256) }

  public static func agreeing(_ point: [UInt8]) -> CBOR { key(point, agreement) }

  private static func key(_ point: [UInt8], _ algorithm: Int) -> CBOR {
    .numbered([
      (1, .int(2)), (3, .int(algorithm)), (-1, .int(1)), (-2, .bytes(Array(point.prefix(32)))),
      (-3, .bytes(Array(point.dropFirst(32)))),
    ])
  }

  /// x and y of a key that somebody wants to agree with. Whether they are on the curve is not looked at here.
  static func point(ofAgreement key: CBOR) throws(Status) -> [UInt8] {
    guard let type = try key.asMap()[1], let curve = key[-1], let x = key[-2], let y = key[-3] else { throw .missingParameter }
    let point = try x.asBytes() + y.asBytes()
    guard try type.asInt() == 2, try curve.asInt() == 1, point.count == 64, try x.asBytes().count == 32 else {
      throw .invalidParameter
    }
    return point
  }
}

/// What is signed besides the client's data (WebAuthn, section 6.1).
public struct AuthenticatorData {
  public struct Flags: OptionSet, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let present = Flags(rawValue: 0x01)
    public static let verified = Flags(rawValue: 0x04)
    static let credential = Flags(rawValue: 0x40)
    static let extensions = Flags(rawValue: 0x80)
  }

  public let bytes: [UInt8]

  /// - Parameters:
  ///   - site: SHA-256 of its name.
  ///   - credential: a new one's name and x and y of its point.
  public init(site: [UInt8], _ flags: Flags, credential: (name: [UInt8], point: [UInt8])? = nil, extensions: CBOR? = nil) {
    var flags = flags
    if credential != nil { flags.formUnion(.credential) }
    if extensions != nil { flags.formUnion(.extensions) }
    // The counter is always 0: nothing here could be copied so that it would tell.
    var bytes = site + [flags.rawValue, 0, 0, 0, 0]
    if let credential {
      bytes += Device.model + [0, UInt8(credential.name.count & 0xFF)] + credential.name
      bytes += PublicKey.signing(credential.point).encoded
    }
    self.bytes = bytes + (extensions?.encoded ?? [])
  }
}

public enum Answer {
  /// What getInfo says. The user is verified with each use, so that nobody asks for a PIN, which there is none of.
  public static var info: CBOR {
    .numbered([
      (1, .array([.text("FIDO_2_0"), .text("FIDO_2_1_PRE"), .text("FIDO_2_1")])),
      (2, .array([.text("credProtect"), .text("hmac-secret")])),
      (3, .bytes(Device.model)),
      (
        4,
        .named(
          ["rk", "up", "uv", "alwaysUv", "credMgmt", "pinUvAuthToken", "credentialMgmtPreview"].map { ($0, .bool(true)) })
      ),
      (5, .int(Device.messageLimit)),
      (6, .array([.int(2), .int(1)])),
      (7, .int(Device.listLimit)),
      (8, .int(Device.credentialLength)),
      (9, .array([.text("usb")])),
      (10, .array([.named([("alg", .int(PublicKey.es256)), ("type", .text("public-key"))])])),
      // The user is verified by finger or passcode: fingerprint and passcode that stay inside (FIDO's registry, section 3.1).
      (18, .int(0x02 | 0x04)),
    ])
  }

  /// What is said of what was asked for beside a new credential; `nil` for nothing.
  public static func extensions(of request: MakeCredential) -> CBOR? {
    guard request.protection != nil || request.wantsSecrets else { return nil }
    return .named([
      ("credProtect", request.protection.map { .int($0) }), ("hmac-secret", request.wantsSecrets ? .bool(true) : nil),
    ])
  }

  /// What is said beside an assertion.
  ///
  /// - Parameter secrets: for the platform alone.
  public static func extensions(secrets: [UInt8]) -> CBOR { .named([("hmac-secret", .bytes(secrets))]) }

  /// A new credential, which has signed for itself.
  ///
  /// - Parameter signature: in DER.
  public static func made(_ data: AuthenticatorData, signature: [UInt8]) -> CBOR {
    .numbered([
      (1, .text("packed")), (2, .bytes(data.bytes)),
      (3, .named([("alg", .int(PublicKey.es256)), ("sig", .bytes(signature))])),
    ])
  }

  /// - Parameters:
  ///   - signature: in DER.
  ///   - account: its names are told to whom the user has let in.
  ///   - count: how many credentials there are, where that is told.
  public static func assertion(
    _ credential: StoredCredential, _ data: AuthenticatorData, signature: [UInt8], isVerified: Bool, count: Int? = nil
  ) -> CBOR {
    let account = credential.isDiscoverable ? Answer.account(credential.account, withNames: isVerified) : nil
    return .numbered([
      (1, descriptor(credential.name)), (2, .bytes(data.bytes)), (3, .bytes(signature)), (4, account),
      (5, count.map { .int($0) }),
    ])
  }

  /// What stands for a signature where nobody asked the user: well-formed, and that of no key.
  public static let noSignature: [UInt8] = [0x30, 0x06, 0x02, 0x01, 0x01, 0x02, 0x01, 0x01]

  public static func descriptor(_ name: [UInt8]) -> CBOR { .named([("id", .bytes(name)), ("type", .text("public-key"))]) }

  public static func account(_ account: Account, withNames: Bool) -> CBOR {
    func text(_ bytes: [UInt8]) -> CBOR? { withNames && !bytes.isEmpty ? .text(bytes) : nil }
    return .named([("id", .bytes(account.id)), ("name", text(account.name)), ("displayName", text(account.displayName))])
  }

  /// A site that has credentials.
  public static func site(_ site: Site, hash: [UInt8], count: Int?) -> CBOR {
    .numbered([(3, .named([("id", .text(site.id))])), (4, .bytes(hash)), (5, count.map { .int($0) })])
  }

  /// A credential, to whom may manage them.
  public static func managed(_ credential: StoredCredential, count: Int?) -> CBOR {
    .numbered([
      (6, account(credential.account, withNames: true)), (7, descriptor(credential.name)),
      (8, PublicKey.signing(credential.point)), (9, count.map { .int($0) }), (10, .int(credential.protection)),
    ])
  }
}
