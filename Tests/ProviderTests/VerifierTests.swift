import Foundation
import Glibc
import SignetJWT
import SignetTestKit
import SignetVocabulary
import Testing

/// Access tokens of signetd's, before four libraries that nobody here wrote (Tests/Providers/verify.py) and our own.
@Suite(
  .enabled(if: Providers.areHere, Providers.reasonToSkip),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .timeLimit(.minutes(10)))
struct VerifierTests {
  private static let audience = "mail"

  /// What `signet` prints in a session that a finger opened, and a key of the test's that the services know besides.
  private struct Minted {
    let token: String
    let issuer: String
    let keys: JSONWebKeySet
    let own = SigningKey(keyID: "own")

    init() throws {
      let scene = try Scene()
      guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
      let digits = token.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let output = try SessionKeyring.with(token: digits) { key in
        let client = try scene.daemon.connect()
        try client.openSession(token: token, key: key)
        guard try client.nextAdministration() == .done else { throw TestKitError("no session") }
        let script = #""$1" token jwt --audience mail --socket "$2" && "$1" token jwks --with-issuer --socket "$2""#
        return try Program.output(
          ["/bin/sh", "-c", script, "sh", ReaderChannel.program("signet"), scene.daemon.socket],
          environment: ["PATH=/usr/bin:/bin"])
      }
      let lines = output.split(separator: "\n")
      guard lines.count == 2 else { throw TestKitError("not a token and its keys: \(output)") }
      self.token = String(lines[0])
      let published = try JSONReader.object(Array(lines[1].utf8), limit: 1 << 16)
      guard let issuer = published["issuer"]?.string, let keys = published["jwks"]?.object?["keys"]?.array else {
        throw TestKitError("no keys: \(lines[1])")
      }
      self.issuer = issuer
      let set: JSONObject = ["keys": .array(keys + [.object(own.publicKey.members)])]
      self.keys = try JSONWebKeySet(json: set.encoded)
    }

    var claims: JSONObject { get throws { try CompactJWS(token).unverifiedClaims().members } }
    var keyID: String { get throws { try #require(CompactJWS(token).header.keyID) } }

    /// The same claims, signed anew.
    func signed(by key: SigningKey, keyID: String, type: String = "at+jwt", header: JSONObject = [:]) throws -> String {
      var header = header
      header["kid"] = .string(keyID)
      return try CompactJWS.sign(try claims, type: type, header: header, by: key)
    }

    /// The same claims with a signature that is no public key's.
    func unsigned(_ algorithm: String, _ signature: ([UInt8]) -> [UInt8]) throws -> String {
      let header: JSONObject = ["alg": .string(algorithm), "typ": "at+jwt", "kid": .string(try keyID)]
      let input = Base64URL.encode(header.encoded) + "." + Base64URL.encode(try claims.encoded)
      return input + "." + Base64URL.encode(signature(Array(input.utf8)))
    }
  }

  /// What is wrong with a token, and what our own verifier calls it.
  private func forgeries(_ minted: Minted) throws -> [(name: String, token: String, error: JWTError)] {
    let parts = minted.token.split(separator: ".").map(String.init)
    var other = try minted.claims
    other["sub"] = "0"
    let stranger = SigningKey(keyID: "stranger")
    // HS256 whose secret is what everybody knows (RFC 8725, 2.1).
    let secret = Array(try publicKey(minted).utf8)
    return [
      ("tampered", [parts[0], Base64URL.encode(other.encoded), parts[2]].joined(separator: "."), .invalidSignature),
      ("alg none", try minted.unsigned("none") { _ in [] }, .unexpectedAlgorithm("none")),
      (
        "HS256", try minted.unsigned("HS256") { hmac($0, key: secret) { SHA2.sha256($0) } },
        .unexpectedAlgorithm("HS256")
      ),
      ("wrong typ", try minted.signed(by: minted.own, keyID: "own", type: "JWT"), .unexpectedType("jwt")),
      ("another key", try minted.signed(by: stranger, keyID: minted.keyID), .invalidSignature),
      ("an unknown key", try minted.signed(by: stranger, keyID: "stranger"), .unknownKey("stranger")),
      (
        "a critical header",
        try minted.signed(by: minted.own, keyID: "own", header: ["crit": ["unheard-of"], "unheard-of": true]),
        .unknownCriticalHeader
      ),
    ]
  }

  /// In PEM.
  private func publicKey(_ minted: Minted) throws -> String {
    let keyID = try minted.keyID
    let members = try #require(minted.keys.keys.first { $0.keyID == keyID }).members
    let point = ["x", "y"].compactMap { members[$0]?.string.flatMap(Base64URL.decode) }.joined()
    // What stands before the point of a key of P-256 in DER (RFC 5480).
    let start = try #require(Base64URL.decode("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE"))
    let text = Data(start + point).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN PUBLIC KEY-----\n\(text)\n-----END PUBLIC KEY-----\n"
  }

  /// Which of the four take a token.
  private func accepting(_ token: String, _ minted: Minted) throws -> Set<String> {
    let environment = try #require(ProviderRig.environment)
    let folder = try makeTemporaryFolder("verifiers")
    defer { removeTree(folder) }
    let keys = try JSONReader.value(minted.keys.encoded, limit: 1 << 16)
    let question: JSONObject = [
      "token": .string(token), "jwks": keys, "audience": .string(Self.audience), "issuer": .string(minted.issuer),
      "type": "at+jwt",
    ]
    try RawFile.create(folder + "/question", question.encoded)
    let output = try Program.output(
      [
        "/bin/sh", "-c", #"exec "$1" -B "$2" < "$3""#, "sh", "\(environment)/bin/python", "\(ProviderRig.folder)/verify.py",
        folder + "/question",
      ])
    let verdicts = try JSONReader.object(Array(output.utf8), limit: 1 << 20)
    #expect(Set(verdicts.names) == ["Authlib", "PyJWT", "jwcrypto", "joserfc"])
    return Set(verdicts.names.filter { verdicts[$0]?.object?["accepted"]?.bool == true })
  }

  private func verify(_ token: String, _ minted: Minted) throws -> AccessToken {
    try AccessTokenProfile(issuer: minted.issuer, audience: Self.audience)
      .verify(token, by: minted.keys, at: TokenClock(now: Date().timeIntervalSince1970))
  }

  @Test func `all five take what signetd signed`() throws {
    let minted = try Minted()
    #expect(try accepting(minted.token, minted).count == 4)
    let token = try verify(minted.token, minted)
    #expect(token.authenticationMethods == ["fpt"] && token.sessionID != nil)
    // What is refused below is so for its one fault: the test's own key is as good to them.
    let own = try minted.signed(by: minted.own, keyID: "own")
    #expect(try accepting(own, minted).count == 4)
    #expect(try verify(own, minted).subject == token.subject)
  }

  @Test func `none of the five takes what somebody else made of it`() throws {
    let minted = try Minted()
    for (name, token, error) in try forgeries(minted) {
      #expect(try accepting(token, minted).isEmpty, "\(name)")
      #expect(throws: error, "\(name)") { try verify(token, minted) }
    }
  }
}
