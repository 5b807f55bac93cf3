import SignetJSON

/// Why a token is refused, or cannot be made. Checked in this order as far as they apply: what a token is said to be comes before
/// its signature (RFC 8725), and what it says comes after.
public enum JWTError: Error, Equatable, Sendable {
  /// More than `CompactJWS.maximumSize` bytes, or a header of more than `CompactJWS.maximumHeaderSize`.
  case tooLarge
  /// Not three parts of base64url without padding.
  case notCompact
  /// The header or the claims are no JSON object, or have a name twice.
  case notJSON(JSONError)
  /// A member of the header or a claim is of another type than its RFC says.
  case invalidMember(String)
  /// `typ` is not what the profile asks for: a token of another kind.
  case unexpectedType(String?)
  /// `alg` is none of those that the profile allows. `none` and the HMAC algorithms never are.
  case unexpectedAlgorithm(String)
  /// `crit` names what must be understood and is not (RFC 7515, 4.1.11), or the header has an extension that needs it.
  case unknownCriticalHeader
  /// No key of the set has this `kid` and fits the algorithm; or the token names none, and not exactly one key fits.
  case unknownKey(String?)
  /// A key is not valid, of an unknown kind, too short or too long.
  case invalidKey
  /// The signature is not that of the key.
  case invalidSignature
  /// A claim that the profile asks for is not there.
  case missingClaim(String)
  /// A claim has another value than the one expected.
  case unexpectedClaim(String)
  /// `exp` has passed.
  case expired
  /// `nbf` or `iat` has not come yet.
  case notYetValid
  /// `iat` or `auth_time` is longer ago than the caller allows.
  case tooOld
}
