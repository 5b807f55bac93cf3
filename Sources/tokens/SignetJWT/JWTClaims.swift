import SignetJSON

/// What a token says (RFC 7519, section 4). Times are seconds since 1970 in UTC.
public struct JWTClaims: Sendable {
  /// The latest time that is taken, the end of the year 9999.
  public static let latestTime: Double = 253_402_300_799

  /// All claims.
  public let members: JSONObject
  public let issuer: String?
  public let subject: String?
  /// `aud`, which may be one text or several.
  public let audience: [String]
  public let expiration: Double?
  public let notBefore: Double?
  public let issuedAt: Double?
  /// `jti`.
  public let tokenID: String?

  /// - Throws: `JWTError.invalidMember` where a claim has another type than its RFC says.
  public init(_ members: JSONObject) throws(JWTError) {
    self.members = members
    issuer = try JWTClaims.text("iss", members)
    subject = try JWTClaims.text("sub", members)
    tokenID = try JWTClaims.text("jti", members)
    expiration = try JWTClaims.time("exp", members)
    notBefore = try JWTClaims.time("nbf", members)
    issuedAt = try JWTClaims.time("iat", members)
    switch members["aud"] {
    case nil: audience = []
    case .string(let one): audience = [one]
    case .some(let several):
      guard let strings = several.strings, !strings.isEmpty, strings.count <= 64 else { throw .invalidMember("aud") }
      audience = strings
    }
  }

  /// A claim that is a text; `nil` where it is not there.
  ///
  /// - Throws: `JWTError.invalidMember` where it is something else.
  public func text(_ name: String) throws(JWTError) -> String? { try JWTClaims.text(name, members) }

  /// A claim that is a time; `nil` where it is not there.
  ///
  /// - Throws: `JWTError.invalidMember` where it is something else, before 1970 or after the year 9999.
  public func time(_ name: String) throws(JWTError) -> Double? { try JWTClaims.time(name, members) }

  /// A claim that is several texts; empty where it is not there.
  ///
  /// - Throws: `JWTError.invalidMember` where it is something else.
  public func texts(_ name: String) throws(JWTError) -> [String] {
    guard let member = members[name] else { return [] }
    guard let texts = member.strings else { throw .invalidMember(name) }
    return texts
  }

  private static func text(_ name: String, _ members: JSONObject) throws(JWTError) -> String? {
    guard let member = members[name] else { return nil }
    guard let text = member.string else { throw .invalidMember(name) }
    return text
  }

  private static func time(_ name: String, _ members: JSONObject) throws(JWTError) -> Double? {
    guard let member = members[name] else { return nil }
    guard let time = member.number, (0...latestTime).contains(time) else { throw .invalidMember(name) }
    return time
  }
}

extension JWTClaims {
  /// - Throws: `JWTError.missingClaim` where the claim is not there.
  func require(_ names: String...) throws(JWTError) {
    for name in names where members[name] == nil { throw .missingClaim(name) }
  }

  /// - Throws: `JWTError.unexpectedClaim` where the claim is not there or not this text.
  func require(_ name: String, is expected: String) throws(JWTError) {
    guard let text = try text(name), text.hasSameBytes(as: expected) else { throw .unexpectedClaim(name) }
  }

  func requireAudience(_ expected: String) throws(JWTError) {
    guard audience.contains(where: { $0.hasSameBytes(as: expected) }) else { throw .unexpectedClaim("aud") }
  }
}
