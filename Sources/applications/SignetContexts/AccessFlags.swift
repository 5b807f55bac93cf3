#if !hasFeature(Embedded)
  import SignetVocabulary
#endif

/// Access control with the numbers of Apple's `SecAccessControlCreateFlags`.
public struct AccessFlags: RawRepresentable, Equatable, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static var userPresence: UInt64 { 1 &<< 0 }
  public static var biometryAny: UInt64 { 1 &<< 1 }
  public static var biometryCurrentSet: UInt64 { 1 &<< 3 }
  public static var devicePasscode: UInt64 { 1 &<< 4 }
  public static var or: UInt64 { 1 &<< 14 }
  public static var and: UInt64 { 1 &<< 15 }

  /// What the vault is to keep; `nil` where the flags contradict each other, or one of them is none that the vault knows.
  public var accessControl: AccessControl? {
    let constraints = rawValue & ~(AccessFlags.or | AccessFlags.and)
    let known =
      AccessFlags.userPresence | AccessFlags.biometryAny | AccessFlags.biometryCurrentSet | AccessFlags.devicePasscode
    let connective = rawValue & (AccessFlags.or | AccessFlags.and)
    let fingers = AccessFlags.biometryAny | AccessFlags.biometryCurrentSet
    guard constraints & ~known == 0, connective != AccessFlags.or | AccessFlags.and else { return nil }
    guard connective == 0 || constraints != 0, constraints & fingers != fingers else { return nil }
    guard constraints & AccessFlags.userPresence == 0 || constraints == AccessFlags.userPresence else { return nil }
    return AccessControl(self.constraints, connective == AccessFlags.or ? .or : .and)
  }

  /// Those of the flags that are constraints of the vault.
  public var constraints: AccessControl.Constraints {
    var kept: UInt8 = 0
    for (constraint, flag) in AccessFlags.pairs where rawValue & flag != 0 { kept |= constraint.rawValue }
    return AccessControl.Constraints(rawValue: kept)
  }

  private static var pairs: [(AccessControl.Constraints, UInt64)] {
    [
      (.biometryAny, biometryAny), (.biometryCurrentSet, biometryCurrentSet), (.userPresence, userPresence),
      (.devicePasscode, devicePasscode),
    ]
  }

  /// What the vault keeps.
  public init(_ access: AccessControl) {
    let kept = access.constraints.rawValue
    var flags: UInt64 = 0
    var count = 0
    for (constraint, flag) in AccessFlags.pairs where kept & constraint.rawValue != 0 {
      flags |= flag
      count &+= 1
    }
    if count > 1 { flags |= access.connective == .or ? AccessFlags.or : AccessFlags.and }
    rawValue = flags
  }
}
