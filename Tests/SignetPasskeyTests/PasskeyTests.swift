import CCrypto
import Glibc
import SignetPasskey
import SignetTestKit
import Testing

/// The device, as a browser has it.
@Suite(.serialized, .enabled(if: access("/usr/bin/python3", X_OK) == 0, "needs python3, which `make deps` installs"))
struct PasskeyTests {
  private let world: PasskeyWorld

  init() throws { world = try PasskeyWorld() }

  @Test func `the device says what it can without asking anybody`() throws {
    let info = try world.ask(4)
    #expect(info.status == .success)
    #expect(info.value[1] == .array([.text("FIDO_2_0"), .text("FIDO_2_1_PRE"), .text("FIDO_2_1")]))
    #expect(info.value[3] == .bytes(Array("Signet passkey 1".utf8)))
    #expect(info.value[4]?["alwaysUv"] == .bool(true) && info.value[4]?["clientPin"] == nil)
    #expect(world.prompts == 0)
  }

  @Test func `a touch makes a passkey that signs for itself, and the question names site and account`() throws {
    let made = try world.made()
    #expect(made.format == .text("packed") && made.signed(made.signature, over: made.data))
    #expect(made.data.prefix(32).elementsEqual(sha256("example.org")) && made.data[32...36].elementsEqual([0x45, 0, 0, 0, 0]))
    #expect(world.prompts == 1 && world.armings == 1)
    #expect(world.shown.contains("'Passkeys', '--reason', 'make a passkey for what a program calls example.org (alice)'"))
    #expect(world.keepalives == [2])
  }

  @Test func `each use takes one touch, and only by the site's own name`() throws {
    let made = try world.made()
    for allowed in [nil, [[UInt8](repeating: 1, count: 32), made.name]] {
      let used = try world.ask(2, PasskeyWorld.use(allowed: allowed), touching: "right")
      #expect(used.status == .success && used.value[1] == Answer.descriptor(made.name) && used.value[5] == nil)
      let data = try #require(try used.value[2]?.asBytes())
      #expect(data == sha256("example.org") + [0x05, 0, 0, 0, 0])
      #expect(made.signed(try #require(try used.value[3]?.asBytes()), over: data))
      #expect(used.value[4]?["name"] == .text("alice"))
    }
    #expect(world.prompts == 3)
    #expect(try world.ask(2, PasskeyWorld.use("example.com", allowed: [made.name]), touching: "right").status == .noCredentials)
    #expect(try world.ask(2, PasskeyWorld.use("example.com", allowed: [made.name], options: silently)).status == .noCredentials)
  }

