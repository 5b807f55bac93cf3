import DaemonConnections
import DaemonProving
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetBytes
import SignetMemory
import SignetVault
import SignetVocabulary
import SignetWire

/// What is asked of a user's vault, by the user themselves or by root; that root asks proves nothing to an item.
package struct VaultRequests {
  let prover: Prover
  let client: ClientConnection

  package typealias Interruption = ClientConnection.Interruption

  package init(_ prover: Prover, _ client: ClientConnection) {
    self.prover = prover
    self.client = client
  }

  /// How long a client may take to send a value, in milliseconds.
  private static let sending: Int64 = 10_000

  package func serve(_ request: VaultRequest) throws(Interruption) {
    guard let user = AskedUser(client, audit: prover.audit).permitted(request.user, request.kind) else { return }
    let access = VaultAccess(prover: prover, client: client, user: user)
    do {
      switch request {
      case .add(_, let item, let length): try put(item, Int(length), access, replaces: false)
      case .update(_, let item, let length): try put(item, Int(length), access, replaces: true)
      // What is in it opens the user's account: it goes to logins, and not to whatever program asks for a finger.
      case .read(_, .loginSecret, _): client.refuse(.loginSecretIsForLogins)
      case .read(_, let name, _): try ItemReading(access: access, name: name).run()
      case .delete(_, let name): try delete(name, access)
      // No item remembers a program yet.
      case .revoke: client.refuse(.notFound)
      case .list: try list(user)
      case .recover: try VaultRecovery(access: access).run()
      case .reset: try reset(access)
      }
    } catch let error as VaultError {
      client.refuse(Refusal(error))
    } catch {
      throw error as? Interruption ?? .closed
    }
  }

  private func put(_ item: Item, _ length: Int, _ access: VaultAccess, replaces: Bool) throws {
    if item.name == .loginSecret, !(1...FieldLimit.passcode).contains(length) {
      return client.refuse(.loginSecretLength)
    }
    guard try access.opens() else { return }
    guard let value = try receive(length) else { return client.refuse(.cancelled) }
    if item.name == .loginSecret, !Vault.isAuthtok(value) {
      return client.refuse(.loginSecretZeroByte)
    }
    try prover.vault.put(item, value: value, of: access.user, replaces: replaces)
    access.attempt().record(.itemStored(isReplaced: replaces))
    try client.send(AdministrationReply.done)
  }

  /// Takes the parts of a value; `nil` where the client cancelled.
  private func receive(_ length: Int) throws(Interruption) -> SecretBytes? {
    guard var value = SecretBytes(capacity: max(1, length)) else { throw .closed }
    client.phase = .receiving
    try client.send(AdministrationReply.askValue)
    let deadline = bootMilliseconds() + VaultRequests.sending
    while value.count < length {
      switch try client.wait(until: deadline) {
      case .request(.value):
        let expected = min(length - value.count, PacketLimit.valuePart)
        let isWhole = try client.readSecret { fields throws(FormatError) in
          let request = try ValueRequest(parsing: fields)
          return request.part.count == expected && value.append(request.part)
        }
        guard isWhole else { throw .misuse("a part of a value that is not \(expected) bytes long") }
      case .request(.cancel): return nil
      case .deadline: throw .misuse("no value within \(VaultRequests.sending) ms")
      case .request, .other, .tick: continue
      }
    }
    client.phase = .working
    return value
  }

  private func delete(_ name: ItemName, _ access: VaultAccess) throws {
    try prover.vault.delete(name, of: access.user)
    access.attempt().record(.itemDeleted)
    try client.send(AdministrationReply.done)
  }

  private func list(_ user: User) throws {
    let listing = try prover.vault.list(of: user)
    for item in listing.items {
      try client.sendPatiently(
        .item(
          ItemRow(item: item.item, created: item.created, modified: item.modified, isOfCurrentSet: item.isOfCurrentSet)))
    }
    for problem in listing.keyProblems + listing.problems { try client.sendPatiently(.vaultProblem(problem)) }
    try client.sendPatiently(.done)
  }

  private func reset(_ access: VaultAccess) throws {
    guard try OwnerCheck(prover: prover, client: client, user: access.user).passes() else { return }
    let count = try prover.vault.reset(access.user)
    access.attempt().record(.vaultReset(items: count))
    try client.send(AdministrationReply.done)
  }
}
