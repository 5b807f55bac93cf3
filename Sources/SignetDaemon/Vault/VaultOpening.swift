import DaemonConnections
import DaemonService
import SignetMemory
import SignetVault
import SignetVocabulary
import Synchronization

/// A passcode between the question and the opened vault: kept while it is checked, and no longer than until scrypt has run.
final class KeptPasscode: Sendable {
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var passcode: SecretBytes?
    var ticket: UserKeys.Ticket?
    var pending: PendingOpening?
  }

  func keep(_ passcode: Span<UInt8>) {
    var copy = SecretBytes(capacity: FieldLimit.passcode)
    guard copy?.append(passcode) == true else { return }
    state.withLock { $0.passcode = copy.take() }
  }

  /// Whether there is one that is not empty.
  var holdsAny: Bool { withPasscode { $0.count > 0 } == true }

  /// It was right. Until this is said it opens nothing.
  func isVerified(_ ticket: UserKeys.Ticket, opening pending: PendingOpening) {
    state.withLock { state in
      state.ticket = ticket
      state.pending = pending
    }
  }

  /// Lends it, where it was right.
  func use(_ body: (borrowing SecretBytes, UserKeys.Ticket) -> Vault.Opening) -> Vault.Opening {
    state.withLock { state in
      guard let ticket = state.ticket else { return .none }
      switch state.passcode {
      case .some(let passcode): return body(passcode, ticket)
      case .none: return .none
      }
    }
  }

  /// Lends it, right or not.
  func withPasscode<Value>(_ body: (borrowing SecretBytes) -> Value) -> Value? {
    state.withLock { state in
      switch state.passcode {
      case .some(let passcode): return body(passcode)
      case .none: return nil
      }
    }
  }

  /// Wipes it.
  func forget() {
    state.withLock { state in
      state.passcode = nil
      state.pending = nil
    }
  }
}

extension PasscodeDialog {
  /// Opens the vault with the passcode that was verified, in this thread, and forgets the passcode. For after the verdict:
  /// nobody waits for scrypt then.
  func openVault(creates: Bool = false, keepsLoginSecret: Bool = false) {
    report(open(creates: creates))
    let keeps = keepsLoginSecret && kept.withPasscode { daemon.vault.keepLoginSecret($0, of: user) } == true
    if keeps { record(.loginSecretStored) }
    kept.forget()
  }

  /// The same while the client waits, for what needs the vault next; the passcode stays known to this dialog. `nil` where the
  /// client cancelled.
  func openVaultFirst(creates: Bool) throws(ClientConnection.Interruption) -> Vault.Opening? {
    let opening = try client.wait { open(creates: creates) }
    if let opening { report(opening) }
    return opening
  }

  private func open(creates: Bool) -> Vault.Opening {
    let isEnrolled = (try? daemon.store.value.fingers(of: user).isEmpty) == false
    return kept.use { passcode, ticket in
      daemon.vault.open(passcode, of: user, ticket, creates: creates || isEnrolled)
    }
  }

  func report(_ opening: Vault.Opening) {
    switch opening {
    case .none: break
    case .opened: Log.write(.info, "vault opened", [("user", user.name)])
    case .created: Log.write(.info, "vault made", [("user", user.name)])
    case .rewrapped: record(.vaultRewrapped)
    case .overtaken: Log.write(.notice, "vault closed: it was locked while it was opened", [("user", user.name)])
    case .failed(let error):
      record(.vaultUnopened(error.cause))
      Log.write(.error, "the vault stays closed: \(error.description)", [("user", user.name)])
    }
  }
}
