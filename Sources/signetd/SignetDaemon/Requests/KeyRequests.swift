import DaemonConnections
import DaemonProving
import DaemonVaults
import SignetMemory
import SignetTokens
import SignetVault
import SignetVocabulary
import SignetWire

/// A user's keys, which sign and are never told. Each is an item of the vault whose value is made here, and opened here for each signature;
/// what has to be proved for that is what an item of the same access control asks for.
struct KeyRequests {
  let access: VaultAccess
  /// What was proved before on this connection.
  let evidence: HeldEvidence

  private var client: ClientConnection { access.client }

  /// Makes a key, and answers with its public point.
  func make(_ item: Item) throws {
    // Before anybody is asked for the passcode in vain.
    guard ES256Key.isAvailable else { return client.refuse(.noSigningLibrary) }
    guard try access.opens({ proved, _ in evidence.note(proved) }) else { return }
    let point = try stored(item)
    access.attempt().record(.keyMade)
    try client.send(value: point.span)
    try client.send(AdministrationReply.done)
  }

  /// Answers with the signature of a digest, for what the key asks for.
  func sign(_ digest: [UInt8], with name: ItemName, mayInteract: Bool) throws {
    guard ES256Key.isAvailable else { return client.refuse(.noSigningLibrary) }
    try ItemReading(.signature(of: digest), of: name, access, mayInteract: mayInteract, evidence).run()
  }

  /// Stores a new key under the name of `item`. Returns its public point.
  private func stored(_ item: Item) throws(VaultError) -> [UInt8] {
    let key: ES256Key
    do throws(SigningError) { key = try ES256Key(random: ()) } catch { throw .exhausted }
    var item = item
    item.attributes = [KeyRequests.uncompressed] + key.publicKey.point
    try access.prover.vault.put(item, value: key.secret, of: access.user, .new(client.program.text))
    return item.attributes
  }

  /// What a point begins with of which both coordinates are written out (SEC 1, section 2.3.3).
  private static let uncompressed: UInt8 = 4

  /// The signature of a digest by an opened key; `nil` where the item is no key, or its value not that of its public point.
  static func signature(of digest: [UInt8], by item: Item, _ value: consuming SecretBytes) -> SecretBytes? {
    guard item.attributes.first == uncompressed, let key = ES256Key(secret: value, point: Array(item.attributes.dropFirst())),
      let signature = try? key.sign(digest: digest), var bytes = SecretBytes(capacity: signature.count),
      bytes.append(signature.span)
    else { return nil }
    return bytes
  }
}
