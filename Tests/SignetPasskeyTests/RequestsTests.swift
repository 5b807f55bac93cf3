import SignetPasskey
import Testing

/// What is refused before anybody is asked, by the codes that public test suites for authenticators look for (CTAP 2.1, section 6).
struct RequestsTests {
  private static let word = CBOR.text("public-key")
  private static let ours = CBOR.named([("alg", .int(-7)), ("type", word)])
  private static let id = CBOR.bytes([1, 2, 3])
  private static let point = PublicKey.agreeing([UInt8](repeating: 3, count: 64))

  private static func user(_ id: CBOR?, _ name: CBOR? = nil, display: CBOR? = nil) -> CBOR {
    .named([("id", id), ("name", name), ("displayName", display)])
  }

  /// What is wrong with a list of names of credentials.
  private static let lists: [(CBOR, Status)] = [
    (.map([]), .unexpectedType), (.array([.int(1)]), .unexpectedType), (.array([.named([("id", id)])]), .missingParameter),
    (.array([.named([("type", word)])]), .missingParameter),
    (.array([.named([("id", .text("a")), ("type", word)])]), .unexpectedType),
    (.array([.named([("id", id), ("type", .int(1))])]), .unexpectedType),
    (.array([CBOR](repeating: Answer.descriptor([1]), count: 65)), .limitExceeded),
  ]

  /// What is wrong with a proof and its protocol.
  private static let proofs: [(proof: CBOR?, version: CBOR?, Status)] = [
    (.text("a"), .int(2), .unexpectedType), (.bytes([1]), nil, .missingParameter), (.bytes([1]), .int(0), .invalidParameter),
    (.bytes([1]), .int(3), .invalidParameter), (.bytes([1]), .text("2"), .unexpectedType),
  ]

  // MARK: makeCredential

  private static let wrongMakes: [(key: Int, CBOR?, Status)] = [
    (1, nil, .missingParameter), (1, .int(5), .unexpectedType), (1, .bytes([1]), .invalidLength), (2, nil, .missingParameter),
    (2, .text("example.org"), .unexpectedType), (2, .map([]), .missingParameter),
    (2, .named([("id", .bytes([1]))]), .unexpectedType), (2, .named([("id", .text(""))]), .invalidLength),
    (2, .named([("id", .text("example.org")), ("name", .int(1))]), .unexpectedType), (3, nil, .missingParameter),
    (3, .array([]), .unexpectedType), (3, user(nil, .text("alice")), .missingParameter),
    (3, user(.text("alice")), .unexpectedType), (3, user(.bytes([])), .invalidLength),
    (3, user(.bytes([UInt8](repeating: 1, count: 65))), .invalidLength), (3, user(id, .int(1)), .unexpectedType),
    (3, user(id, display: .bytes([1])), .unexpectedType), (4, nil, .missingParameter), (4, .map([]), .unexpectedType),
    (4, .array([.int(-7)]), .unexpectedType), (4, .array([.named([("alg", .int(-7))])]), .missingParameter),
    (4, .array([.named([("type", word)])]), .missingParameter), (4, .array([ours, .map([])]), .missingParameter),
    (4, .array([.named([("alg", .text("-7")), ("type", word)])]), .unexpectedType),
    (4, .array([.named([("alg", .int(-7)), ("type", .int(1))])]), .unexpectedType), (4, .array([]), .unsupportedAlgorithm),
    (4, .array([.named([("alg", .int(-257)), ("type", word)])]), .unsupportedAlgorithm),
    (4, .array([.named([("alg", .int(-7)), ("type", .text("other"))])]), .unsupportedAlgorithm), (6, .array([]), .unexpectedType),
    (6, .named([("credProtect", .int(0))]), .invalidOption), (6, .named([("credProtect", .int(4))]), .invalidOption),
    (6, .named([("credProtect", .bool(true))]), .unexpectedType), (6, .named([("hmac-secret", .int(1))]), .unexpectedType),
    (7, .array([]), .unexpectedType), (7, .named([("rk", .int(1))]), .unexpectedType),
    (7, .named([("uv", .text("yes"))]), .unexpectedType), (7, .named([("up", .int(1))]), .unexpectedType),
    (7, .named([("up", .bool(false))]), .invalidOption), (10, .int(1), .invalidParameter),
  ]

  @Test func `a request to make one is refused for what is missing, of another type or not there`() {
    let base = PasskeyWorld.make()
    for (key, value, status) in Self.wrongMakes + Self.lists.map({ (5, $0, $1) }) {
      #expect(throws: status, "\(key): \(value ?? .map([]))") { try MakeCredential(base.with(key, value)) }
    }
    for (proof, version, status) in Self.proofs {
      #expect(throws: status) { try MakeCredential(base.with(8, proof).with(9, version)) }
    }
  }

