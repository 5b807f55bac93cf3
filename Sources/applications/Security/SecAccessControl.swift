import SignetContexts
import SignetCoreFoundation
package import SignetVocabulary

/// What must be proved before an item is released. Several conditions without `or` and `and` are all needed.
public struct SecAccessControlCreateFlags: OptionSet, Hashable, Sendable {
  public let rawValue: CFOptionFlags
  public init(rawValue: CFOptionFlags) { self.rawValue = rawValue }

  /// A finger or the passcode.
  public static let userPresence = SecAccessControlCreateFlags(rawValue: 1 << 0)
  /// Any finger that is enrolled when the item is read.
  public static let biometryAny = SecAccessControlCreateFlags(rawValue: 1 << 1)
  /// The old name of `biometryAny`.
  public static let touchIDAny = biometryAny
  /// A finger, of the set that was enrolled when the item was stored: adding or removing one makes the item unreadable.
  public static let biometryCurrentSet = SecAccessControlCreateFlags(rawValue: 1 << 3)
  /// The old name of `biometryCurrentSet`.
  public static let touchIDCurrentSet = biometryCurrentSet
  /// The passcode.
  public static let devicePasscode = SecAccessControlCreateFlags(rawValue: 1 << 4)
  /// A watch. There is none here: left out beside others under `or`, and refused with `errSecUnimplemented` otherwise.
  public static let watch = SecAccessControlCreateFlags(rawValue: 1 << 5)
  /// The new name of `watch`.
  public static let companion = watch
  /// One of the conditions is enough.
  public static let or = SecAccessControlCreateFlags(rawValue: 1 << 14)
  /// All conditions are needed.
  public static let and = SecAccessControlCreateFlags(rawValue: 1 << 15)
  /// What is asked for is asked before a key signs. For keys only: a password with it is refused with `errSecUnimplemented`.
  public static let privateKeyUsage = SecAccessControlCreateFlags(rawValue: 1 << 30)
  /// A password of the program's besides: an item with it is refused with `errSecUnimplemented`.
  public static let applicationPassword = SecAccessControlCreateFlags(rawValue: 1 << 31)
}

/// When an item may be read, and what must be proved for it. Immutable, so any thread may use it.
public final class SecAccessControl: NSObject, Sendable {
  /// The text of a `kSecAttrAccessible` value.
  let protection: String
  package let flags: SecAccessControlCreateFlags

  init(protection: String, flags: SecAccessControlCreateFlags) {
    self.protection = protection
    self.flags = flags
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecAccessControl else { return false }
    return protection == other.protection && flags == other.flags
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(protection)
    hasher.combine(flags)
    return hasher.finalize()
  }

  public override var description: String { "<SecAccessControl: \(protection), \(flags.rawValue)>" }
}

extension SecAccessControl: CoreFoundationObject {
  package static let typeID: CFTypeID = 301
}

/// What `CFGetTypeID` says of an access control.
public func SecAccessControlGetTypeID() -> CFTypeID { SecAccessControl.typeID }

/// Makes an access control.
///
/// - Parameters:
///   - allocator: `nil` or `kCFAllocatorDefault`.
///   - protection: one of the `kSecAttrAccessible` values.
///   - error: where to put the reason of a failure, which the caller owns (`takeRetainedValue()`).
/// - Returns: `nil` with the error `errSecParam` where the protection is none of these values, or the flags contradict each
///   other: `or` with `and`, `biometryAny` with `biometryCurrentSet`, `userPresence` with another condition.
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  unsafe given(error) { () throws(KeychainError) in
    guard let protection = (protection as? NSString).map({ $0 as String }), AccessibilityText.all.contains(protection),
      flags.isConsistent
    else { throw KeychainError(errSecParam, "The protection or the flags of the access control are not valid.") }
    return SecAccessControl(protection: protection, flags: flags)
  }
}

extension SecAccessControlCreateFlags {
  /// What there is; anything else is a mistake.
  private static let known: SecAccessControlCreateFlags = [
    .userPresence, .biometryAny, .biometryCurrentSet, .devicePasscode, .watch, .or, .and, .privateKeyUsage, .applicationPassword,
  ]

  var isConsistent: Bool {
    guard isSubset(of: .known), !isSuperset(of: [.or, .and]), !isSuperset(of: [.biometryAny, .biometryCurrentSet]) else {
      return false
    }
    return !contains(.userPresence) || isSubset(of: [.userPresence, .applicationPassword, .privateKeyUsage])
  }
}

extension SecAccessControl {
  /// As the vault says it; `errSecUnimplemented` where the vault cannot keep a condition and would release too much or nothing.
  func control(ofKey isKey: Bool = false) throws(KeychainError) -> AccessControl {
    let missing: SecAccessControlCreateFlags = isKey ? .applicationPassword : [.privateKeyUsage, .applicationPassword]
    guard flags.isDisjoint(with: missing) else { throw KeychainError(errSecUnimplemented) }
    let constraints = AccessFlags(rawValue: UInt64(flags.rawValue)).constraints
    // Without its watch, one of several is only stricter; all of several could never be met.
    if flags.contains(.watch), !flags.contains(.or) || constraints.isEmpty { throw KeychainError(errSecUnimplemented) }
    return AccessControl(constraints, flags.contains(.or) && constraints.rawValue.nonzeroBitCount > 1 ? .or : .and)
  }

  convenience init(protection: String, _ control: AccessControl, ofKey isKey: Bool = false) {
    let flags = SecAccessControlCreateFlags(rawValue: CFOptionFlags(AccessFlags(control).rawValue))
    self.init(protection: protection, flags: isKey ? flags.union(.privateKeyUsage) : flags)
  }
}

extension SecAccessControl {
  /// What the vault asks for under this access control; `nil` where it cannot keep it.
  package func requirement(ofKey isKey: Bool) -> AccessControl? { try? control(ofKey: isKey) }
}
