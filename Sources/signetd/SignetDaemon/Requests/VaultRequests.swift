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
struct VaultRequests {
  let prover: Prover
  let client: ClientConnection

  typealias Interruption = ClientConnection.Interruption

  /// What is only for the user of an open account: it takes or gives a value, or a passcode opens the vault for it.
  private static let releasing: Set<RequestKind> = [
    .vaultAdd, .vaultUpdate, .vaultRead, .vaultRecover, .keyMake, .keySign, .keyAgree, .keyDerive,
  ]

  /// How long a client may take to send a value, in milliseconds.
  private static let sending: Int64 = 10_000

  /// `evidence`: what was proved before on this connection. `known`: the user whom it is about, where that was found out before,
  /// so that the name service is not asked each time.
  func serve(
    _ request: VaultRequest, _ evidence: HeldEvidence = HeldEvidence(), of known: User? = nil
  ) throws(Interruption) {
    guard let user = known ?? AccountAccess(audit: prover.audit, client: client).permitted(request.user, request.kind) else {
      return
    }
    let access = VaultAccess(prover: prover, client: client, user: user)
    if VaultRequests.releasing.contains(request.kind), try access.isRefusedByAccount() { return }
    do {
      switch request {
      case .update(_, let item, 0) where item.name.kind == .key: try relabel(item, access)
      case .add(_, let item, _) where item.name.kind == .key && !item.name.isPasskey,
        .update(_, let item, _) where item.name.kind == .key:
        client.refuse(.keyOnlySigns)
      case .read(_, let name, _) where name.kind == .key && !name.isPasskey: client.refuse(.keyOnlySigns)
      case .makeKey(_, let item): try KeyRequests(access: access, evidence: evidence).make(item)
      case .sign(_, let name, let digest, let mayInteract):
        try KeyRequests(access: access, evidence: evidence).sign(digest, with: name, mayInteract: mayInteract)
      case .agree(_, let name, let point, let mayInteract):
        try KeyRequests(access: access, evidence: evidence).agree(with: point, by: name, mayInteract: mayInteract)
      case .derive(_, let name, let salts, let mayInteract):
        try KeyRequests(access: access, evidence: evidence).derive(from: salts, with: name, mayInteract: mayInteract)
      case .add(_, let item, let length): try put(item, Int(length), access, nil, evidence)
      case .update(_, let item, let length):
        let consent = ProgramConsent(access, to: item.name, of: programs(of: item.name, user))
        try put(item, Int(length), access, consent, evidence)
      // What is in it opens the user's account: it goes to logins, and not to whatever program asks for a finger.
      case .read(_, .loginSecret, _): client.refuse(.loginSecretIsForLogins)
      case .read(_, let name, let mayInteract):
        try ItemReading(.value, of: name, access, mayInteract: mayInteract, evidence).run()
      case .delete(_, let name): try delete(name, access)
      case .revoke(_, let name):
        try prover.vault.revokePrograms(of: name, of: user)
        try client.send(AdministrationReply.done)
      case .list: try list(user)
      case .recover: try VaultRecovery(access: access).run()
      case .reset: try reset(access)
      }
    } catch let error as VaultError {
      client.refuse(Refusal(error))
    } catch let error as Refusal {
      client.refuse(error)
    } catch {
      throw error as? Interruption ?? .closed
    }
  }

  /// Of an item that another is to replace. What is wrong with its file does not keep anybody from replacing it.
  private func programs(of name: ItemName, _ user: User) -> ItemPrograms {
    (try? prover.vault.locate(name, of: user))?.item.description.programs ?? ItemPrograms()
  }