  @Test func `what nobody knows is passed over, and ours is found anywhere among the algorithms`() throws {
    let other = CBOR.named([("alg", .int(-257)), ("type", Self.word)])
    let unknown = CBOR.named([("unknown", .bool(true))])
    for algorithms in [[Self.ours], [other, Self.ours], [Self.ours, other], [Self.ours, Self.ours]] {
      let request = PasskeyWorld.make().with(4, .array(algorithms)).with(6, unknown).with(7, unknown).with(99, .int(1))
      let made = try MakeCredential(request)
      #expect(!made.isDiscoverable && made.protection == nil && !made.wantsSecrets && made.authorization == nil)
    }
    let foreign = CBOR.named([("id", Self.id), ("type", .text("other"))])
    #expect(try !MakeCredential(PasskeyWorld.make().with(5, .array([foreign]))).excluded.contains([1, 2, 3]))
    #expect(try MakeCredential(PasskeyWorld.make().with(5, .array([]))).excluded == [])
    #expect(try MakeCredential(PasskeyWorld.make().with(6, .named([("hmac-secret", .bool(false))]))).wantsSecrets == false)
  }

  // MARK: getAssertion

  @Test func `a request to use one is refused likewise, and an empty list is none`() throws {
    let base = PasskeyWorld.use()
    let wrong: [(key: Int, CBOR?, Status)] = [
      (1, nil, .missingParameter), (1, .bytes([1]), .unexpectedType), (1, .text(""), .invalidLength), (2, nil, .missingParameter),
      (2, .text("a"), .unexpectedType), (2, .bytes([1]), .invalidLength), (4, .array([]), .unexpectedType),
      (5, .array([]), .unexpectedType), (5, .named([("up", .int(1))]), .unexpectedType),
      (5, .named([("uv", .int(1))]), .unexpectedType), (5, .named([("rk", .bool(true))]), .unsupportedOption),
      (5, .named([("rk", .bool(false))]), .unsupportedOption),
    ]
    for (key, value, status) in wrong + Self.lists.map({ (3, $0, $1) }) {
      #expect(throws: status, "\(key): \(value ?? .map([]))") { try GetAssertion(base.with(key, value)) }
    }
    for (proof, version, status) in Self.proofs {
      #expect(throws: status) { try GetAssertion(base.with(6, proof).with(7, version)) }
    }
    #expect(try GetAssertion(base.with(3, .array([]))).allowed == nil)
    #expect(try GetAssertion(base.with(5, .named([("uv", .bool(false)), ("unknown", .bool(true))]))).needsPresence)
  }

  // MARK: clientPIN and credential management

  @Test func `without a PIN there are three subcommands, and a token is for known rights at a site`() throws {
    let token = CBOR.numbered([(1, .int(2)), (2, .int(6)), (3, Self.point), (9, .int(1)), (10, .text("example.org"))])
    var wrong: [(key: Int, CBOR?, Status)] = [1, 3, 4, 5, 8, 9, 99, -1].map { (2, .int($0), .invalidSubcommand) }
    wrong += [8, 16, 32, 64, -1].map { (9, .int($0), .unauthorizedPermission) }
    wrong += [
      (1, nil, .missingParameter), (1, .int(3), .invalidParameter), (1, .text("2"), .unexpectedType), (2, nil, .missingParameter),
      (2, .text("6"), .unexpectedType), (3, nil, .missingParameter), (3, .bytes([1]), .unexpectedType),
      (3, Self.point.with(1, .int(1)), .invalidParameter), (3, Self.point.with(-1, .int(2)), .invalidParameter),
      (3, Self.point.with(-2, .bytes([1])), .invalidParameter), (3, Self.point.with(-3, nil), .missingParameter),
      (9, nil, .missingParameter), (9, .int(0), .invalidParameter), (9, .text("1"), .unexpectedType),
      (10, nil, .missingParameter), (10, .bytes([1]), .unexpectedType),
    ]
    for (key, value, status) in wrong {
      #expect(throws: status, "\(key): \(value ?? .map([]))") { try ClientPIN(token.with(key, value)) }
    }
    #expect(throws: Never.self) { try ClientPIN(token.with(9, .int(4)).with(10, nil)) }
  }

  @Test func `nothing is managed without a proof, which is asked for before anything else`() {
    for number in [1, 2, 4, 6, 7] {
      #expect(throws: Status.authorizationRequired) { try Management.parsed(.numbered([(1, .int(number))])) }
    }
    let proved = CBOR.numbered([(3, .int(2)), (4, .bytes([1]))])
    for (number, parameters, status): (Int, CBOR?, Status) in [
      (0, nil, .invalidSubcommand), (8, nil, .invalidSubcommand), (4, nil, .missingParameter), (4, .map([]), .missingParameter),
      (4, .numbered([(1, .bytes([1]))]), .invalidLength), (6, .numbered([(2, .map([]))]), .missingParameter),
      (7, .numbered([(2, Answer.descriptor([1]))]), .missingParameter),
      (7, .numbered([(2, Answer.descriptor([1])), (3, .map([]))]), .missingParameter), (1, .array([]), .unexpectedType),
    ] {
      #expect(throws: status, "\(number)") { try Management.parsed(proved.with(1, .int(number)).with(2, parameters)) }
    }
  }
}

extension CBOR {
  /// With another value under a number; `nil`: without it.
  fileprivate func with(_ key: Int, _ value: CBOR?) -> CBOR {
    guard case .map(let pairs) = self else { return self }
    return .map(pairs.filter { $0.key != .int(key) } + (value.map { [Pair(.int(key), $0)] } ?? []))
  }
}
