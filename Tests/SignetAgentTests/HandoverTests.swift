import SignetSealing
import SignetTestKit
import Testing

@testable import SignetAgent
@testable import SignetTokenServices

/// What is left for the vault while it is closed, and the form of what is in it.
@Suite struct HandoverTests {
  private let folder: TemporaryFolder
  private let handover: Handover
  private let key = SignetTokenServices.TokenKey(service: "https://id.example", account: "", kind: .refresh)
  private let first = String(repeating: "01", count: 32)
  private let second = String(repeating: "02", count: 32)

  init() throws {
    folder = try TemporaryFolder()
    handover = Handover(path: folder.path + "/bindings")
  }

  private func leave(_ text: String, _ digits: String) throws -> Bool {
    guard let secret = SealingKey(hexadecimal: digits) else { return false }
    return handover.leave(text, for: key, sealedBy: secret)
  }

  private func take(_ digits: String, _ key: SignetTokenServices.TokenKey) throws -> String? {
    guard let secret = SealingKey(hexadecimal: digits) else { throw TestKitError("no key") }
    return handover.take(key, sealedBy: secret)
  }

  @Test func `it opens by the key that is in the vault, for the same binding, and by nothing else`() throws {
    #expect(try take(first, key) == nil)
    #expect(try leave("refresh-2", first))
    #expect(try take(first, key) == "refresh-2")
    #expect(try take(second, key) == nil)
    #expect(try take(first, SignetTokenServices.TokenKey(service: key.service, account: "work", kind: .refresh)) == nil)
    let text = try Program.output(["sh", "-c", "cat \(folder.path)/bindings/handover-* | strings"])
    #expect(!text.contains("refresh-2"))
    handover.remove(key)
    #expect(try take(first, key) == nil)
  }

  @Test func `older forms of what is in the vault are read`() throws {
    let plain = try SealedSignIn(#"{"token":"a b","user":"1"}"#)
    #expect(plain.text == #"{"token":"a b","user":"1"}"# && plain.deviceKey == nil && plain.handoverKey == nil)
    let keyed = try SealedSignIn(first + #" {"token":"a b"}"#)
    #expect(keyed.text == #"{"token":"a b"}"# && keyed.deviceKey == first)
    let new = SealedSignIn(handoverKey: second, deviceKey: nil, text: #"{"token":"a b"}"#)
    let read = try SealedSignIn(new.value)
    #expect(read.text == new.text && read.handoverKey == second && read.deviceKey == nil)
    for damaged in ["", "3 a b c", "2 a b", "text"] {
      #expect(throws: TokenStorageError.damaged) { try SealedSignIn(damaged) }
    }
  }
}