  /// Gives a key another label and comment. Nothing else of a key is ever changed, and all else that the client says of it has to be as it is.
  /// Nothing is proved for that: whoever may ask it may also delete the key.
  private func relabel(_ key: Item, _ access: VaultAccess) throws {
    var old = try prover.vault.locate(key.name, of: access.user).item.description.item
    // A passkey gets its label last. That it was made is recorded, and this is no event of its own.
    let isFinished = PasskeyName(key.name) == nil || !old.label.isEmpty
    (old.label, old.comment) = (key.label, key.comment)
    guard old == key else { return client.refuse(.keyOnlySigns) }
    try prover.vault.relabel(key, of: access.user)
    if isFinished { access.attempt().record(.itemStored(isReplaced: true)) }
    try client.send(AdministrationReply.done)
  }

  /// `consent`: to replace an item that is there; `nil` for a new one.
  private func put(
    _ item: Item, _ length: Int, _ access: VaultAccess, _ consent: ProgramConsent?, _ evidence: HeldEvidence
  ) throws {
    if item.name == .loginSecret, !(1...FieldLimit.passcode).contains(length) {
      return client.refuse(.loginSecretLength)
    }
    guard try mayPut(access, consent, evidence) else { return }
    guard let value = try receive(length) else { return client.refuse(.cancelled) }
    if item.name == .loginSecret, !Vault.isAuthtok(value) {
      return client.refuse(.loginSecretZeroByte)
    }
    if item.name.isPasskey, !KeyRequests.isPasskey(value, of: item) {
      throw Interruption.misuse("a passkey that does not sign for its public point")
    }
    let storing: Vault.Storing = consent.map { .replacing(admits: $0.toKeep) } ?? .new(client.program.text)
    try prover.vault.put(item, value: value, of: access.user, storing)
    access.attempt().record(PasskeyName(item.name).map { .passkeyMade($0) } ?? .itemStored(isReplaced: consent != nil))
    try client.send(AdministrationReply.done)
  }

  /// Opens the vault, and asks the owner where another program's item is to be replaced: a program must not slip another one a
  /// secret of its own. False where the client has been refused.
  private func mayPut(_ access: VaultAccess, _ consent: ProgramConsent?, _ evidence: HeldEvidence) throws -> Bool {
    var isGiven = !(consent?.isNeeded ?? false)
    try consent?.show()
    if !isGiven { evidence.prepare() }
    let use: Authentication.Use = { proved, _ in
      isGiven = true
      evidence.note(proved)
    }
    guard try access.opens(use) else { return false }
    if isGiven { return true }
    let verdict = try access.authentication(.deviceOwnerAuthentication).run(use)
    if verdict != .success { access.refuse(verdict) }
    return verdict == .success
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
    access.attempt().record(PasskeyName(name).map { .passkeyDeleted($0) } ?? .itemDeleted)
    try client.send(AdministrationReply.done)
  }

  private func list(_ user: User) throws {
    let listing = try prover.vault.list(of: user)
    for item in listing.items {
      try client.sendPatiently(.item(ItemRow(item)))
    }
    for problem in listing.keyProblems + listing.problems { try client.sendPatiently(.vaultProblem(problem)) }
    try client.sendPatiently(.done)
  }

  private func reset(_ access: VaultAccess) throws {
    guard try OwnerCheck(attempt: Attempt(prover, for: access.user, by: client)).passes() else { return }
    let count = try prover.vault.reset(access.user)
    access.attempt().record(.vaultReset(items: count))
    try client.send(AdministrationReply.done)
  }
}

extension ItemRow {
  /// The longest name of another program in a row whose other fields are as long as they may be: so long that the row fits.
  private static let shortest = 24

  fileprivate init(_ item: ItemDescription) {
    self.init(
      item: item.item, created: item.created, modified: item.modified, isOfCurrentSet: item.isOfCurrentSet,
      creator: item.programs.creator, others: item.programs.others, change: item.change, isInTPM: item.isInTPM)
    // A packet has room for what people need to know, and not for every path there may be.
    let texts = [item.item.name.service, item.item.name.account, item.item.label, item.item.comment, creator] + others
    let length = texts.reduce(item.item.attributes.count) { $0 + $1.utf8.count + 2 }
    if length > PacketLimit.packet - 64 { others = others.map { $0.shortened(to: ItemRow.shortest) } }
  }
}
