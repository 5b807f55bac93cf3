import SignetJSON

/// The header of a token (RFC 7515, section 4). All of it stands under the signature; before that is checked, none of it is true.
public struct JWSHeader: Sendable {
  /// `alg`, as it stands there.
  public let algorithm: String
  /// `typ`: lower case and without `application/` in front, which RFC 7515 lets a token leave out.
  public let type: String?
  /// `kid`.
  public let keyID: String?
  /// All members.
  public let members: JSONObject

  init(_ members: JSONObject) throws(JWTError) {
    guard let algorithm = members["alg"]?.string else { throw .invalidMember("alg") }
    self.algorithm = algorithm
    type = try JWSHeader.text("typ", members).map(JWSHeader.plainType)
    keyID = try JWSHeader.text("kid", members)
    self.members = members
  }

  /// As types are compared: without regard to case, by ASCII alone.
  static func plainType(_ type: String) -> String {
    let prefix = "application/"
    let lower = type.lowercased()
    return lower.hasPrefix(prefix) && !lower.dropFirst(prefix.count).contains("/") ? String(lower.dropFirst(prefix.count)) : lower
  }

  private static func text(_ name: String, _ members: JSONObject) throws(JWTError) -> String? {
    guard let member = members[name] else { return nil }
    guard let text = member.string else { throw .invalidMember(name) }
    return text
  }

  /// The first checks (RFC 8725, 3.1 and 3.11): the kind of the token and its algorithm, then what must be understood.
  func algorithm(
    types: Set<String>, mayLackType: Bool, allowed: Set<SignatureAlgorithm>
  ) throws(JWTError) -> SignatureAlgorithm {
    guard let type else {
      guard mayLackType else { throw .unexpectedType(nil) }
      return try algorithm(allowed)
    }
    guard types.contains(where: { $0.hasSameBytes(as: type) }) else { throw .unexpectedType(type) }
    return try algorithm(allowed)
  }

  private func algorithm(_ allowed: Set<SignatureAlgorithm>) throws(JWTError) -> SignatureAlgorithm {
    guard let algorithm = SignatureAlgorithm(rawValue: algorithm), algorithm.rawValue.hasSameBytes(as: self.algorithm),
      allowed.contains(algorithm)
    else { throw .unexpectedAlgorithm(self.algorithm) }
    // No extension is understood here. `b64` (RFC 7797) and `zip` would change what is signed.
    guard members["crit"] == nil, members["b64"] == nil, members["zip"] == nil else { throw .unknownCriticalHeader }
    return algorithm
  }
}
