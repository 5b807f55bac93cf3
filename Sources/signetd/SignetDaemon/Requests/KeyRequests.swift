import DaemonConnections
import DaemonProving
import DaemonSealing
import DaemonService
import DaemonVaults
import SignetMemory
import SignetTokens
import SignetVault
import SignetVocabulary
import SignetWire

/// A user's keys, which sign, take part in key exchanges, and are never told, but passkeys for another machine (`ItemReading`). Each is an
/// item of the vault, opened here for each signature; what has to be proved for that is what an item of the same access control asks for.
///
/// Where the TPM has the device key, it makes new keys and signs with them, and the item's value is what it is given for that. Elsewhere,
/// and where it makes none, the value is the private number, made here. Where the TPM does not sign, nothing else does. A passkey has a
/// secret besides (`PasskeyValue`).
struct KeyRequests {
  let access: VaultAccess
  /// What was proved before on this connection.
  let evidence: HeldEvidence

  private typealias Interruption = ClientConnection.Interruption
  private var client: ClientConnection { access.client }

  /// Makes a key, and answers with its public point.
  func make(_ item: Item) throws {
    // Before anybody is asked for the passcode in vain.
    guard ES256Key.isAvailable else { return client.refuse(.noSigningLibrary) }
    guard try access.opens({ proved, _ in evidence.note(proved) }) else { return }
    guard let point = try stored(item) else { return client.refuse(.cancelled) }
    access.attempt().record(PasskeyName(item.name).map { .passkeyMade($0) } ?? .keyMade)
    try client.send(value: point.span)
    try client.send(AdministrationReply.done)
  }

  /// Answers with the signature of a digest, for what the key asks for.
  func sign(_ digest: [UInt8], with name: ItemName, mayInteract: Bool) throws {
    guard ES256Key.isAvailable else { return client.refuse(.noSigningLibrary) }
    try ItemReading(.signature(of: digest), of: name, access, mayInteract: mayInteract, evidence).run()
  }

  /// Answers with what a key and another's public point, 4, x and y, agree on, for what the key asks for.
  func agree(with other: [UInt8], by name: ItemName, mayInteract: Bool) throws {
    guard ES256Key.isAvailable else { return client.refuse(.noSigningLibrary) }
    guard !name.isPasskey else { return client.refuse(.keyOnlySigns) }
    // A client looks at its points itself: from one elsewhere, an answer would tell something of the private number.
    guard other.first == KeyRequests.uncompressed, let point = ES256PublicKey(Array(other.dropFirst())), point.isOnCurve else {
      throw Interruption.misuse("a point that is not on the curve")
    }
    try ItemReading(.agreement(with: point.point), of: name, access, mayInteract: mayInteract, evidence).run()
  }

  /// Answers with what a passkey's secret makes of salts, for what the passkey asks for.
  func derive(from salts: [UInt8], with name: ItemName, mayInteract: Bool) throws {
    guard ES256Key.isAvailable else { return client.refuse(.noSigningLibrary) }
    try ItemReading(.derivation(from: salts), of: name, access, mayInteract: mayInteract, evidence).run()
  }

  /// Stores a new key under the name of `item`. Returns its public point; `nil` where the client cancelled.
  private func stored(_ item: Item) throws -> [UInt8]? {
    switch try TPMKeys(access: access).make() {
    case .success(let key): return try stored(item, key.point, key.handle, .newInTPM(client.program.text))
    case .failure(let failure):
      if failure.fault != .gone {
        Log.write(.error, "the TPM makes no key: \(failure.words). It is made in the vault", [("user", access.user.name)])
      }
      let key = try ES256Key(random: ())
      return try stored(item, key.publicKey.point, key.secret, .new(client.program.text))
    case nil: return nil
    }
  }

