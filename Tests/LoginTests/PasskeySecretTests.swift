import Foundation
import SignetTestKit
import SignetTokens
import SignetVocabulary
import SignetWire
import Testing

/// The secret of a passkey: others are derived from it by a finger, and it stays in signetd.
@Suite(.serialized) struct PasskeySecretTests {
  private static let name = ItemName.passkey("c0ffee")
  private static let salts = (0..<64).map { UInt8($0) }

  private let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.loginByPasscode(until: "vault made")
  }

  private func make(_ name: ItemName = Self.name) throws {
    let item = Item(name, accessControl: AccessControl(.userPresence), accessibility: .afterFirstUnlock)
    guard try scene.ask(.makeKey(user: "", item)).end == .done else { throw TestKitError("no key") }
  }

  private func derive(_ salts: some Sequence<UInt8>, _ name: ItemName = Self.name, mayInteract: Bool = true) throws -> VaultAnswer
  {
    try scene.ask(
      .derive(user: "", name, salts: Array(salts), mayInteract: mayInteract), Proving(touch: scene.touch()))
  }

  /// As openssl computes it.
  private func hmac(_ key: some Sequence<UInt8>, _ message: some Sequence<UInt8>) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try RawFile.create(folder.path + "/salt", Array(message))
    let hex = Array(key).hexadecimal
    let command = "openssl mac -digest SHA256 -macopt hexkey:\(hex) -binary -in salt -out mac HMAC"
    let run = try Program(["/bin/sh", "-c", "cd \(folder.path) && \(command)"], environment: ["PATH=/usr/bin:/bin"])
    guard try run.waitForExit() == 0 else { throw TestKitError("no openssl") }
    return try RawFile.read(folder.path + "/mac")
  }

  @Test func `a finger derives by each salt what openssl does by the secret on the disk, and nothing else of it is left`() throws
  {
    try make()
    let both = try derive(Self.salts)
    #expect(both.end == .done && both.questions == [.finger], "\(both)")
    let secrets = try VaultSecrets(scene, [Self.name])
    let value = try #require(secrets.all.first { $0.name == "the value of signet-passkey" }).bytes
    #expect(value.count == PasskeyValue.secretLength + ES256Key.privateLength)
    let secret = value.prefix(PasskeyValue.secretLength)
    let expected = try hmac(secret, Self.salts.prefix(32)) + hmac(secret, Self.salts.suffix(32))
    #expect(both.value == expected)
    #expect(try derive(Self.salts.suffix(32)).value == Array(expected.suffix(32)))
    if ProcessMemory.isReadable {
      #expect(secrets.found(in: try ProcessMemory(of: scene.daemon.pid).holds) == [])
    }
  }

  @Test func `each passkey has another secret, and no other key has one`() throws {
    let (other, ordinary) = (ItemName.passkey("decaf"), ItemName(kind: .key, service: "git", account: ""))
    for name in [Self.name, other, ordinary] { try make(name) }
    let first = try derive(Self.salts).value
    #expect(try derive(Self.salts, other).value != first)
    #expect(throws: (any Error).self) { try derive(Self.salts, ordinary) }
    let value = try VaultSecrets(scene, [ordinary]).all.first { $0.name == "the value of git" }
    #expect(value?.bytes.count == ES256Key.privateLength)
  }

  @Test func `without the owner nothing is derived`() throws {
    try make()
    #expect(try derive(Self.salts, mayInteract: false).end == .refused(.interactionNotAllowed))
    let request = VaultRequest.derive(user: "", Self.name, salts: Self.salts)
    let missed = try scene.ask(request, Proving(touch: scene.touch("wrong")))
    #expect(missed.end != .done && missed.value == nil && missed.questions == [.finger], "\(missed)")
    try scene.lock()
    let locked = try derive(Self.salts)
    #expect(locked.end != .done && locked.value == nil && locked.questions == [.passcode(.vault)], "\(locked)")
    #expect(try scene.ask(.delete(user: "", Self.name)).end == .done)
    #expect(try derive(Self.salts).end == .refused(.notFound))
  }

  @Test func `it leaves for the passcode alone, and signs and derives on another machine as it did here`() throws {
    try make()
    let before = try derive(Self.salts).value
    let listed = try #require(try scene.ask(.list(user: "")).items.first { $0.item.name == Self.name }).item
    // A finger opens it for whatever it signs, and not for this.
    let read = VaultRequest.read(user: "", Self.name)
    #expect(try scene.ask(.read(user: "", Self.name, mayInteract: false)).end == .refused(.interactionNotAllowed))
    let copied = try scene.ask(read, Proving(touch: scene.touch(), passcode: RunningDaemon.passcode))
    #expect(copied.end == .done && copied.questions == [.passcode(.vault)], "\(copied)")
    let value = try #require(copied.value)

    let other = try Scene()
    try other.loginByPasscode(until: "vault made")
    var altered = value
    altered[PasskeyValue.secretLength] ^= 1
    for (item, bytes) in [(listed, altered), (listed, Array(value.dropLast())), (listed, [])] + [wrongPoint(listed, value)] {
      #expect(throws: (any Error).self) { try other.ask(.add(user: "", item, length: UInt32(bytes.count)), value: bytes) }
    }
    let add = VaultRequest.add(user: "", listed, length: UInt32(value.count))
    #expect(try other.ask(add, value: value).end == .done)
    #expect(try other.ask(add, value: value).end == .refused(.duplicateItem))
    #expect(try other.ask(.update(user: "", listed, length: UInt32(value.count)), value: value).end == .refused(.keyOnlySigns))
    let derived = try other.ask(.derive(user: "", Self.name, salts: Self.salts), Proving(touch: other.touch()))
    #expect(derived.value == before)
    let digest = [UInt8](repeating: 7, count: ItemLimit.digest)
    let signed = try other.ask(.sign(user: "", Self.name, digest: digest), Proving(touch: other.touch()))
    let point = try #require(ES256PublicKey(Array(listed.attributes.dropFirst())))
    #expect(point.verifies(signed.value ?? [], ofDigest: digest))
  }

  @Test func `one passcode is for all that a context copies, and none that was given there for something else`() throws {
    let names = [Self.name, .passkey("decaf")]
    for name in names { try make(name) }
    let client = try scene.daemon.connect()
    try client.openContext()
    let pin = Item(ItemName(service: "pin", account: ""), accessControl: AccessControl(.devicePasscode))
    #expect(try client.ask(.add(user: "", pin, length: 1), value: [1]).end == .done)
    func questions(_ name: ItemName) throws -> [VaultAnswer.Question] {
      let answer = try client.ask(.read(user: "", name), Proving(touch: scene.touch(), passcode: RunningDaemon.passcode))
      guard answer.end == .done else { throw TestKitError("\(answer)") }
      return answer.questions
    }
    #expect(try [pin.name, pin.name].map(questions) == [[.passcode(.vault)], []])
    #expect(try names.map(questions) == [[.passcode(.vault)], []])
    try client.forget()
    #expect(try questions(names[1]) == [.passcode(.vault)])
  }

  private func wrongPoint(_ item: Item, _ value: [UInt8]) -> (Item, [UInt8]) {
    var other = item
    other.attributes[64] ^= 1
    return (other, value)
  }
}
