import SignetFiles
import SignetVault

extension AccountStore {
  /// What a user's folder has in it once they have a vault; see SignetVault's FORMAT.md.
  private static let vaultNames: Set = ["key", "set", "index", "items"]

  /// Whether anything of a vault is there, damaged or not.
  func hasVault(of uid: UInt32) throws(SystemError) -> Bool {
    if let names = try folder(of: uid)?.names(), !Self.vaultNames.isDisjoint(with: names) { return true }
    return try epochs().names().contains("\(uid)")
  }

  /// A user's vault, for one use.
  func vault(of user: User) throws(SystemError) -> UserVault {
    UserVault(
      directory: try users.directory("\(user.uid)", create: true), epochs: try epochs(), deviceKey: try deviceKey(),
      uid: user.uid, owner: user.name)
  }

  private func epochs() throws(SystemError) -> StateDirectory { try root.directory("epochs", create: true) }
}
