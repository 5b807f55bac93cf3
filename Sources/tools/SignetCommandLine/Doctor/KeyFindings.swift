import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

/// What protects keys: what signetd says of its own, in the words of `signet status`.
struct KeyFindings {
  /// What signetd answered.
  let status: Result<UserStatus, CommandFailure>

  var all: [Finding] {
    switch status {
    case .failure(let failure):
      [
        .warn(
          .keys, say("signetd does not say what protects keys: \(failure.message)"),
          "systemctl status signetd.socket signetd.service")
      ]
    case .success(let status): [memory(status.vault.protection)] + home(status.strikes)
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

  private func home(_ row: StatusRow) -> [Finding] {
    guard let text = KeyText.of(row.keys, pcrs: row.pcrs) else { return [] }
    let words = say("the key of fingers and vaults: \(text)")
    return [row.keys.isInOrder ? .ok(.keys, words) : .warn(.keys, words)]
  }
}
