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
    var kept: UInt8 = 0
    if constraints & AccessFlags.biometryAny != 0 { kept |= AccessControl.Constraints.biometryAny.rawValue }
    if constraints & AccessFlags.biometryCurrentSet != 0 { kept |= AccessControl.Constraints.biometryCurrentSet.rawValue }
    if constraints & AccessFlags.userPresence != 0 { kept |= AccessControl.Constraints.userPresence.rawValue }
    if constraints & AccessFlags.devicePasscode != 0 { kept |= AccessControl.Constraints.devicePasscode.rawValue }
    return AccessControl(AccessControl.Constraints(rawValue: kept), connective == AccessFlags.or ? .or : .and)
  }

  /// What the vault keeps.
  public init(_ access: AccessControl) {
    let kept = access.constraints.rawValue
    var flags: UInt64 = 0
    var count = 0
    for (constraint, flag) in [
      (AccessControl.Constraints.biometryAny, AccessFlags.biometryAny),
      (.biometryCurrentSet, AccessFlags.biometryCurrentSet), (.userPresence, AccessFlags.userPresence),
      (.devicePasscode, AccessFlags.devicePasscode),
    ] where kept & constraint.rawValue != 0 {
      flags |= flag
      count &+= 1
    }
    if count > 1 { flags |= access.connective == .or ? AccessFlags.or : AccessFlags.and }
    rawValue = flags
  }
}
