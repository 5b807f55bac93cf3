import DaemonConnections
import DaemonService
import SignetAuthentication
import SignetBytes
import SignetMemory
import SignetVault
import SignetVocabulary
import SignetWire

/// What is asked of a user's vault, by the user themselves or by root; that root asks proves nothing to an item.
struct VaultRequests {
  let daemon: Daemon
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  /// How long a client may take to send a value, in milliseconds.
  private static let sending: Int64 = 10_000

  func serve(_ request: VaultRequest) throws(Interruption) {
    guard let user = Administration(daemon: daemon, client: client).permitted(request.user, request.kind) else { return }
    do {
      switch request {
      case .add(_, let item, let length): try put(item, Int(length), of: user, replaces: false)
      case .update(_, let item, let length): try put(item, Int(length), of: user, replaces: true)
      // What is in it opens the user's account: it goes to logins, and not to whatever program asks for a finger.
      case .read(_, .loginSecret): client.refuse(.loginSecretIsForLogins)
      case .read(_, let name): try ItemReading(daemon: daemon, client: client, user: user, name: name).run()
      case .delete(_, let name): try delete(name, of: user)
      case .list: try list(user)
      case .recover: try VaultRecovery(daemon: daemon, client: client, user: user).run()
      case .reset: try reset(user)
      }
    } catch let error as VaultError {
      client.refuse(Refusal(error))
    } catch {
      throw error as? Interruption ?? .closed
    }
  }

  private func put(_ item: Item, _ length: Int, of user: User, replaces: Bool) throws {
    if item.name == .loginSecret, !(1...FieldLimit.passcode).contains(length) {
      return client.refuse(.loginSecretLength)
    }
    guard try VaultDoor(daemon: daemon, client: client, user: user).opens() else { return }
    guard let value = try receive(length) else { return client.refuse(.cancelled) }
    if item.name == .loginSecret, !Vault.isAuthtok(value) {
      return client.refuse(.loginSecretZeroByte)
    }
    try daemon.vault.put(item, value: value, of: user, replaces: replaces)
    record(.itemStored(isReplaced: replaces), of: user)
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

  private func delete(_ name: ItemName, of user: User) throws {
    try daemon.vault.delete(name, of: user)
    record(.itemDeleted, of: user)
    try client.send(AdministrationReply.done)
  }

  private func list(_ user: User) throws {
    let listing = try daemon.vault.list(of: user)
    for item in listing.items {
      try client.sendPatiently(
        .item(
          ItemRow(item: item.item, created: item.created, modified: item.modified, isOfCurrentSet: item.isOfCurrentSet)))
    }
    for problem in listing.keyProblems + listing.problems { try client.sendPatiently(.vaultProblem(problem)) }
    try client.sendPatiently(.done)
  }

  private func reset(_ user: User) throws {
    guard try OwnerCheck(daemon: daemon, client: client, user: user).passes() else { return }
    let count = try daemon.vault.reset(user)
    record(.vaultReset(items: count), of: user)
    try client.send(AdministrationReply.done)
  }

  private func record(_ event: Event, of user: User) {
    daemon.audit.record(event, of: user, by: Requester(client, service: VaultDoor.service))
  }
}
