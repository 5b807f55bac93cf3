import SignetMemory
import SignetVault
import SignetWire
import Synchronization

/// A passcode between the question and the opened vault: kept while it is checked, and no longer than until scrypt has run.
final class KeptPasscode: Sendable {
  private let state = Mutex(State())

  private struct State: ~Copyable {
    var passcode: SecretBytes?
    var ticket: UserKeys.Ticket?
  }

  func keep(_ passcode: Span<UInt8>) {
    var copy = SecretBytes(capacity: WireLimit.passcode)
    guard copy?.append(passcode) == true else { return }
    state.withLock { $0.passcode = copy.take() }
  }

  /// It was right. Until this is said it opens nothing.
  func isVerified(_ ticket: UserKeys.Ticket) { state.withLock { $0.ticket = ticket } }

  /// Lends it once, where it was right; after that it is gone.
  func use(_ body: (borrowing SecretBytes, UserKeys.Ticket) -> Vault.Opening) -> Vault.Opening {
    state.withLock { state in
      guard let passcode = state.passcode.take(), let ticket = state.ticket else { return .none }
      return body(passcode, ticket)
    }
  }
}

extension PasscodeDialog {
  /// Opens the vault with the passcode that was verified, in this thread. For after the verdict: nobody waits for scrypt then.
  func openVault(creates: Bool = false) {
    let isEnrolled = (try? daemon.store.value.fingers(of: user).isEmpty) == false
    let opening = kept.use { passcode, ticket in
      daemon.vault.open(passcode, of: user, ticket, creates: creates || isEnrolled)
    }
    switch opening {
    case .none: break
    case .opened: Log.write(.info, "vault opened", [("user", user.name)])
    case .created: Log.write(.info, "vault made", [("user", user.name)])
    case .rewrapped: record(.vaultRewrapped)
    case .overtaken: Log.write(.notice, "vault closed: it was locked while it was opened", [("user", user.name)])
    case .failed(let cause, let why):
      record(.vaultUnopened(cause))
      Log.write(.error, "the vault stays closed: \(why)", [("user", user.name)])
    }
  }

  /// The same while the client waits, for what needs the vault next. False where the client cancelled.
  func openVaultFirst(creates: Bool) throws(ClientConnection.Interruption) -> Bool {
    let isDone = Flag()
    let isStarted = startThread { [self] in
      openVault(creates: creates)
      isDone.value.store(true, ordering: .releasing)
    }
    if !isStarted { openVault(creates: creates) }
    while isStarted, !isDone.value.load(ordering: .acquiring) {
      if case .request(.cancel) = try client.wait(until: bootMilliseconds() + 10) { return false }
    }
    return true
  }
}

private final class Flag: Sendable {
  let value = Atomic(false)
}
