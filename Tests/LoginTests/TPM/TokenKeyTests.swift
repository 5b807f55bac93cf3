import Foundation
import SignetBytes
import SignetTestKit
import SignetTokens
import SignetVocabulary
import Synchronization
import Testing

@testable import DaemonTokens

/// The key that signs access tokens, where a TPM has it.
@Suite struct TokenKeyTests {
  @Test func `the key set verifies a token that the TPM signed, also after a restart`() throws {
    let scene = try TokenKeyScene()
    let token = try scene.issue()
    let name = try scene.verify(token)
    #expect(name != nil && scene.issuer.home == .tpm)
    try scene.restart()
    #expect(scene.issuer.home == .tpm)
    #expect(try scene.verify(token) == name)
    #expect(try scene.verify(try scene.issue()) == name)
    #expect(try scene.keySet().count == 1)
  }

  @Test func `the TPM made the key itself and gives it to nobody, and the file has no private half`() throws {
    let scene = try TokenKeyScene()
    _ = try scene.issue()
    #expect(try scene.file.keys.count == 1 && scene.file.keys[0].isOfTPM)
    let handle = try #require(try scene.handles.first)
    try #require(handle.count > 200)
    // Behind PCRs, authorization value, two names and a length: TPM2B_PUBLIC with its size, type, hash and attributes.
    #expect(handle[108..<112] == [0x00, 0x23, 0x00, 0x0B])
    // sign, noDA, userWithAuth, sensitiveDataOrigin, fixedParent and fixedTPM, and nothing else.
    #expect(handle[112..<116] == [0x00, 0x04, 0x04, 0x72])
    #expect(handle[..<4] == [0, 0, 0, 0])
  }