  private func stored(
    _ item: Item, _ point: [UInt8], _ value: borrowing SecretBytes, _ storing: Vault.Storing
  ) throws(VaultError) -> [UInt8] {
    var item = item
    item.attributes = [KeyRequests.uncompressed] + point
    if item.name.isPasskey {
      guard let passkey = PasskeyValue(newFor: value) else { throw .exhausted }
      try access.prover.vault.put(item, value: passkey.bytes, of: access.user, storing)
    } else {
      try access.prover.vault.put(item, value: value, of: access.user, storing)
    }
    return item.attributes
  }

  /// What a point begins with of which both coordinates are written out (SEC 1, section 2.3.3).
  private static let uncompressed: UInt8 = 4

  /// What signs: of a passkey the part behind its secret; `nil` where there is none.
  private static func key(of name: ItemName, in value: consuming SecretBytes) -> SecretBytes? {
    guard name.isPasskey else { return value }
    guard let passkey = PasskeyValue(kept: value) else { return nil }
    return passkey.key
  }

  /// Whether a value that comes from another machine is a passkey with the public point that is said of it.
  static func isPasskey(_ value: borrowing SecretBytes, of item: Item) -> Bool {
    guard value.count > PasskeyValue.secretLength, item.attributes.first == uncompressed else { return false }
    let rest = value.span.extracting(droppingFirst: PasskeyValue.secretLength)
    guard var key = SecretBytes(capacity: rest.count), key.append(rest),
      let pair = ES256Key(secret: key, point: Array(item.attributes.dropFirst()))
    else { return false }
    // libcrypto signs by no private key that is another's.
    return (try? pair.sign(digest: [UInt8](repeating: 0, count: ItemLimit.digest))) != nil
  }

  /// The signature of a digest by an opened key; `nil` where the client cancelled. It fails with `damaged` where the item is no key, or its
  /// value not that of its public point, and with a refusal where the TPM does not sign.
  func signature(of digest: [UInt8], by key: ItemToRelease, _ value: consuming SecretBytes) throws -> [UInt8]? {
    let point = try point(of: key)
    guard let value = KeyRequests.key(of: key.item.description.item.name, in: value) else { throw damage(of: key) }
    guard key.item.description.isInTPM else {
      guard let pair = ES256Key(secret: value, point: point.point), let signature = try? pair.sign(digest: digest) else {
        throw damage(of: key)
      }
      return signature
    }
    guard let signature = try answer(try TPMKeys(access: access).sign(digest, with: value)) else { return nil }
    guard point.verifies(signature, ofDigest: digest) else { throw damage(of: key) }
    return signature
  }

  /// What an opened key and another's public one, which is on the curve, agree on. It fails as `signature` does.
  func agreement(with other: [UInt8], by key: ItemToRelease, _ value: consuming SecretBytes) throws -> SecretBytes? {
    let point = try point(of: key)
    guard key.item.description.isInTPM else {
      guard let other = ES256PublicKey(other), let pair = ES256Key(secret: value, point: point.point),
        let shared = try? pair.agree(with: other)
      else { throw damage(of: key) }
      return shared
    }
    guard let agreement = try answer(try TPMKeys(access: access).agree(with: other, by: value)) else { return nil }
    guard let shared = agreement.copy else { throw VaultError.exhausted }
    return shared
  }

  private func point(of key: ItemToRelease) throws(VaultError) -> ES256PublicKey {
    let attributes = key.item.description.item.attributes
    guard attributes.first == KeyRequests.uncompressed, let point = ES256PublicKey(Array(attributes.dropFirst())) else {
      throw damage(of: key)
    }
    return point
  }

  private func damage(of key: ItemToRelease) -> VaultError { key.vault.damage(of: key.item) }

  /// What the TPM did; `nil` where the client cancelled.
  private func answer<Value>(_ outcome: TPMKeys.Outcome<Value>) throws(Refusal) -> Value? {
    switch outcome {
    case .success(let value): return value
    case .failure(let failure):
      Log.write(.error, "the TPM does not use a key: \(failure.words)", [("user", access.user.name)])
      throw Refusal.keyNotSigned(failure.fault, code: failure.code)
    case nil: return nil
    }
  }
}
