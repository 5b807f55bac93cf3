import DaemonAccounts
import DaemonService
import SignetFiles
import SignetVault
import SignetVocabulary

extension AccountStore {
  /// What a user's folder has in it once they have a vault; see SignetVault's FORMAT.md.
  private static let vaultNames: Set = ["key", "set", "index", "items"]

  /// Whether anything of a vault is there, damaged or not.
  package func hasVault(of uid: UInt32) throws(SystemError) -> Bool {
    if let names = try folder(of: uid)?.names(), !Self.vaultNames.isDisjoint(with: names) { return true }
    return try epochs().names().contains("\(uid)")
  }

  /// A user's vault, for one use. `seals`: whether anything is written, which only the key that is on disk now may seal.
  package func vault(of user: User, cache: VaultCache? = nil, seals: Bool = true) throws(SystemError) -> UserVault {
    UserVault(
      directory: try users.existingOrNewDirectory("\(user.uid)"), epochs: try epochs(),
      deviceKey: try seals ? readDeviceKey() : deviceKey(),
      uid: user.uid, owner: user.name, cache: cache)
  }

  /// Removes what a vault has on disk without opening any of it: for a device key that is gone, and with it all that it sealed.
  func removeVault(of uid: UInt32) throws(SystemError) {
    guard let folder = try folder(of: uid) else { return }
    for name in ["key", "set", "index"] { try folder.remove(name) }
    if let items = try folder.existingDirectory("items") {
      for name in try items.names() { try items.remove(name) }
      try items.removeUnfinished()
    }
    try epochs().remove("\(uid)")
  }

  private func epochs() throws(SystemError) -> StateDirectory { try root.existingOrNewDirectory("epochs") }
}
