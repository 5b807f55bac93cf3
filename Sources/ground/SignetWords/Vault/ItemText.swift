import SignetLanguage
import SignetVocabulary

/// Items, and a vault as a whole.
public enum ItemText {
  /// `mail.example.org`, with the account behind it where there is one.
  public static func name(_ name: ItemName) -> String {
    switch name.kind {
    case .loginSecret: say("the login secret")
    case .item, .internetPassword, .binding, .synchronizableItem, .synchronizableInternetPassword, .key, .programKey:
      name.account.isEmpty ? name.service : "\(name.service), \(name.account)"
    }
  }

  /// What became of an item whose fingers are no longer the enrolled ones; empty for all others.
  ///
  /// `when`: the time of the change, for people.
  public static func state(_ control: AccessControl, isOfCurrentSet: Bool, _ change: FingerChange?, when: String) -> String {
    if isOfCurrentSet { return "" }
    let state = control.endsWithFingers ? say("gone: fingers changed") : say("fingers changed")
    guard let change else { return state }
    return "\(state), \(when): \(FingerChangeText.of(change))"
  }

  /// How many items there are, `lost` of which nothing opens any more: `12 items with the login secret, 2 of them lost`.
  public static func count(_ items: Int, lost: Int, hasLoginSecret: Bool) -> String {
    switch (hasLoginSecret, lost > 0) {
    case (false, false): say(items, one: "\(items) item", other: "\(items) items")
    case (true, false):
      say(items, one: "\(items) item with the login secret", other: "\(items) items with the login secret")
    case (false, true): say(items, one: "\(items) item, \(lost) of them lost", other: "\(items) items, \(lost) of them lost")
    case (true, true):
      say(
        items, one: "\(items) item with the login secret, \(lost) of them lost",
        other: "\(items) items with the login secret, \(lost) of them lost")
    }
  }

  /// Of `signet status`: whether the vault opens, and what is in it.
  public static func vault(_ state: VaultState, items: Int, lost: Int, hasLoginSecret: Bool) -> String {
    let all = count(items, lost: lost, hasLoginSecret: hasLoginSecret)
    return switch state {
    case .none: say("none yet. The first item makes one: signet vault add")
    case .open: say("open, \(all)")
    case .closed: say("closed until your passcode is entered, \(all)")
    case .otherPasscode: say("closed: another passcode opens it, \(all). With that one: signet vault recover")
    case .keyLost:
      say(
        """
        its key is lost, and nothing opens its \(count(items, lost: 0, hasLoginSecret: hasLoginSecret)). To start again: signet \
        vault reset
        """)
    case .unusable: say("not usable")
    }
  }

  /// What keeps the keys of open vaults from others, as signetd says.
  public static func keys(_ protection: KeyProtection) -> String {
    switch protection {
    case .secret: say("in memory that no debugger reads; systemd keeps it over a crash of signetd")
    case .unkept: say("in memory that no debugger reads, lost when signetd crashes: systemd did not start it")
    case .locked:
      say("in locked memory, which root's debugger reads (the kernel has memfd_secret switched off), lost when signetd crashes")
    }
  }
}
