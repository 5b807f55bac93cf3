import SignetBytes
import SignetPasskey
import SignetVocabulary
import SignetWire
import SignetWords

/// The user's own passkeys.
enum OwnPasskeys {
  struct Passkey {
    let row: ItemRow
    let credential: StoredCredential
    /// Which of those with the same site and account it is, the oldest being 1; `nil` where there is no other.
    fileprivate(set) var number: Int?

    var site: String { credential.shownSite }
    /// Empty where the site has given it no name.
    var account: String { credential.shownAccount }
    /// What the user called it; empty for nothing.
    var label: String { row.item.label == credential.label ? "" : row.item.label }

    fileprivate var place: String { credential.place }
    /// As it is listed and named.
    var name: String { number.map { "\(place)#\($0)" } ?? place }

    fileprivate func isMeant(by word: String) -> Bool {
      [place, site, label, credential.name.hexadecimal].contains(word)
    }
  }

  /// By name. One that is still being made is none yet.
  static func all(of user: String = "", at socket: String) throws(CommandFailure) -> [Passkey] {
    let listing = try Listing<VaultEntry>.vault(of: user, at: socket)
    if let failure = listing.failure { throw failure }
    let found = listing.items.compactMap { row in
      StoredCredential(row.item).flatMap { row.item.label.isEmpty ? nil : Passkey(row: row, credential: $0) }
    }
    let ofPlace = Dictionary(grouping: found, by: \.place).mapValues { same in
      same.sorted { ($0.row.created, $0.row.item.name.account) < ($1.row.created, $1.row.item.name.account) }
    }
    return ofPlace.sorted { $0.key < $1.key }.flatMap { _, same in
      same.enumerated().map { index, passkey in
        var numbered = passkey
        numbered.number = same.count > 1 ? index + 1 : nil
        return numbered
      }
    }
  }

  /// The one that a word means: its name, and where no other passkey has the same, its site or the user's label.
  static func one(_ word: String, of user: String = "", at socket: String) throws(CommandFailure) -> Passkey {
    let all = try all(of: user, at: socket)
    let named = all.filter { $0.name == word }
    let meant = named.isEmpty ? all.filter { $0.isMeant(by: word) } : named
    guard let passkey = meant.first else { throw CommandFailure(.refused, PasskeyUseText.noPasskey(word)) }
    guard meant.count == 1 else { throw CommandFailure(.refused, PasskeyUseText.several(word, meant.map(\.name))) }
    return passkey
  }
}

extension StoredCredential {
  fileprivate var shownSite: String { String(decoding: ShownName.site(site), as: UTF8.self) }
  fileprivate var shownAccount: String { String(decoding: ShownName.account(account), as: UTF8.self) }
  /// Its site, and its account behind a slash.
  var place: String { shownAccount.isEmpty ? shownSite : "\(shownSite)/\(shownAccount)" }

  /// `nil` where the item is no passkey.
  init?(_ item: Item) {
    guard item.name.isPasskey else { return nil }
    self.init(account: item.name.account, comment: item.comment, publicKey: item.attributes)
  }
}
