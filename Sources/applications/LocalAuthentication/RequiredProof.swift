import SignetContexts
import SignetVocabulary

/// What an evaluation is to prove.
enum RequiredProof {
  case policy(LAPolicy)
  /// By finger and by passcode, one after the other.
  case fingerAndPasscode
  case passcode
  /// Nothing has to be proved.
  case nothing
  /// Nothing here can prove it.
  case impossible(LAError.Code)

  /// What an access control asks for.
  init(_ accessControl: SecAccessControl, _ operation: LAAccessControlOperation) {
    let ofKey = [.createKey, .useKeySign, .useKeyDecrypt, .useKeyKeyExchange].contains(operation)
    guard ofKey || operation == .createItem || operation == .useItem else {
      self = .impossible(.notInteractive)
      return
    }
    guard let control = accessControl.requirement(ofKey: ofKey) else {
      self = .impossible(.notInteractive)
      return
    }
    let finger = control.constraints.contains(.biometryAny) || control.constraints.contains(.biometryCurrentSet)
    let passcode = control.constraints.contains(.devicePasscode)
    if control.constraints.isEmpty {
      self = .nothing
    } else if control.constraints.contains(.userPresence) || finger && passcode && control.connective == .or {
      self = .policy(.deviceOwnerAuthentication)
    } else if finger && passcode {
      self = .fingerAndPasscode
    } else {
      self = finger ? .policy(.deviceOwnerAuthenticationWithBiometrics) : .passcode
    }
  }
}

extension LAPolicy {
  /// As signetd knows it; `nil`: what it needs is not to be had here.
  var known: Policy? {
    switch self {
    case .deviceOwnerAuthenticationWithBiometrics, .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      .deviceOwnerAuthenticationWithBiometrics
    case .deviceOwnerAuthentication: .deviceOwnerAuthentication
    case .deviceOwnerAuthenticationWithCompanion, .deviceOwnerAuthenticationWithWristDetection: nil
    }
  }

  /// Why it cannot be evaluated here at all.
  var lack: LAError { LAError(self == .deviceOwnerAuthenticationWithCompanion ? .watchNotAvailable : .touchIDNotAvailable) }
}
