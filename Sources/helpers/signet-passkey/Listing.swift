/// What a platform that may manage passkeys is told of them, one after another.
struct Listing {
  let passkeys: Passkeys
  private var sites: ArraySlice<Site> = []
  private var accounts: ArraySlice<StoredCredential> = []

  init(_ passkeys: Passkeys) { self.passkeys = passkeys }

  /// Whoever asks may. `nil` where there is nothing to say but that it was done.
  mutating func answer(_ asked: Management) throws(Status) -> CBOR? {
    switch asked {
    case .count: return try count()
    case .firstSite:
      sites = []
      for credential in try discoverable() where !sites.contains(credential.site) { sites.append(credential.site) }
      return try nextSite(count: sites.count)
    case .nextSite: return try nextSite()
    case .firstAccount(let site):
      accounts = try discoverable().filter { hash($0.site.id) == site }[...]
      return try nextAccount(count: accounts.count)
    case .nextAccount: return try nextAccount()
    case .delete(let name):
      guard let credential = try passkeys.all().first(where: { $0.name == name }) else { throw .noCredentials }
      try passkeys.delete(credential)
      return nil
    case .rename(let name, let account):
      guard let credential = try passkeys.all().first(where: { $0.name == name }) else { throw .noCredentials }
      guard credential.account.id == account.id else { throw .invalidParameter }
      try passkeys.rename(credential, account)
      return nil
    }
  }

  private func discoverable() throws(Status) -> [StoredCredential] { try passkeys.all().filter { $0.isDiscoverable } }

  private func count() throws(Status) -> CBOR {
    let count = try discoverable().count
    return .numbered([(1, .int(count)), (2, .int(max(0, ItemLimit.items - count)))])
  }

  private mutating func nextSite(count: Int? = nil) throws(Status) -> CBOR {
    guard let site = sites.popFirst() else { throw count == nil ? .notAllowed : .noCredentials }
    return Answer.site(site, hash: hash(site.id), count: count)
  }

  private mutating func nextAccount(count: Int? = nil) throws(Status) -> CBOR {
    guard let credential = accounts.popFirst() else { throw count == nil ? .notAllowed : .noCredentials }
    return Answer.managed(credential, count: count)
  }
}
