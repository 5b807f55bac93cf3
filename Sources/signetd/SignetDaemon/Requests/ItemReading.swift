import DaemonConnections
import DaemonProving
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetMemory
import SignetTokens
import SignetVault
import SignetVocabulary
import SignetWire

/// Releases one item, or signs with it: asks for what its access control, its accessibility and its programs demand, and for no more.
struct ItemReading {
  /// What is released.
  enum Use {
    case value
    /// A key's signature of a digest; its value stays here.
    case signature(of: [UInt8])
    /// What a key and another's public one, x and y, agree on.
    case agreement(with: [UInt8])
    /// What a passkey's secret makes of salts; the secret stays here.
    case derivation(from: [UInt8])
  }

  let use: Use
  let access: VaultAccess
  let name: ItemName
  /// Whether anything may be shown or asked for.
  let mayInteract: Bool
  /// What was proved before, and where it is noted what is proved now.
  let evidence: HeldEvidence

  init(_ use: Use, of name: ItemName, _ access: VaultAccess, mayInteract: Bool, _ evidence: HeldEvidence) {
    (self.use, self.name, self.access, self.mayInteract, self.evidence) = (use, name, access, mayInteract, evidence)
  }

  typealias Interruption = ClientConnection.Interruption

  /// What to ask for next.
  private enum Need {
    case nothing, finger, passcode, either
    /// Nothing that can be asked for opens it.
    case impossible
  }

  /// Whether a passkey is to leave for another machine. Its owner types the passcode for that, whatever opens it else and whatever was proved
  /// before: what was given for a sign-in must not be worth the passkey itself.
  private var isCopy: Bool {
    guard case .value = use else { return false }
    return name.isPasskey
  }
  private var vault: Vault { access.prover.vault }
  private var client: ClientConnection { access.client }
  private var user: User { access.user }

  func run() throws {
    let located = try vault.locate(name, of: user)
    let item = located.item.description
    guard !(isCopy && item.isInTPM) else { return client.refuse(.keyOnlySigns) }
    let first = need(item, [])
    guard first != .impossible else {
      // Unless the file of the finger set is at fault, which is said then: with the right file back the item opens again.
      try vault.checkFingerSet(of: user)
      return client.refuse(.fingersChanged)
    }
    let isAnotherCopy = isCopy && evidence.kept?.isForCopies == true
    let consent = ProgramConsent(access, to: name, of: item.programs)
    let isConsentNeeded = consent.isNeeded && !isAnotherCopy
    let isNew = first == .nothing || isCopy && !isAnotherCopy
    var collected = Collected(held: isNew ? [] : evidence.proof.union(try unlocked(item)))
    if !mayInteract {
      guard !isConsentNeeded, try access.isOpenByItself(), need(item, collected.proof) == .nothing else {
        return client.refuse(.interactionNotAllowed)
      }
    }
    if isConsentNeeded { try consent.show() }
    if isConsentNeeded || first != .nothing && need(item, collected.proof) != .nothing { evidence.prepare() }
    guard try access.opens({ proved, _ in collected.add(proved, to: evidence) }) else { return }
    while true {
      let need = need(item, collected.proof, isConsentNeeded, collected.fresh)
      if need == .nothing || need == .impossible { break }
      let verdict = try ask(need, isConsentNeeded ? .consent : .vault) { proved, _ throws(Interruption) in
        collected.add(proved, to: evidence)
        // Here, where the account's lock is held: a lockout that comes after the match must not take back what the finger was given for.
        if self.need(item, collected.proof, isConsentNeeded, collected.fresh) == .nothing { collected.read(located, vault) }
      }
      guard verdict == .success else { return access.refuse(verdict) }
    }
    if !collected.isRead { collected.read(located, vault) }
    if collected.error == nil {
      // Who may have a copy once does not sign by the passkey for that.
      if isCopy { evidence.kept?.keepForCopies() } else { consent.keep() }
    }
    try send(collected, located)
  }

  /// For how long, in seconds, a finger that logged in or unlocked the screen releases what signs in at providers.
  private static let unlockAge: UInt16 = 300

  /// What such a finger proves here. It was not asked for by the program, so it is good for a binding alone, and for nobody but
  /// the program that stored it, whatever signet.conf says of consent.
  private func unlocked(_ item: ItemDescription) throws(Interruption) -> Proof {
    // Finding out about the program costs a look at the kernel, which other items need not pay.
    guard name.kind == .binding else { return [] }
    let program = client.program.text
    guard !program.isEmpty, item.programs.isCreator(program) else { return [] }
    return try Availability(access.attempt()).isUnlocked(within: ItemReading.unlockAge) ? .fingerprint : []
  }

