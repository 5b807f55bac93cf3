/// What has to be proved for a right.
public final class LAAuthenticationRequirement: NSObject, Sendable {
  let flags: SecAccessControlCreateFlags

  init(_ flags: SecAccessControlCreateFlags) { self.flags = flags }

  /// The owner's finger or passcode.
  public static let `default` = LAAuthenticationRequirement(.userPresence)
  /// An enrolled finger.
  public static let biometry = LAAuthenticationRequirement(.biometryAny)
  /// A finger, of those that are enrolled when the right is saved: enrolling or deleting one ends the right.
  public static let biometryCurrentSet = LAAuthenticationRequirement(.biometryCurrentSet)

  /// An enrolled finger, or what may take its place.
  public static func biometry(fallback: LABiometryFallbackRequirement) -> LAAuthenticationRequirement {
    LAAuthenticationRequirement([.biometryAny, .or, fallback.flag])
  }

  var policy: LAPolicy {
    flags.isDisjoint(with: [.userPresence, .devicePasscode])
      ? .deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication
  }
}

/// What may take the place of a finger.
public final class LABiometryFallbackRequirement: NSObject, Sendable {
  let flag: SecAccessControlCreateFlags

  init(_ flag: SecAccessControlCreateFlags) { self.flag = flag }

  public static let `default` = devicePasscode
  /// The account's passcode.
  public static let devicePasscode = LABiometryFallbackRequirement(.devicePasscode)
}
