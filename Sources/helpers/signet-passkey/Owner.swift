import CLibc

/// The owner, who is asked and then has proved that they are there: a context of signetd's, in which a passkey signs for as long as this value
/// lives and no longer than signetd lets it.
final class Owner {
  private var context: ContextConnection
  private var prompter: DefaultPrompter

  private static let application = "Passkeys"

  /// Begins to ask.
  ///
  /// - Parameter fingerTimeout: how long a finger is waited for, in seconds.
  init(_ reason: String, socket: String, fingerTimeout: UInt16) throws(ContextError) {
    context = try ContextConnection(path: socket, name: Owner.application)
    prompter = DefaultPrompter(Prompting(application: Owner.application, reason: reason))
    try context.beginEvaluation(EvaluateRequest(policy: .deviceOwnerAuthentication, timeout: fingerTimeout), prompter)
  }

  /// For poll(2), while they are asked; at most `watchedCount`.
  var watched: [Int32] {
    [
      context.descriptor, context.interrupter.descriptor, prompter.keys, context.heedsSignals ? prompter.signals : -1,
    ]
  }

  /// How long `step` may be put off, in milliseconds; -1 for as long as nothing of `watched` is readable.
  var pause: Int32 { context.pause() }

  /// What came of it; `nil` while they are still asked.
  func step() throws(ContextError) -> Verdict? { try context.evaluated(try context.step(&prompter, within: 0))?.verdict }

  /// Takes away what is shown.
  func giveUp() { context.giveUp(&prompter) }

  // MARK: Once they have proved it

  // Nobody is asked again: what would need another proof fails.

  func list() throws(ContextError) -> [ItemRow] { try context.list() }

  func make(_ key: Item) throws(ContextError) -> [UInt8] {
    var nobody = SilentHost()
    return try context.makeKey(key, &nobody)
  }

  func sign(_ digest: [UInt8], with name: ItemName) throws(ContextError) -> [UInt8] {
    var nobody = SilentHost()
    return try context.sign(digest, with: name, mayInteract: false, &nobody)
  }

  func derive(from salts: [UInt8], with name: ItemName) throws(ContextError) -> SecretBytes {
    var nobody = SilentHost()
    return try context.derive(from: salts, with: name, mayInteract: false, &nobody)
  }
}

extension Status {
  /// What the platform is told of an evaluation; `success` for that.
  init(_ verdict: Verdict) {
    switch verdict {
    case .success: self = .success
    case .authenticationFailed: self = .uvInvalid
    case .biometryLockout: self = .uvBlocked
    default: self = .operationDenied
    }
  }

  init(_ error: ContextError) {
    switch error {
    case .refused(.notFound): self = .noCredentials
    case .refused(.vaultFull): self = .keyStoreFull
    case .refused(.notVerified): self = .uvInvalid
    case .refused(.locked): self = .uvBlocked
    case .refused, .cancelled, .notInteractive, .invalidated: self = .operationDenied
    case .client, .unusable, .inUse, .noMemory: self = .other
    }
  }
}
