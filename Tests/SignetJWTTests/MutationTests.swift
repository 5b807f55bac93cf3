import SignetJWT
import Testing

@Suite struct MutationTests {
  private let issuer = TestIssuer()

  /// Whatever becomes of a token, it is refused, and nothing traps.
  @Test(arguments: 0..<8 as Range<UInt64>) func `a token that was changed at random is refused`(seed: UInt64) throws {
    var random = Numbers(state: seed)
    let token = try Array(issuer.token(issuer.accessClaims).utf8)
    for _ in 0..<500 {
      let changed = mutate(token, &random)
      guard changed != token else { continue }
      #expect(throws: JWTError.self) { try issuer.verify(String(decoding: changed, as: UTF8.self)) }
    }
  }

  /// The same below base64: headers and claims that are nearly right, well signed.
  @Test(arguments: 0..<8 as Range<UInt64>) func `a signed token whose text was changed never traps`(seed: UInt64) throws {
    var random = Numbers(state: seed + 100)
    let header = Array(#"{"alg":"ES256","kid":"one","typ":"at+jwt"}"#.utf8)
    var taken = 0
    for _ in 0..<300 {
      let input =
        Base64URL.encode(Bool.random(using: &random) ? mutate(header, &random) : header) + "."
        + Base64URL.encode(mutate(issuer.accessClaims.encoded, &random))
      let token = try input + "." + Base64URL.encode(issuer.key.signature(over: Array(input.utf8)))
      if let token = try? issuer.verify(token) {
        taken += 1
        #expect(token.claims.issuer == TestIssuer.name && token.claims.audience.contains("files"))
      }
    }
    // Some changes do not matter: another subject, a claim that nobody reads.
    #expect(taken < 300)
  }

  private func mutate(_ bytes: [UInt8], _ random: inout Numbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let place = Int.random(in: 0..<max(1, bytes.count), using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1 where !bytes.isEmpty: bytes.remove(at: place)
      case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(place, bytes.count))
      case 3: bytes = Array(bytes.prefix(place))
      default: bytes.insert(contentsOf: bytes.suffix(from: min(place, bytes.count)).prefix(40), at: min(place, bytes.count))
      }
    }
    return bytes
  }
}

/// Numbers that look random and are the same each time (SplitMix64, by Steele, Lea and Flood).
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
