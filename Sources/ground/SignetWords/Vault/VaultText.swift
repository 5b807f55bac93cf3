import SignetBytes
import SignetLanguage
import SignetVocabulary

/// What is wrong with a vault, or with which of its files, and the way out.
public enum VaultText {
  public static func of(_ error: VaultError) -> String {
    switch error {
    case .noKey: say("there is no vault yet; enroll a finger, which makes one")
    case .keyExists(let path):
      say("\(path): there is a key already; open it with the passcode that it was made for, or reset the vault")
    case .wrongPasscode: say("the passcode does not open the vault; if it was reset, recover with the old one")
    case .locked: say("the vault is locked; it opens with your passcode")
    case .proofMissing: say("the item asks for another proof of who you are")
    case .setChanged(let path):
      say("\(path): the enrolled fingers changed since it was stored, and nothing opens it any more; delete it")
    case .notFound: say("there is no such item")
    case .duplicate: say("there is such an item already; update it")
    case .full: say("\(ItemLimit.items) items are all that fit; delete some")
    case .badItem:
      say(
        """
        a service has 1 to \(ItemLimit.name) bytes, an account up to \(ItemLimit.name), a label and a comment up to \
        \(ItemLimit.text) each, a value up to \(ItemLimit.value)
        """)
    case .emptyPasscode: say("an empty passcode keeps nothing; set one")
    case .damaged(let path): damaged(path)
    case .oversized(let error): say("\(FaultText.of(error)); it was altered; put the right file back, or reset the vault")
    case .missing(let path): missing(path)
    case .putBack(let path): putBack(path)
    case .unknown(let path): say("\(path): it was deleted and put back, or is none of the vault's; remove it")
    case .otherOwner(let path, let uid, let owner): FormerOwner(owner, of: uid).ofVault(path, uid, owner)
    case .otherKey(let path):
      say("\(path): it was stored under a key that is gone, and nothing opens it any more; delete it")
    // These say themselves what is to be done.
    case .system(.deviceKeyMissing(let path)): FaultText.of(.deviceKeyMissing(path))
    case .system(.deviceKeyDamaged(let path)): FaultText.of(.deviceKeyDamaged(path))
    case .system(.deviceKeyUnreadable(let error)): FaultText.of(.deviceKeyUnreadable(error))
    case .system(.deviceKeySealed(let path, let fault, let code)): FaultText.of(.deviceKeySealed(path, fault, code: code))
    case .system(let error): say("\(FaultText.of(error)); put that right and try again")
    case .unfinished(let error): say("the change is made, but not all of it is on disk: \(of(error))")
    case .busy(let error): say("\(FaultText.of(error)); another process changes the vault; end it")
    case .exhausted: say("the system gives no memory or no randomness; try again later")
    }
  }

  /// What a file is for, which says what makes it unnecessary where it cannot be had back.
  private enum FileRole {
    case item, fingerSet, wholeVault

    init(_ path: String) {
      self = path.includes("/items/") ? .item : path.hasSuffix("/set") ? .fingerSet : .wholeVault
    }
  }

  private static func damaged(_ path: String) -> String {
    switch FileRole(path) {
    case .item:
      say("\(path): it is torn, was altered or is another's; put the right file back, or delete or update the item")
    case .fingerSet:
      say(
        """
        \(path): it is torn, was altered or is another's; put the right file back, or enroll or delete a finger, which makes a \
        new one
        """)
    case .wholeVault:
      say("\(path): it is torn, was altered or is another's; put the right file back, or reset the vault, which loses its items")
    }
  }

  private static func missing(_ path: String) -> String {
    switch FileRole(path) {
    case .item: say("\(path): it is gone; put it back, or delete or update the item")
    case .fingerSet: say("\(path): it is gone; put it back, or enroll or delete a finger, which makes a new one")
    case .wholeVault: say("\(path): it is gone; put it back, or reset the vault, which loses its items")
    }
  }

  private static func putBack(_ path: String) -> String {
    switch FileRole(path) {
    case .item: say("\(path): an older copy was put back; put the newest back, or delete or update the item")
    case .fingerSet:
      say("\(path): an older copy was put back; put the newest back, or enroll or delete a finger, which makes a new one")
    case .wholeVault:
      say("\(path): an older copy was put back; put the newest back, or reset the vault, which loses its items")
    }
  }
}
