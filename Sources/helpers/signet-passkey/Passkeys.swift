import CCrypto
import CLibc

/// The passkeys in the owner's vault. Nothing is shown or asked here.
struct Passkeys {
  let socket: String

  /// All, the newest first. Whoever waits for them once the owner was asked is told on the owner's connection, which is there.
  func all(by owner: Owner? = nil) throws(Status) -> [StoredCredential] { try stored(by: owner) { !$0.utf8.isEmpty } }

  /// Removes what an earlier process began to make: nobody was told of it.
  func removeUnfinished() throws(Status) {
    for credential in try stored(where: { $0.utf8.isEmpty }) { try delete(credential) }
  }

  /// Those with such a label.
  private func stored(by owner: Owner? = nil, where isMeant: (String) -> Bool) throws(Status) -> [StoredCredential] {
    do throws(ContextError) {
      let rows = if let owner { try owner.list() } else { try list() }
      let meant = rows.filter { $0.item.name.isPasskey && isMeant($0.item.label) }
      return meant.sorted { $0.created > $1.created }.compactMap {
        StoredCredential(account: $0.item.name.account, comment: $0.item.comment, publicKey: $0.item.attributes)
      }
    } catch { throw Status(error) }
  }

  private func list() throws(ContextError) -> [ItemRow] {
    var context = try ContextConnection(path: socket, name: "signet-passkey")
    return try context.list()
  }

  /// Those of a site, of which the platform has named some or none.
  func all(of site: Site, named names: [[UInt8]]?, by owner: Owner? = nil) throws(Status) -> [StoredCredential] {
    let own = try all(by: owner).filter { $0.site == site }
    guard let names else { return own.filter { $0.isDiscoverable } }
    return names.compactMap { name in own.first { $0.name == name } }
  }

  /// A new one, under a name by chance. It has no label, and is none yet: `finish` makes it one.
  func make(_ request: MakeCredential, by owner: Owner) throws(Status) -> StoredCredential {
    var made = StoredCredential(
      name: try random(Device.credentialLength), site: request.site, account: request.account,
      isDiscoverable: request.isDiscoverable, protection: request.protection ?? 1)
    do throws(ContextError) { made.point = Array(try owner.make(Passkeys.item(made)).dropFirst()) } catch { throw Status(error) }
    return made
  }

  /// From now on it is one, and stays.
  func finish(_ made: StoredCredential) throws(Status) {
    var nobody = SilentHost()
    do throws(ContextError) {
      var context = try ContextConnection(path: socket, name: "signet-passkey")
      var item = Passkeys.item(made)
      (item.label, item.attributes) = (made.label, [4] + made.point)
      // signetd has the value, which stays as it is.
      try context.update(item, [UInt8]().span, &nobody)
    } catch { throw Status(error) }
  }

  /// The account is called something else from now on. What the user calls the passkey stays.
  func rename(_ credential: StoredCredential, _ account: Account) throws(Status) {
    var renamed = credential
    renamed.account = account
    var nobody = SilentHost()
    do throws(ContextError) {
      var context = try ContextConnection(path: socket, name: "signet-passkey")
      let name = Array(credential.name.hexadecimal.utf8)
      let row = try context.list().first { $0.item.name.isPasskey && Array($0.item.name.account.utf8) == name }
      guard var item = row?.item else { throw ContextError.refused(.notFound) }
      if Array(item.label.utf8) == Array(credential.label.utf8) { item.label = renamed.label }
      item.comment = renamed.comment
      try context.update(item, [UInt8]().span, &nobody)
    } catch { throw Status(error) }
  }

  /// The signature in DER of what the platform and the device say together.
  func sign(_ data: AuthenticatorData, _ clientDataHash: [UInt8], with credential: StoredCredential, by owner: Owner)
    throws(Status)
    -> [UInt8]
  {
    let digest = hash(data.bytes + clientDataHash)
    let signature: [UInt8]
    do throws(ContextError) { signature = try owner.sign(digest, with: Passkeys.itemName(credential)) } catch {
      throw Status(error)
    }
    var der = [UInt8](repeating: 0, count: Int(CES256_DER))
    let length = ces256_der(signature, &der)
    guard length > 0 else { throw .other }
    return Array(der.prefix(length))
  }

  func delete(_ credential: StoredCredential) throws(Status) {
    var nobody = SilentHost()
    do throws(ContextError) {
      var context = try ContextConnection(path: socket, name: "signet-passkey")
      try context.delete(Passkeys.itemName(credential), &nobody)
    } catch { throw Status(error) }
  }

  private static func item(_ credential: StoredCredential) -> Item {
    Item(
      itemName(credential), comment: credential.comment, accessControl: AccessControl(.userPresence),
      accessibility: .afterFirstUnlock)
  }

  private static func itemName(_ credential: StoredCredential) -> ItemName { .passkey(credential.name.hexadecimal) }
}

/// SHA-256.
func hash(_ bytes: [UInt8]) -> [UInt8] {
  var digest = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256))
  // It is not refused but for want of memory, and then nothing that is compared with it or signed is right.
  _ = ccrypto_hash(bytes, bytes.count, &digest, digest.count)
  return digest
}

func random(_ count: Int) throws(Status) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let made = bytes.withUnsafeMutableBytes { getrandom($0.baseAddress, $0.count, 0) }
  guard made == count else { throw .other }
  return bytes
}