  struct Loss: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Where the next key is.
    var next = TokenKeyHome.tpm
    var isWanted = true
    let happen: @Sendable (TokenKeyScene) throws -> Void
  }

  static let losses = [
    Loss(testDescription: "a TPM that was cleared") { try $0.tpm.clear() },
    Loss(testDescription: "another TPM") { try $0.tpm.replace() },
    Loss(testDescription: "no TPM", next: .file) { $0.tpm.stop() },
    Loss(testDescription: "tpm = no", next: .file, isWanted: false) { _ in },
  ]

  @Test(arguments: losses) func `tokens go on with a new key, and those of before still verify, after`(loss: Loss) throws {
    let scene = try TokenKeyScene()
    let old = try scene.issue()
    let issuer = try scene.issuer.keySet().issuer
    let name = try scene.verify(old)
    try scene.restart(isWanted: loss.isWanted) { try loss.happen(scene) }
    let new = try scene.issue()
    #expect(scene.issuer.home == loss.next)
    let next = try scene.verify(new)
    #expect(next != nil && next != name)
    #expect(try scene.verify(old) == name)
    // It is the key from now on.
    #expect(try scene.verify(try scene.issue()) == next)
    try scene.restart(isWanted: loss.isWanted)
    #expect(try scene.verify(try scene.issue()) == next)
    #expect(try scene.keySet().count == 2)
    #expect(try scene.issuer.keySet().issuer == issuer)
    // A day later nothing is left that the old one signed.
    scene.pass(days: 2)
    #expect(try scene.keySet().keys.sorted() == [next])
  }

  @Test func `a TPM that fails once costs no key`() throws {
    let scene = try TokenKeyScene()
    let name = try scene.verify(try scene.issue())
    try scene.failOnce()
    #expect(try scene.verify(try scene.issue()) == name)
    #expect(scene.hasFailed)
    #expect(try scene.keySet().count == 1)
  }

  @Test func `a TPM that goes on failing costs one key, and is not asked again until the keys change`() throws {
    let scene = try TokenKeyScene()
    let old = try scene.issue()
    try scene.fail(true)
    let new = try scene.issue()
    #expect(scene.issuer.home == .file)
    let name = try scene.verify(new)
    let questions = scene.questions
    for _ in 1...3 { #expect(try scene.verify(try scene.issue()) == name) }
    try scene.fail(false)
    #expect(try scene.verify(try scene.issue()) == name)
    #expect(scene.questions == questions)
    #expect(try scene.keySet().count == 2 && scene.verify(old) != nil)
    scene.pass(days: 29)
    _ = try scene.issue()
    #expect(scene.questions > questions)
    scene.pass(days: 1)
    _ = try scene.issue()
    #expect(scene.issuer.home == .tpm)
  }

  @Test func `where the TPM makes no key, one in a file signs`() throws {
    let scene = try TokenKeyScene()
    try scene.fail(true)
    let token = try scene.issue()
    #expect(try scene.verify(token) != nil)
    #expect(scene.issuer.home == .file)
  }

  @Test func `keys in the TPM change every 30 days, each known for a day before and after`() throws {
    let scene = try TokenKeyScene()
    let first = try scene.verify(try scene.issue())
    scene.pass(days: 29)
    #expect(try scene.verify(try scene.issue()) == first)
    let known = try scene.keySet()
    #expect(known.count == 2)
    scene.pass(days: 1)
    let second = try scene.verify(try scene.issue())
    #expect(second != first && known.keys.contains(second ?? ""))
    #expect(try scene.handles.count == 2 && scene.issuer.home == .tpm)
    scene.pass(days: 2)
    #expect(try scene.keySet().keys.sorted() == [second])
  }

  @Test func `a key that was made known and is lost before it signs is replaced when its time comes`() throws {
    let scene = try TokenKeyScene()
    _ = try scene.issue()
    scene.pass(days: 29)
    _ = try scene.issue()
    try scene.restart { try scene.tpm.clear() }
    let replaced = try scene.verify(try scene.issue())
    scene.pass(days: 1)
    let last = try scene.verify(try scene.issue())
    #expect(replaced != nil && last != nil && replaced != last)
    #expect(scene.issuer.home == .tpm)
  }

  @Test func `keys that are lost again and again within a day stay few, and the newest signs`() throws {
    let scene = try TokenKeyScene()
    var last: String?
    for _ in 0..<10 {
      last = try scene.issue()
      try scene.write(IssuerFile(identity: scene.file.identity, keys: scene.file.keys.map { $0.damaged }))
    }
    #expect(try scene.verify(try #require(last)) != nil)
    #expect(try scene.keySet().count == SigningKeys.limit)
    try scene.restart()
    #expect(try scene.verify(try scene.issue()) != nil)
  }

  // MARK: - the file

  @Test func `a file of an older Signet is kept, and its key signs until the keys change`() throws {
    let scene = try TokenKeyScene()
    let key = try ES256Key(random: ())
    let name = key.publicKey.identifier
    let identity = [UInt8](1...16)
    let from = Array(littleEndian: scene.now, size: 8)
    try scene.write(identity + [1] + from + Array(copying: key.secret.span) + key.publicKey.point, version: 1)
    #expect(try scene.verify(try scene.issue()) == name)
    #expect(scene.issuer.home == .file)
    #expect(try scene.issuer.keySet().issuer == "urn:uuid:01020304-0506-0708-090a-0b0c0d0e0f10")
    scene.pass(days: 29)
    #expect(try scene.verify(try scene.issue()) == name)
    #expect(try scene.file.keys.map(\.isOfTPM) == [false, true])
    scene.pass(days: 1)
    let token = try scene.issue()
    #expect(try scene.verify(token) != name && scene.verify(token) != nil)
    #expect(scene.issuer.home == .tpm)
  }

  @Test func `without a key in the TPM the file is one that an older Signet reads`() throws {
    let scene = try TokenKeyScene()
    try scene.restart(isWanted: false)
    _ = try scene.issue()
    #expect(try scene.fileBytes.prefix(9) == Array("SGis".utf8) + [1, 0, 0, 0, 0])
    try scene.restart()
    scene.pass(days: 29)
    _ = try scene.issue()
    #expect(try scene.fileBytes.prefix(9) == Array("SGis".utf8) + [2, 0, 0, 0, 0])
  }

  @Test func `a file that was altered anywhere is not believed, and a new key signs`() throws {
    let scene = try TokenKeyScene()
    _ = try scene.issue()
    let whole = try scene.fileBytes
    var places = Array(stride(from: 0, to: whole.count, by: whole.count / 12))
    // The version alone.
    places.append(4)
    for place in places {
      var bytes = whole
      bytes[place] ^= 3
      try scene.overwriteFile(bytes)
      #expect((try? scene.file) == nil, "byte \(place)")
    }
    try scene.overwriteFile(Array(whole.dropLast()))
    let token = try scene.issue()
    #expect(try scene.verify(token) != nil)
    #expect(try scene.keySet().count == 1)
  }

  @Test func `what is sealed as the file is and is no such file is not believed`() throws {
    let scene = try TokenKeyScene()
    let head = [UInt8](repeating: 1, count: 16)
    let from = Array(littleEndian: scene.now, size: 8)
    let point = [UInt8](repeating: 4, count: 64)
    let key = from + [2] + point + [3, 0, 1, 2, 3]
    try scene.write(head + [1] + key, version: 2)
    #expect(try scene.handles == [[1, 2, 3]])
    let wrong: [[UInt8]] = [
      [], head, head + [9] + Array(repeatElement(key, count: 9).joined()), head + [2] + key, head + [1] + key + [0],
      head + [1] + from + [3] + point + [0, 0], head + [1] + from + [0] + point + [0, 0],
      head + [1] + from + [2] + point + [1, 8], head + [1] + from + [1] + point,
    ]
    for fields in wrong {
      try scene.write(fields, version: 2)
      #expect((try? scene.file) == nil, "\(fields.count) bytes")
    }
    #expect(try scene.verify(try scene.issue()) != nil)
  }

  @Test func `a key that the TPM does not know as its own is replaced`() throws {
    let scene = try TokenKeyScene()
    _ = try scene.issue()
    let handle = try #require(try scene.handles.first)
    let garbage: [[UInt8]] = [
      [], [1, 2, 3], [1] + handle.dropFirst(), handle.dropLast(), [UInt8](repeating: 0xFF, count: 2048),
      handle.dropLast(8) + [UInt8](repeating: 0, count: 8),
    ]
    for bytes in garbage {
      let file = try scene.file
      let other = try #require(ES256PublicKey([UInt8](repeating: 9, count: 64)))
      try scene.write(IssuerFile(identity: file.identity, keys: [IssuerKey(other, ofTPM: bytes, from: scene.now)]))
      #expect(try scene.verify(try scene.issue()) != nil, "\(bytes.count) bytes")
      #expect(scene.issuer.home == .tpm)
    }
  }

  // MARK: - at the same time

  /// What users get who all ask before the TPM has answered any of them. `questions`: how many of them ask it at once.
  private func askAtOnce(_ scene: TokenKeyScene, questions: Int) throws -> Set<String> {
    let tokens = Mutex<[String]>([])
    nonisolated(unsafe) let shared = scene
    let threads = (0..<6).map { number in
      Thread {
        guard let token = try? shared.issue(to: UInt32(1000 + number)) else { return }
        tokens.withLock { $0.append(token) }
      }
    }
    scene.tpm.freeze()
    let before = scene.questions
    for thread in threads { thread.start() }
    try wait(for: "\(questions) questions") { scene.questions >= before + questions }
    scene.tpm.thaw()
    try wait(for: "the askers") { threads.allSatisfy(\.isFinished) }
    #expect(tokens.withLock(\.count) == threads.count)
    return Set(try tokens.withLock(\.self).compactMap(scene.verify))
  }

  @Test func `many that ask at once get one key, also for one that was lost`() throws {
    // However slow the machine is, none of them gives up before the last has asked.
    let scene = try TokenKeyScene(isPatient: true)
    let first = try askAtOnce(scene, questions: 1)
    try scene.restart { try scene.tpm.clear() }
    let second = try askAtOnce(scene, questions: 6)
    #expect(first.count == 1 && second.count == 1 && first != second)
    #expect(try scene.keySet().count == 2)
  }

  @Test func `nobody waits for a token that the TPM does not sign, but who wants one of it`() throws {
    let scene = try TokenKeyScene()
    _ = try scene.issue()
    scene.tpm.freeze()
    defer { scene.tpm.thaw() }
    nonisolated(unsafe) let shared = scene
    let token = Mutex<String?>(nil)
    let thread = Thread {
      let issued = try? shared.issue()
      token.withLock { $0 = issued }
    }
    let questions = scene.questions
    thread.start()
    try wait(for: "the question") { scene.questions > questions }
    #expect(try scene.keySet().count == 1)
    #expect(scene.issuer.home == .tpm)
    #expect(token.withLock { $0 } == nil)
    // After its time the token is signed by a key in a file.
    try wait(for: "the asker") { thread.isFinished }
    #expect(scene.issuer.home == .file)
    #expect(try scene.verify(try #require(token.withLock { $0 })) != nil)
  }
}

extension IssuerKey {
  /// The same key, with which the TPM signs no more.
  fileprivate var damaged: IssuerKey { IssuerKey(publicKey, ofTPM: [0], from: from) }
}
