import Foundation
import LocalAuthentication

/// What the owner allows, and what is released then.
func rights() async {
  let plain = LARight()
  say("plain \(plain.state)")
  await attempt("allow") { try await plain.authorize(localizedReason: "open it") }
  say("plain \(plain.state)")
  await attempt("again") { try await plain.authorize(localizedReason: "open it") }
  await plain.deauthorize()
  say("plain \(plain.state)")
  let store = LARightStore.shared
  await attempt("none") { _ = try await store.right(forIdentifier: "document") }
  for _ in 1...2 {
    await attempt("save") {
      let right = LARight(requirement: .biometry)
      _ = try await store.saveRight(right, identifier: "document", secret: Data("s3cret".utf8))
    }
  }
  guard let right = try? await store.right(forIdentifier: "document") else { return }
  await load(right)
  for _ in 1...2 { await attempt("authorize") { try await right.authorize(localizedReason: "read the document") } }
  say("right \(right.state)")
  await load(right)
  await use(right.key)
  await right.deauthorize()
  await load(right)
  await attempt("sign") { _ = try await right.key.sign(Data(), algorithm: .ecdsaSignatureMessageX962SHA256) }
  await attempt("remove") { try await store.removeRight(right) }
  await attempt("gone") { try await right.authorize(localizedReason: "read the document") }
  await attempt("all") { try await store.removeAllRights() }
}

private func use(_ key: LAPrivateKey) async {
  let (message, signing) = (Data("an order".utf8), SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256)
  await attempt("key") {
    let signature = try await key.sign(message, algorithm: signing)
    try await key.publicKey.verify(message, signature: signature, algorithm: signing)
    say("signed \(key.canSign(using: signing)) \(try await key.publicKey.bytes.count)")
    do { try await key.publicKey.verify(Data(), signature: signature, algorithm: signing) } catch {
      say("wrong \((error as NSError).code)")
    }
    let sealing = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
    let encrypted = try await key.publicKey.encrypt(message, algorithm: sealing)
    let decrypted = try await key.decrypt(encrypted, algorithm: sealing)
    say("decrypted \(decrypted == message && key.canDecrypt(using: sealing))")
    let bytes = try await key.publicKey.bytes
    let shared = try await key.exchangeKeys(publicKey: bytes, algorithm: .ecdhKeyExchangeStandard, parameters: [:])
    say("shared \(shared.count)")
  }
}

private func load(_ right: LAPersistedRight) async {
  await attempt("load") { say("secret \(String(decoding: try await right.secret.loadData(), as: UTF8.self))") }
}

private func attempt(_ what: String, _ body: () async throws -> Void) async {
  do {
    try await body()
    say("\(what) done")
  } catch {
    say("\(what) \((error as NSError).code)")
  }
}
