import DaemonAccounts
import DaemonAudit
import DaemonConnections
import DaemonService
import DaemonTokens
import DaemonVaults
import SignetAuthentication
import SignetVocabulary
import SignetWire

/// What the command line asks of one account: its fingers, its lockout and its history.
struct AccountRequests {
  let store: SharedStore
  let account: Account
  let vault: Vault
  let audit: AuditTrail
  let limits: LockoutLimits
  let rules: PasscodeRules
  let issuer: Issuer
  let client: ClientConnection
  let user: User

  typealias Interruption = ClientConnection.Interruption

  /// `list`: the fingers, and the first file that had to be left out.
  func list() throws(Interruption) {
    let fingers: AccountStore.Fingers
    do throws(SystemError) { fingers = store.value.openable(try store.value.fingers(of: user)) } catch {
      return client.refuse(.stateUnusable(error))
    }
    let preferred = account.nextFinger ?? store.value.matchedFinger(of: user.uid)
    for finger in fingers.usable {
      let order = EnrolledFinger.inTurn(fingers.usable.filter { $0.reader == finger.reader })
      let first = preferred.flatMap { order.contains($0) ? $0 : nil } ?? order.first
      try client.sendPatiently(
        .finger(
          FingerRow(
            finger: finger.finger, reader: finger.reader, enrolled: finger.enrolled, isFirst: finger.finger == first)))
    }
    if let problem = fingers.unusable.first { return client.refuse(.stateUnusable(problem)) }
    try client.sendPatiently(.done)
  }

  /// `status`: the lockout and the vault.
  func status() throws(Interruption) {
    let isEnrolled = (try? store.value.fingers(of: user).isEmpty) != true
    // First, because it asks the TPM for the device key, without which nobody knows whether the state is the newest.
    let afterRestart = vault.fingerAfterRestart(of: user)
    let status = account.status
    let passcodes = account.passcodes(from: source)
    var keys = store.value.keeper.home
    if keys.home == .tpm, store.value.rollbackGuard.isUncounted { keys.home = .tpmUncounted }
    let lock = vault.lock(status, afterRestart)
    // Without fingers there is nothing to lock, and no strikes file to miss.
    try client.send(
      .status(
        StatusRow(
          user: user.name, uid: user.uid, strikes: isEnrolled ? UInt8(clamping: status.strikes) : 0,
          limit: UInt8(clamping: limits.strikes), lock: isEnrolled ? lock : .none,
          wrongPasscodes: UInt8(clamping: passcodes.wrong), passcodeDelay: UInt32(clamping: passcodes.delay),
          wrongElsewhere: UInt8(clamping: passcodes.wrongElsewhere), delayElsewhere: UInt32(clamping: passcodes.delayElsewhere),
          keys: keys.home, pcrs: keys.pcrs, tokenKey: issuer.home, afterRestart: isEnrolled ? afterRestart : .off,
          fault: isEnrolled ? status.fault : nil)))
    try client.send(.vault(vault.row(of: user)))
    try client.send(AdministrationReply.done)
  }

  /// Whose wrong passcodes the status is about: those that count for the client, or where it is a stranger, as root may be who
  /// has logged in as somebody else, those that count for the user.
  private var source: PasscodeSource {
    let source = PasscodeSource(of: client.origin, for: user.uid, isRemote: false)
    return source.lane == .strangers ? .owner : source
  }

  /// `reset`: root clears strikes, locks and delays.
  func reset() throws(Interruption) {
    // A reset by root is no proof of the passcode.
    vault.destroyDeviceSlot(of: user.uid)
    switch account.reset() {
    case .success: try finish(.reset)
    case .failure(let error): client.refuse(.stateUnusable(error))
    }
  }

  /// `lock`: the passcode is required from now on.
  func lock() throws(Interruption) {
    guard rules.afterLock else { return client.refuse(.lockSwitchedOff) }
    switch account.requirePasscode() {
    case .success: try finish(.lockRequested)
    case .failure(let error): client.refuse(.lockNotKept(error))
    }
  }

  /// `history`: the last rows, oldest first.
  func history(limit: UInt16) throws(Interruption) {
    let found = audit.rows(of: user)
    for row in found.rows.suffix(Int(limit)) { try client.sendPatiently(.event(row)) }
    if let problem = found.problem { return client.refuse(.stateUnusable(problem)) }
    try client.sendPatiently(.done)
  }

  private func finish(_ event: Event) throws(Interruption) {
    audit.record(event, of: user, by: Requester(client))
    try client.send(AdministrationReply.done)
  }
}