  private func ask(_ need: Need, _ reason: PasscodeReason, _ use: Authentication.Use) throws(Interruption) -> Verdict {
    switch need {
    case .finger: try access.authentication(.deviceOwnerAuthenticationWithBiometrics).run(use)
    case .either: try access.authentication(.deviceOwnerAuthentication).run(use)
    case .passcode, .nothing, .impossible: try access.authentication(.deviceOwnerAuthentication).runPasscode(reason, use)
    }
  }

  /// The same, and consent for another program: `fresh` is what was proved since the owner was shown who asks.
  private func need(_ item: ItemDescription, _ proof: Proof, _ isConsentNeeded: Bool, _ fresh: Proof) -> Need {
    let need = need(item, proof)
    return need == .nothing && isConsentNeeded && fresh.isEmpty ? .either : need
  }

  private func need(_ item: ItemDescription, _ proof: Proof) -> Need {
    // Where the key is not in memory, the passcode that is asked for first brings it.
    let state = vault.state(of: user)
    func opens(with more: Proof) -> Bool {
      let proof = proof.union(more)
      return item.item.accessibility.isAccessible(state.isHeld ? state : .afterFirstUnlock, proof: proof)
        && item.item.accessControl.isSatisfied(by: proof, currentSet: item.isOfCurrentSet)
        && (!isCopy || proof.contains(.passcode))
    }
    if opens(with: []) { return .nothing }
    switch (opens(with: .fingerprint), opens(with: .passcode)) {
    case (true, true): return .either
    case (true, false): return .finger
    case (false, true): return .passcode
    case (false, false):
      guard opens(with: [.fingerprint, .passcode]) else { return .impossible }
      return proof.contains(.fingerprint) ? .passcode : .finger
    }
  }

  private func send(_ collected: consuming Collected, _ item: ItemToRelease) throws {
    if let error = collected.error { throw error }
    switch use {
    case .value: try collected.withValue { value throws(Interruption) in try client.send(value: value.span) }
    case .derivation(let salts):
      guard let value = collected.take(), let passkey = PasskeyValue(kept: value), let derived = passkey.derived(from: salts)
      else { throw item.vault.damage(of: item.item) }
      try client.send(value: derived.span)
    // Not before: the account's lock is not held for as long as a TPM takes.
    case .signature(let digest):
      guard let value = collected.take(),
        let signature = try KeyRequests(access: access, evidence: evidence).signature(of: digest, by: item, value)
      else { return client.refuse(.cancelled) }
      try client.send(value: signature.span)
    case .agreement(let point):
      guard let value = collected.take(),
        let shared = try KeyRequests(access: access, evidence: evidence).agreement(with: point, by: item, value)
      else { return client.refuse(.cancelled) }
      try client.send(value: shared.span)
    }
    let method: EvidenceMethod =
      collected.proof.contains(.fingerprint) ? .fingerprint : collected.proof.contains(.passcode) ? .passcode : .none
    evidence.releases.record(use.event(method, name), by: method, access)
    try client.send(AdministrationReply.done)
  }
}

/// What was proved so far, and the value once it was released for that.
private struct Collected: ~Copyable {
  private(set) var proof: Proof
  /// What of it was proved in this request.
  private(set) var fresh: Proof = []
  private(set) var error: VaultError?
  private var value: SecretBytes?

  init(held: Proof) { proof = held }

  mutating func add(_ proved: borrowing AuthenticationEvidence, to evidence: HeldEvidence) {
    proof.formUnion(Proof(proved))
    fresh.formUnion(Proof(proved))
    evidence.note(proved)
  }

  var isRead: Bool { value != nil || error != nil }

  mutating func read(_ item: ItemToRelease, _ vault: Vault) {
    do throws(VaultError) { value = try vault.read(item, proof: proof) } catch { self.error = error }
  }

  func withValue<Failure: Error>(_ body: (borrowing SecretBytes) throws(Failure) -> Void) throws(Failure) {
    switch value {
    case .some(let value): try body(value)
    case .none: break
    }
  }

  mutating func take() -> SecretBytes? { value.take() }
}

extension ItemReading.Use {
  fileprivate func event(_ method: EvidenceMethod, _ name: ItemName) -> Event {
    switch self {
    case .value, .derivation: .itemReleased(method)
    case .signature: PasskeyName(name).map { .passkeyUsed(method, $0) } ?? .keySigned(method)
    case .agreement: .keyAgreed(method)
    }
  }
}

extension Proof {
  /// What one piece of evidence proves.
  init(_ evidence: borrowing AuthenticationEvidence) {
    switch evidence.method {
    case .fingerprint: self = .fingerprint
    case .passcode: self = .passcode
    case .none: self = []
    }
  }
}
