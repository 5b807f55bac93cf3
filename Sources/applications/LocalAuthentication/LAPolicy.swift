// LocalAuthentication has the names of Apple's module of that name, over a signetd: an application asks for the owner's finger or
// passcode as it does on Apple's systems. It gives out Security and Foundation, as that module does.
@_exported import Security

/// What an evaluation may use.
public enum LAPolicy: Int, Sendable {
  /// A finger only: the program offers its own fallback.
  case deviceOwnerAuthenticationWithBiometrics = 1
  /// A finger where usable, else the passcode.
  case deviceOwnerAuthentication = 2
  /// A watch or another companion. There is none here: `LAError.companionNotAvailable`.
  case deviceOwnerAuthenticationWithCompanion = 3
  /// A finger or a companion. There are no companions here, so that it is as `deviceOwnerAuthenticationWithBiometrics`.
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
  /// For watches only: `LAError.biometryNotAvailable`.
  case deviceOwnerAuthenticationWithWristDetection = 5

  /// The old name of `deviceOwnerAuthenticationWithCompanion`.
  public static let deviceOwnerAuthenticationWithWatch = deviceOwnerAuthenticationWithCompanion
  /// The old name of `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
  public static let deviceOwnerAuthenticationWithBiometricsOrWatch = deviceOwnerAuthenticationWithBiometricsOrCompanion
}

public let kLAPolicyDeviceOwnerAuthenticationWithBiometrics: Int32 = 1
public let kLAPolicyDeviceOwnerAuthentication: Int32 = 2
public let kLAPolicyDeviceOwnerAuthenticationWithWatch: Int32 = 3
public let kLAPolicyDeviceOwnerAuthenticationWithCompanion: Int32 = 3
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch: Int32 = 4
public let kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion: Int32 = 4
public let kLAPolicyDeviceOwnerAuthenticationWithWristDetection: Int32 = 5

/// The kind of biometry that a machine has.
public enum LABiometryType: Int, Sendable {
  /// There is no reader, or nothing was asked yet.
  case none = 0
  /// There is a fingerprint reader.
  case touchID = 1
  case faceID = 2
  case opticID = 4

  /// The old name of `none`.
  public static let LABiometryNone = LABiometryType.none
  /// The old name of `touchID`.
  public static let typeTouchID = touchID
  /// The old name of `faceID`.
  public static let typeFaceID = faceID
}

/// Which credential a program may bring itself.
public enum LACredentialType: Int, Sendable {
  /// A password of the program's own.
  case applicationPassword = 0
  case smartCardPIN = -3
}

/// What is to be done with what an access control guards.
public enum LAAccessControlOperation: Int, Sendable {
  case createItem = 0
  case useItem = 1
  case createKey = 2
  case useKeySign = 3
  case useKeyDecrypt = 4
  case useKeyKeyExchange = 5
}

// What C calls the values of the enumerations above.

public let kLABiometryTypeNone: Int32 = 0
public let kLABiometryTypeTouchID: Int32 = 1
public let kLABiometryTypeFaceID: Int32 = 2
public let kLABiometryTypeOpticID: Int32 = 4
public let kLACredentialTypeApplicationPassword: Int32 = 0
public let kLACredentialSmartCardPIN: Int32 = -3
public let kLAAccessControlOperationCreateItem: Int32 = 0
public let kLAAccessControlOperationUseItem: Int32 = 1
public let kLAAccessControlOperationCreateKey: Int32 = 2
public let kLAAccessControlOperationUseKeySign: Int32 = 3
public let kLAAccessControlOperationUseKeyDecrypt: Int32 = 4
public let kLAAccessControlOperationUseKeyKeyExchange: Int32 = 5
public let kLACompanionTypeNone: Int32 = 0
public let kLACompanionTypeWatch: Int32 = 1
public let kLACompanionTypeMac: Int32 = 2
public let kLACompanionTypeVision: Int32 = 4
