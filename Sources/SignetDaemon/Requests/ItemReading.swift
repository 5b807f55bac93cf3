import DaemonConnections
import DaemonProving
import DaemonService
import DaemonVaults
import SignetAuthentication
import SignetMemory
import SignetVault
import SignetVocabulary
import SignetWire

/// Releases one item: asks for what its access control and its accessibility demand, and for no more.
struct ItemReading {
  let access: VaultAccess
  let name: ItemName

  typealias Interruption = ClientConnection.Interruption

  /// What to ask for next.
  private enum Need {
    case nothing, finger, passcode, either
    /// Nothing that can be asked for opens it.
    case impossible
  }

  private var vault: Vault { access.prover.vault }
  private var client: ClientConnection { access.client }
  private var user: User { access.user }

  func run() throws {
    let located = try vault.locate(name, of: user)
    let item = located.item.description
    guard need(item, []) != .impossible else {
      // Who puts that file back has the item again.
      try vault.checkFingerSet(of: user)
      return client.refuse(.fingersChanged)
    }
    var collected = Collected()
    guard try access.opens({ evidence, _ in collected.proof.formUnion(Proof(evidence)) }) else { return }
    while true {
      let need = need(item, collected.proof)
      if need == .nothing || need == .impossible { break }
      let verdict = try ask(need) { evidence, _ throws(Interruption) in
        collected.proof.formUnion(Proof(evidence))
        // While nothing else can touch the account: a lock that comes later comes too late for this finger.
        if self.need(item, collected.proof) == .nothing { collected.read(located, vault) }
      }
      guard verdict == .success else { return access.refuse(verdict) }
    }
    if !collected.isRead { collected.read(located, vault) }
    try send(collected)
  }

  private func ask(_ need: Need, _ use: Authentication.Use) throws(Interruption) -> Verdict {
    switch need {
    case .finger: try access.authentication(.deviceOwnerAuthenticationWithBiometrics).run(use)
    case .either: try access.authentication(.deviceOwnerAuthentication).run(use)
    case .passcode, .nothing, .impossible: try access.authentication(.deviceOwnerAuthentication).runPasscode(.vault, use)
    }
  }

  private func need(_ item: ItemDescription, _ proof: Proof) -> Need {
    // Where the key is not in memory, the passcode that is asked for first brings it.
    let state = vault.state(of: user)
    func opens(with more: Proof) -> Bool {
      let proof = proof.union(more)
      return item.item.accessibility.isAccessible(state.isHeld ? state : .afterFirstUnlock, proof: proof)
        && item.item.accessControl.isSatisfied(by: proof, currentSet: item.isOfCurrentSet)
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

  private func send(_ collected: borrowing Collected) throws {
    if let error = collected.error { throw error }
    try collected.withValue { value throws(Interruption) in try client.send(value: value) }
    let method: EvidenceMethod =
      collected.proof.contains(.fingerprint) ? .fingerprint : collected.proof.contains(.passcode) ? .passcode : .none
    access.attempt().record(.itemReleased(method))
    try client.send(AdministrationReply.done)
  }
}

/// What was proved so far, and the value once it was released for that.
private struct Collected: ~Copyable {
  var proof: Proof = []
  private(set) var error: VaultError?
  private var value: SecretBytes?

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
