import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

/// What protects keys: what signetd says of its own, in the words of `signet status`.
struct KeyFindings {
  /// What signetd answered.
  let status: Result<UserStatus, CommandFailure>
  /// How many of the user's open sessions began through Signet; `nil` where signetd does not say.
  var sessions: Int?

  var all: [Finding] {
    switch status {
    case .failure(let failure):
      [
        .warn(
          .keys, say("signetd does not say what protects keys: \(failure.message)"),
          "systemctl status signetd.socket signetd.service")
      ]
    case .success(let status): [memory(status.vault.protection)] + home(status.strikes) + items(status.vault)
    }
  }

  private func memory(_ protection: KeyProtection) -> Finding {
    let words = say("keys of open vaults: \(ItemText.keys(protection))")
    return switch protection {
    case .secret: .ok(.keys, words)
    case .locked: .warn(.keys, words, say("add secretmem.enable=1 to the kernel's command line"))
    case .unkept: .warn(.keys, words, "systemctl restart signetd.service")
    }
  }

  /// Whether programs read what is for an unlocked session, as items are unless they say something else.
  private func items(_ vault: VaultRow) -> [Finding] {
    guard vault.state == .open, let sessions else { return [] }
    return [
      sessions > 0
        ? .ok(.keys, say("a session of yours began through Signet: programs read items of an unlocked one"))
        : .warn(
          .keys,
          say("no session of yours began through Signet: programs get -25308 for items of an unlocked one, the default"),
          say("log in through Signet (signet check-pam login), or store such items as readable after the first unlock"))
    ]
  }

  private func home(_ row: StatusRow) -> [Finding] {
    guard let text = KeyText.of(row.keys, pcrs: row.pcrs) else { return [] }
    let words = say("the key of fingers and vaults: \(text)")
    return [row.keys.isInOrder ? .ok(.keys, words) : .warn(.keys, words)]
  }
}
