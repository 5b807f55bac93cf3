import CCrypto
import Glibc
import SignetBytes
import SignetPasskey
import SignetTestKit
import SignetVocabulary
import SignetWire
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
    // Another's, and this one with one bit that is another.
    let altered = proof.indices.map { index in proof.enumerated().map { $0.offset == index ? $0.element ^ 1 : $0.element } }
    for wrong in [platform.proof([UInt8](repeating: 0, count: 32), PasskeyWorld.hash)] + altered {
      #expect(try world.ask(2, PasskeyWorld.use(proof: wrong, version: version)).status == .pinAuthInvalid)
    }
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

  @Test(arguments: [1, 2]) func `secrets come by salts with the signature, for one touch, and are signetd's`(version: Int) throws
  {
    let made = try world.made(extensions: .named([("credProtect", .int(1)), ("hmac-secret", .bool(true))]))
    #expect(made.data[32] & 0x80 != 0 && made.data.suffix(13).elementsEqual([0x6B] + Array("hmac-secret".utf8) + [0xF5]))
    var platform = try Platform(world, version)
    try platform.agree()
    let salts = (0..<64).map { UInt8($0) }
    for count in [32, 64] {
      let used = try world.ask(
        2, PasskeyWorld.use(allowed: [made.name], extensions: platform.wants(salts.prefix(count))), touching: "right")
      #expect(used.status == .success)
      let data = try #require(try used.value[2]?.asBytes())
      #expect(data[32] == 0x85)
      #expect(made.signed(try #require(try used.value[3]?.asBytes()), over: data))
      let secrets = try platform.secrets(data)
      #expect(try world.derived(from: Array(salts.prefix(count)), with: made) == secrets)
    }
    #expect(world.prompts == 3)
    // A token's touch is enough for both, too.
    let token = try platform.token(2, "example.org", touching: "right")
    let used = try world.ask(
      2,
      PasskeyWorld.use(
        extensions: platform.wants(salts[...]), proof: platform.proof(token, PasskeyWorld.hash), version: version))
    let secrets = try platform.secrets(try #require(try used.value[2]?.asBytes()))
    #expect(try world.derived(from: salts, with: made) == secrets)
  }

  @Test func `each of two accounts has secrets of its own`() throws {
    let passkeys = try [world.made(), world.made(user: "bob")]
    var platform = try Platform(world, 2)
    try platform.agree()
    let salt = [UInt8](repeating: 7, count: 32)
    let first = try world.ask(2, PasskeyWorld.use(extensions: platform.wants(salt[...])), touching: "right")
    let secrets = try [first, world.ask(8)].map { try platform.secrets(try $0.value[2]?.asBytes() ?? []) }
    let expected = try passkeys.map { try world.derived(from: salt, with: $0) }
    #expect(Set(secrets) == Set(expected) && secrets.count == 2 && secrets[0] != secrets[1])
  }

  @Test(arguments: [1, 2]) func `salts that are cut, altered or not for the device are refused before anybody is asked`(
    version: Int
  ) throws {
    var platform = try Platform(world, version)
    try platform.agree()
    let salt = [UInt8](repeating: 7, count: 32)
    func expect(_ extensions: CBOR, _ status: Status, options: CBOR? = nil) throws {
      #expect(try world.ask(2, PasskeyWorld.use(extensions: extensions, options: options)).status == status, "\(extensions)")
    }
    for count in [16, 48] { try expect(platform.wants((salt + salt).prefix(count)), .invalidLength) }
    try expect(platform.wants((salt + salt + salt)[...]), .invalidLength)
    try expect(platform.wants(salt[...], altering: true), .pinAuthInvalid)
    try expect(platform.wants(salt[...]), .unsupportedOption, options: silently)
    for wrong: CBOR in [.map([]), .numbered([(1, PublicKey.agreeing([UInt8](repeating: 1, count: 64))), (2, .bytes(salt))])] {
      try expect(.named([("hmac-secret", wrong)]), .missingParameter)
    }
    let nowhere = PublicKey.agreeing([UInt8](repeating: 1, count: 64))
    try expect(
      .named([
        (
          "hmac-secret",
          .numbered([(1, nowhere), (2, .bytes(version == 1 ? salt : salt + salt[..<16])), (3, .bytes(salt)), (4, .int(version))])
        )
      ]),
      .invalidParameter)
    try expect(.named([("hmac-secret", .bool(true))]), .unexpectedType)
    #expect(world.prompts == 0)
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

  @Test func `a question that nobody answers ends after finger and passcode, and the device goes on`() throws {
    let world = try PasskeyWorld(["--finger-timeout", "1"], answers: false)
    #expect(try world.ask(1, PasskeyWorld.make()).status == .userActionTimeout)
    #expect(world.shown.contains("ask "))
    try wait(for: "the prompt to go") { world.shown.contains("the caller left") }
    #expect(try world.ask(4).status == .success)
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
      try platform.manage(token, command, number, parameters)
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

  @Test func `the history tells that one was made, and of no item that was replaced`() throws {
    let name = PasskeyName(.passkey(try world.made().name.hexadecimal))
    let client = try world.scene.daemon.connect()
    try client.send(.history(user: "", limit: 100))
    var events: [Event] = []
    while case .event(let row) = try client.nextAdministration() { events.append(row.event) }
    #expect(events.filter { [.passkeyMade, .itemStored].contains($0.kind) } == [.passkeyMade(try #require(name))])
  }

  @Test func `an account gets other names from whom the owner lets, and keeps its number`() throws {
    let made = try world.made()
    var platform = try Platform(world, 2)
    let token = try platform.token(4, nil, touching: "right")
    func rename(_ id: String, _ name: String, of passkey: [UInt8]) throws -> Status? {
      let user = CBOR.named([("id", .bytes(Array(id.utf8))), ("name", .text(name))])
      return try platform.manage(token, 0x0A, 7, .numbered([(2, Answer.descriptor(passkey)), (3, user)])).status
    }
    #expect(try rename("bob", "robert", of: made.name) == .invalidParameter)
    #expect(try rename("alice", "robert", of: [UInt8](repeating: 1, count: 32)) == .noCredentials)
    #expect(try rename("alice", "alicia", of: made.name) == .success)
    let row = try #require(try world.scene.daemon.connect().ask(.list(user: "")).items.first)
    #expect(row.item.label == "example.org (alicia)")
    let used = try world.ask(2, PasskeyWorld.use(), touching: "right")
    #expect(used.value[4] == .named([("id", .bytes(Array("alice".utf8))), ("name", .text("alicia"))]))
    #expect(made.signed(try #require(try used.value[3]?.asBytes()), over: try #require(try used.value[2]?.asBytes())))
  }

  @Test func `a question goes with the last program that has the device open, and so does what was proved to it`() throws {
    try world.begin(1, PasskeyWorld.make())
    try world.awaitArming(after: 0)
    try world.closeNode()
    try wait(for: "the prompt to go") { world.shown.contains("the caller left") }
    try world.scene.daemon.awaitStrikes(0)
    try world.scene.reader.awaitClosed()
    try world.open()
    var platform = try Platform(world, 2)
    let token = try platform.token(1, "example.org", touching: "right")
    try world.closeNode()
    try world.open()
    let made = PasskeyWorld.make(proof: platform.proof(token, PasskeyWorld.hash))
    #expect(try world.ask(1, made).status == .pinAuthInvalid)
    _ = try world.made()
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to read of a process what it waits for"))
  func `while nobody asks it sleeps until somebody does, in 5 MB`() throws {
    _ = try world.made()
    try wait(for: "a sleep without a limit") { sleepsWithoutLimit(world.pid) }
    #expect(try residentKilobytes(of: world.pid) <= 5 * 1024)
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
      (8, .map([]), .notAllowed), (1, .array([]), .unexpectedType), (4, .int(1), .unexpectedType),
      (0x05, .map([]), .invalidCommand), (0x09, .map([]), .invalidCommand), (0x0D, .map([]), .invalidCommand),
      (0x42, .map([]), .invalidCommand), (0xFF, .map([]), .invalidCommand),
    ] {
      #expect(try world.ask(command, request).status == status, "\(command) \(request)")
    }
    #expect(try world.transact(0x90, [1]) == [Status.missingParameter.rawValue])
    #expect(try world.transact(0x90, [4, 0xA0, 0x00]) == [Status.invalidCBOR.rawValue])
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
  private var shared = [UInt8](repeating: 0, count: 32)

  init(_ world: PasskeyWorld, _ version: Int) throws {
    (self.world, self.version) = (world, version)
    guard ces256_generate(&secret, &point) == CCRYPTO_OK else { throw TestKitError("no key") }
  }

  /// On a secret with the device.
  mutating func agree() throws {
    let key = try world.ask(6, .numbered([(1, .int(version)), (2, .int(2))])).value[1]
    guard let x = try key?[-2]?.asBytes(), let y = try key?[-3]?.asBytes() else { throw TestKitError("no key") }
    guard ces256_agree(secret, x + y, &shared) == CCRYPTO_OK else { throw TestKitError("not agreed") }
  }

  /// A token by a touch.
  mutating func token(_ rights: Int, _ site: String?, touching finger: String) throws -> [UInt8] {
    try agree()
    let answer = try world.ask(
      6,
      .numbered([
        (1, .int(version)), (2, .int(6)), (3, PublicKey.agreeing(point)), (9, .int(rights)), (10, site.map { .text($0) }),
      ]), touching: finger)
    guard answer.status == .success, let sealed = try answer.value[2]?.asBytes() else { throw TestKitError("\(answer)") }
    return try opened(sealed)
  }

  /// Manages passkeys by such a token.
  func manage(_ token: [UInt8], _ command: UInt8, _ number: UInt8, _ parameters: CBOR? = nil) throws -> (
    status: Status?, value: CBOR
  ) {
    let proof = proof(token, [number] + (parameters?.encoded ?? []))
    return try world.ask(
      command, .numbered([(1, .int(Int(number))), (2, parameters), (3, .int(version)), (4, .bytes(proof))]))
  }

  /// What the device has enciphered.
  private func opened(_ sealed: [UInt8]) throws -> [UInt8] {
    let start = version == 1 ? Platform.noStart : Array(sealed.prefix(16))
    return try ciphered(version == 1 ? sealed : Array(sealed.dropFirst(16)), start, isSealing: false)
  }

  private static let noStart = [UInt8](repeating: 0, count: 16)

  private func ciphered(_ from: [UInt8], _ start: [UInt8], isSealing: Bool) throws -> [UInt8] {
    var to = [UInt8](repeating: 0, count: from.count)
    guard ccrypto_cbc(isSealing ? 1 : 0, key("CTAP2 AES key"), start, from, from.count, &to) == CCRYPTO_OK else {
      throw TestKitError("not enciphered")
    }
    return to
  }

  private func key(_ purpose: String) -> [UInt8] {
    var key = [UInt8](repeating: 0, count: 32)
    if version == 1 {
      ccrypto_hash(shared, 32, &key, 32)
    } else {
      ccrypto_hkdf(shared, 32, [UInt8](repeating: 0, count: 32), 32, purpose, purpose.utf8.count, &key)
    }
    return key
  }

  /// What asks for secrets by these salts.
  func wants(_ salts: ArraySlice<UInt8>, altering: Bool = false) throws -> CBOR {
    let start = version == 1 ? Platform.noStart : (1...16).map { UInt8($0) }
    let sealed = (version == 1 ? [] : start) + (try ciphered(Array(salts), start, isSealing: true))
    let proof = proof(key("CTAP2 HMAC key"), sealed).enumerated().map { $0.offset == 0 && altering ? $0.element ^ 1 : $0.element }
    // Of the first protocol no number is needed.
    let number: CBOR? = version == 1 ? nil : .int(version)
    return .named([
      (
        "hmac-secret",
        .numbered([(1, PublicKey.agreeing(point)), (2, .bytes(sealed)), (3, .bytes(proof)), (4, number)])
      )
    ])
  }

  /// The secrets that came with an assertion.
  func secrets(_ data: [UInt8]) throws -> [UInt8] {
    guard data.count > 37, let sealed = try CBOR(Array(data[37...]))["hmac-secret"] else { throw TestKitError("no secrets") }
    return try opened(try sealed.asBytes())
  }

  func proof(_ token: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var proof = [UInt8](repeating: 0, count: 32)
    ccrypto_hmac(token, message, message.count, &proof)
    return version == 1 ? Array(proof.prefix(16)) : proof
  }
}