  @Test func `two accounts are told of after one touch, the newest first, and a new one replaces its own`() throws {
    _ = try world.made()
    let second = try world.made(user: "bob")
    let third = try world.made()
    let used = try world.ask(2, PasskeyWorld.use(), touching: "right")
    #expect(used.value[5] == .int(2))
    let next = try world.ask(8)
    #expect(next.status == .success && world.prompts == 4)
    let names = [used, next].map { $0.value[1] }
    #expect(names.contains(Answer.descriptor(second.name)) && names.contains(Answer.descriptor(third.name)))
    let passkey = next.value[1] == Answer.descriptor(second.name) ? second : third
    #expect(
      passkey.signed(
        try #require(try next.value[3]?.asBytes()), over: try #require(try next.value[2]?.asBytes())))
    #expect(try world.ask(8).status == .notAllowed)
  }

  @Test func `nothing is signed where nobody is asked, and it is said what there is`() throws {
    let made = try world.made()
    let told = try world.ask(2, PasskeyWorld.use(allowed: [made.name], options: silently))
    #expect(told.status == .success && told.value[1] == Answer.descriptor(made.name) && told.value[4]?["name"] == nil)
    let data = try #require(try told.value[2]?.asBytes())
    #expect(data[32] & 0x05 == 0)
    #expect(!made.signed(try #require(try told.value[3]?.asBytes()), over: data))
    #expect(world.prompts == 1)
  }

  @Test func `what is protected is told of only to whom it may be`() throws {
    let named = try world.made(user: "named", extensions: .named([("credProtect", .int(2))]))
    #expect(named.data[32] & 0x80 != 0 && named.data.suffix(14).elementsEqual([0xA1, 0x6B] + Array("credProtect".utf8) + [2]))
    let hidden = try world.made("hidden.org", extensions: .named([("credProtect", .int(3))]))
    #expect(try world.ask(2, PasskeyWorld.use(options: silently)).status == .noCredentials)
    #expect(try world.ask(2, PasskeyWorld.use(allowed: [named.name], options: silently)).status == .success)
    #expect(try world.ask(2, PasskeyWorld.use("hidden.org", allowed: [hidden.name], options: silently)).status == .noCredentials)
    #expect(try world.ask(2, PasskeyWorld.use("hidden.org", allowed: [hidden.name]), touching: "right").status == .success)
  }

  @Test func `a passkey that the site knows already is not made again`() throws {
    let made = try world.made()
    let again = PasskeyWorld.make(excluded: [made.name])
    #expect(try world.ask(1, again, touching: "right").status == .credentialExcluded)
  }

  @Test(arguments: [1, 2]) func `a token of one touch is for one use at one site`(version: Int) throws {
    let made = try world.made()
    var platform = try Platform(world, version)
    let token = try platform.token(2, "example.org", touching: "right")
    let proof = platform.proof(token, PasskeyWorld.hash)
    let wrong = platform.proof([UInt8](repeating: 0, count: 32), PasskeyWorld.hash)
    #expect(try world.ask(2, PasskeyWorld.use(proof: wrong, version: version)).status == .pinAuthInvalid)
    #expect(try world.ask(2, PasskeyWorld.use("example.com", proof: proof, version: version)).status == .pinAuthInvalid)
    #expect(try world.ask(1, PasskeyWorld.make(proof: proof, version: version)).status == .pinAuthInvalid)
    // Looking first uses nothing up.
    #expect(
      try world.ask(2, PasskeyWorld.use(allowed: [made.name], options: silently, proof: proof, version: version)).status
        == .success)
    let used = try world.ask(2, PasskeyWorld.use(allowed: [made.name], proof: proof, version: version))
    #expect(used.status == .success)
    #expect(
      made.signed(try #require(try used.value[3]?.asBytes()), over: try #require(try used.value[2]?.asBytes())))
    #expect(try world.ask(2, PasskeyWorld.use(allowed: [made.name], proof: proof, version: version)).status == .pinAuthInvalid)
    #expect(world.prompts == 2)
  }

  @Test func `a token makes one passkey without another touch`() throws {
    var platform = try Platform(world, 2)
    let token = try platform.token(1, "example.org", touching: "right")
    let proof = platform.proof(token, PasskeyWorld.hash)
    let made = try world.ask(1, PasskeyWorld.make(proof: proof))
    #expect(made.status == .success)
    let passkey = try MadePasskey(made.value)
    #expect(passkey.signed(passkey.signature, over: passkey.data))
    #expect(try world.ask(1, PasskeyWorld.make(proof: proof)).status == .pinAuthInvalid)
    #expect(world.prompts == 1)
  }

  @Test func `a cancel takes the question away, costs nothing, and the next one is asked`() throws {
    let before = world.armings
    try world.begin(1, PasskeyWorld.make())
    try world.awaitKeepalive()
    try world.awaitArming(after: before)
    try world.begin(0x91, [])
    #expect(try world.commandAnswer().status == .keepaliveCancel)
    try wait(for: "the prompt to go") { world.shown.contains("the caller left") }
    try world.scene.daemon.awaitStrikes(0)
    try world.scene.reader.awaitClosed()
    _ = try world.made()
  }

  @Test func `three misses are strikes, and then the passcode is asked for in the same question`() throws {
    try world.begin(1, PasskeyWorld.make())
    try world.awaitArming(after: 0)
    for miss in 1...3 {
      try world.scene.reader.scan("wrong")
      if miss < 3 { try wait(for: "miss \(miss)") { world.shown.components(separatedBy: "show 2\n").count > miss } }
    }
    #expect(try world.commandAnswer().status == .success)
    #expect(world.prompts == 1 && world.shown.contains("ask "))
  }

  @Test func `after a lock the passcode opens the vault, in one question`() throws {
    let made = try world.made()
    try world.closeVault()
    try world.begin(2, PasskeyWorld.use(allowed: [made.name]))
    #expect(try world.commandAnswer().status == .success)
    #expect(world.prompts == 2 && world.shown.contains("ask "))
  }

  @Test func `passkeys are listed and deleted by whom the owner lets`() throws {
    let first = try world.made()
    _ = try world.made("example.com", user: "bob")
    var platform = try Platform(world, 2)
    let token = try platform.token(4, nil, touching: "right")
    func manage(_ command: UInt8, _ number: UInt8, _ parameters: CBOR? = nil) throws -> (status: Status?, value: CBOR) {
      let proof = platform.proof(token, [number] + (parameters?.encoded ?? []))
      return try world.ask(
        command, .numbered([(1, .int(Int(number))), (2, parameters), (3, .int(2)), (4, .bytes(proof))]))
    }
    #expect(try world.ask(0x0A, .numbered([(1, .int(2)), (3, .int(2)), (4, .bytes(proofOfNobody))])).status == .pinAuthInvalid)
    #expect(try manage(0x41, 1).value[1] == .int(2))
    let site = try manage(0x0A, 2)
    #expect(site.value[5] == .int(2) && site.value[3]?["id"] != nil)
    #expect(try world.ask(0x0A, .numbered([(1, .int(3))])).status == .success)
    #expect(try world.ask(0x0A, .numbered([(1, .int(3))])).status == .notAllowed)
    let hash: CBOR = .numbered([(1, .bytes(sha256("example.org")))])
    let account = try manage(0x41, 4, hash)
    #expect(
      account.value[7] == Answer.descriptor(first.name) && account.value[9] == .int(1)
        && account.value[6]?["name"] == .text("alice"))
    #expect(account.value[8] == PublicKey.signing(first.point))
    #expect(try manage(0x0A, 6, .numbered([(2, Answer.descriptor(first.name))])).status == .success)
    #expect(try manage(0x0A, 4, hash).status == .noCredentials)
    #expect(world.prompts == 3)
  }

