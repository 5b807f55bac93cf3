import Foundation
import SignetMemory
import SignetSessionTokens
import SignetTestKit
import SignetVocabulary
import SignetWire
import Synchronization
import Testing

/// Access tokens of the real signetd, where a TPM signs them.
@Suite struct TokenIssuingTests {
  /// A session that a finger has opened.
  private struct Opened {
    let test: TPMScene
    let token: [UInt8]

    init(_ test: TPMScene) throws {
      self.test = test
      guard case .verdict(.success, _, let token) = try test.scene.attempt("right") else { throw TestKitError("no success") }
      self.token = token
      let client = try test.scene.daemon.connect()
      try client.openSession(token: token, key: try TokenKey.make())
      guard try client.nextAdministration() == .done else { throw TestKitError("no session") }
    }

    private var client: SessionTokenClient { SessionTokenClient(path: test.scene.daemon.socket) }

    /// The name of the key that signed a new token.
    func issue() throws -> String {
      guard var secret = SecretBytes(capacity: token.count), secret.append(token.span) else { throw TestKitError("memory") }
      let issued = try client.issue(for: secret, audience: "mail")
      let text = String(decoding: Array(copying: issued.accessToken.span), as: UTF8.self)
      let header = text.prefix { $0 != "." }.replacing("-", with: "+").replacing("_", with: "/")
      let data = Data(base64Encoded: header + String(repeating: "=", count: (4 - header.count % 4) % 4)) ?? Data()
      let object = try JSONSerialization.jsonObject(with: data) as? [String: String]
      return try #require(object?["kid"])
    }

    func keySet() throws -> String { try client.keySet() }

    var home: TokenKeyHome { get throws { try test.scene.status().account.tokenKey } }
  }

  private static let said = "the TPM does not sign tokens with its key any more"

  @Test func `status says where the key is, and a TPM that was cleared costs one line of the log`() throws {
    let opened = try Opened(try TPMScene())
    #expect(try opened.home == .none)
    let first = try opened.issue()
    #expect(try opened.home == .tpm)
    try opened.test.tpm.clear()
    let second = try opened.issue()
    #expect(try second != first && opened.issue() == second)
    #expect(try opened.home == .tpm)
    let keys = try opened.keySet()
    #expect(keys.contains(first) && keys.contains(second))
    let log = try opened.test.scene.daemon.awaitLog(TokenIssuingTests.said)
    #expect(log.components(separatedBy: TokenIssuingTests.said).count == 2)
    #expect(log.contains("it was cleared, or is another one. A new key in the TPM signs them from now on"))
  }

  @Test func `without the TPM tokens go on as soon as a passcode has brought the device key back`() throws {
    let test = try TPMScene()
    let opened = try Opened(test)
    let first = try opened.issue()
    test.scene.daemon.end(SIGTERM)
    test.tpm.stop()
    try test.scene.daemon.start()
    try test.scene.loginByPasscode(until: TPMScene.broughtBack)
    let second = try opened.issue()
    #expect(second != first)
    #expect(try opened.home == .file)
    #expect(try opened.keySet().contains(first))
    try test.scene.daemon.awaitLog("\(TokenIssuingTests.said): there is none, or it cannot be reached. A new key in a file signs")
  }

  @Test func `a token that was still to be signed when the user was locked is not handed out`() throws {
    let opened = try Opened(try TPMScene())
    _ = try opened.issue()
    opened.test.tpm.freeze()
    let refusal = Mutex<RefusalCode?>(nil)
    nonisolated(unsafe) let shared = opened
    let asker = Thread {
      do { _ = try shared.issue() } catch SessionTokenError.refused(let answer) { refusal.withLock { $0 = answer.code } } catch {}
    }
    asker.start()
    // The TPM has been asked, and does not answer.
    let daemon = ProcessLook(opened.test.scene.daemon.pid)
    try wait(for: "signet-tpm") { try !daemon.children(named: "signet-tpm").isEmpty }
    let client = try opened.test.scene.daemon.connect()
    try client.send(AdministrationRequest.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
    opened.test.tpm.thaw()
    try wait(for: "the asker") { asker.isFinished }
    #expect(refusal.withLock { $0 } == .locked)
  }
}
