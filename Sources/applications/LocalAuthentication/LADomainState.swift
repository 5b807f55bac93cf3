/// What can be known of the enrolled fingers, and of companions, to notice later that it is not the same any more.
public final class LADomainState: NSObject, Sendable {
  public let biometry: LADomainStateBiometry
  public let companion: LADomainStateCompanion
  /// Of all together: `nil` while no finger is enrolled, for there are no companions.
  public let stateHash: Data?

  init(_ type: LABiometryType, _ fingers: Data?) {
    biometry = LADomainStateBiometry(type, fingers)
    companion = LADomainStateCompanion()
    stateHash = fingers
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? LADomainState else { return false }
    return biometry.isEqual(other.biometry)
  }

  public override var hash: Int { biometry.hash }
}

/// The biometry of a machine, and its enrolled fingers.
public final class LADomainStateBiometry: NSObject, Sendable {
  public let biometryType: LABiometryType
  /// Changes exactly when a finger is added or removed; `nil` while none is enrolled.
  public let stateHash: Data?

  init(_ type: LABiometryType, _ fingers: Data?) { (biometryType, stateHash) = (type, fingers) }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? LADomainStateBiometry else { return false }
    return biometryType == other.biometryType && stateHash == other.stateHash
  }

  public override var hash: Int { stateHash.hashValue }
}

/// Which kind of companion. There are none here.
public enum LACompanionType: Int, Sendable {
  case watch = 1
  case mac = 2
  case vision = 4
}

/// The companions of a machine: none.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// Empty.
  public let availableCompanionTypes: Set<NSNumber> = []
  /// `nil`.
  public let stateHash: Data? = nil

  /// `nil`.
  public func stateHash(for companionType: LACompanionType) -> Data? { nil }

  public override func isEqual(_ object: Any?) -> Bool { object is LADomainStateCompanion }
  public override var hash: Int { 0 }
}

extension LAContext {
  /// The enrolled fingers, as far as this context knows them: with the type once `canEvaluatePolicy` was called, with the hash once
  /// a policy with biometry could be, or was, evaluated.
  public var domainState: LADomainState { LADomainState(biometryType, read(\.domainState)) }
}
