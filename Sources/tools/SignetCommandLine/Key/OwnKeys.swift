import SignetDigest
import SignetPasskey
import SignetVocabulary
import SignetWire
import SignetWords

/// The user's own keys.
enum OwnKeys {
  struct Key {
    let row: ItemRow
    let key: PublicKey

    var name: ItemName { row.item.name }

    /// As it is shown and named: one that another program made may have an account.
    var shown: String { name.account.isEmpty ? name.service : "\(name.service)/\(name.account)" }
  }

  /// By name. One that the fingers took with them is not among them, unless `lost` says so.
  static func all(lost: Bool = false, of user: String = "", at socket: String) throws(CommandFailure) -> [Key] {
    let listing = try Listing<VaultEntry>.vault(of: user, at: socket)
    if let failure = listing.failure { throw failure }
    // Passkeys have a list of their own: by the names that they have here nobody knows them.
    let keys = listing.items.compactMap { row in
      row.item.name.kind == .key && StoredCredential(row.item) == nil
        ? PublicKey(point: row.item.attributes).map { Key(row: row, key: $0) } : nil
    }
    return keys.filter { lost || !$0.row.isLost }.sorted { $0.shown < $1.shown }
  }

  static func one(_ word: String, of user: String = "", at socket: String) throws(CommandFailure) -> Key {
    let meant = try all(lost: true, of: user, at: socket).filter { $0.shown == word }
    // A slash may stand in a name, too.
    guard let key = meant.first(where: { $0.name.account.isEmpty }) ?? meant.first else {
      throw CommandFailure(.refused, KeyUseText.noKey(word))
    }
    return key
  }

  /// Asks for what the key demands, once.
  static func sign(
    _ data: [UInt8], with name: ItemName, reason: String, at socket: String
  ) throws(CommandFailure) -> RawSignature {
    try sign(digest: SHA256.hash(data.span), with: name, reason: reason, at: socket)
  }

  /// The same of a SHA-256 digest.
  static func sign(
    digest: [UInt8], with name: ItemName, reason: String, at socket: String
  ) throws(CommandFailure) -> RawSignature {
    var items = try OwnItems(at: socket, reason: reason)
    return RawSignature(bytes: try items.sign(digest, with: name))
  }
}