  @Test func `what is missing, of another type or unknown is refused, and the device goes on`() throws {
    for (command, request, status): (UInt8, CBOR, Status) in [
      (1, .map([]), .missingParameter), (2, .numbered([(1, .int(5)), (2, .bytes(PasskeyWorld.hash))]), .unexpectedType),
      (2, .numbered([(1, .text("")), (2, .bytes(PasskeyWorld.hash))]), .invalidLength),
      (1, PasskeyWorld.make(options: .named([("up", .bool(false))])), .invalidOption),
      (2, PasskeyWorld.use(options: .named([("rk", .bool(true))])), .unsupportedOption),
      (6, .numbered([(1, .int(2)), (2, .int(5))]), .invalidSubcommand),
      (6, .numbered([(1, .int(3)), (2, .int(2))]), .invalidParameter),
      (7, .map([]), .notAllowed), (0x0C, .map([]), .invalidCommand), (0x0A, .numbered([(1, .int(9))]), .invalidSubcommand),
      (8, .map([]), .notAllowed),
    ] {
      #expect(try world.ask(command, request).status == status, "\(command) \(request)")
    }
    #expect(try world.transact(0x90, [2, 0xFF]) == [Status.invalidCBOR.rawValue])
    #expect(try world.ask(4).status == .success && world.prompts == 0)
  }

  @Test func `a host that goes takes the question with it`() throws {
    try world.begin(1, PasskeyWorld.make())
    try world.awaitArming(after: 0)
    #expect(try world.leave() == 0)
    try wait(for: "the prompt to go") { world.shown.contains("the caller left") }
  }

  private let silently: CBOR = .named([("up", .bool(false))])
  private let proofOfNobody = [UInt8](repeating: 0, count: 32)
}

func sha256(_ text: String) -> [UInt8] {
  let message = Array(text.utf8)
  var digest = [UInt8](repeating: 0, count: 32)
  ccrypto_hash(message, message.count, &digest, 32)
  return digest
}

/// The platform's side of a PIN/UV protocol.
struct Platform {
  private let world: PasskeyWorld
  private let version: Int
  private var secret = [UInt8](repeating: 0, count: 32)
  private var point = [UInt8](repeating: 0, count: 64)

  init(_ world: PasskeyWorld, _ version: Int) throws {
    (self.world, self.version) = (world, version)
    guard ces256_generate(&secret, &point) == CCRYPTO_OK else { throw TestKitError("no key") }
  }

  /// A token by a touch.
  mutating func token(_ rights: Int, _ site: String?, touching finger: String) throws -> [UInt8] {
    let key = try world.ask(6, .numbered([(1, .int(version)), (2, .int(2))])).value[1]
    guard let x = try key?[-2]?.asBytes(), let y = try key?[-3]?.asBytes() else { throw TestKitError("no key") }
    var shared = [UInt8](repeating: 0, count: 32)
    guard ces256_agree(secret, x + y, &shared) == CCRYPTO_OK else { throw TestKitError("not agreed") }
    let answer = try world.ask(
      6,
      .numbered([
        (1, .int(version)), (2, .int(6)), (3, PublicKey.agreeing(point)), (9, .int(rights)), (10, site.map { .text($0) }),
      ]), touching: finger)
    guard answer.status == .success, let sealed = try answer.value[2]?.asBytes() else { throw TestKitError("\(answer)") }
    let start = version == 1 ? [UInt8](repeating: 0, count: 16) : Array(sealed.prefix(16))
    let rest = version == 1 ? sealed : Array(sealed.dropFirst(16))
    var token = [UInt8](repeating: 0, count: rest.count)
    guard ccrypto_cbc(0, cipherKey(shared), start, rest, rest.count, &token) == CCRYPTO_OK else {
      throw TestKitError("not opened")
    }
    return token
  }

  private func cipherKey(_ shared: [UInt8]) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: 32)
    if version == 1 {
      ccrypto_hash(shared, 32, &key, 32)
    } else {
      ccrypto_hkdf(shared, 32, [UInt8](repeating: 0, count: 32), 32, "CTAP2 AES key", 13, &key)
    }
    return key
  }

  func proof(_ token: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var proof = [UInt8](repeating: 0, count: 32)
    ccrypto_hmac(token, message, message.count, &proof)
    return version == 1 ? Array(proof.prefix(16)) : proof
  }
}
