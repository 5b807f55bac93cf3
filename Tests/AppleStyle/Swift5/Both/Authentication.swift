import LocalAuthentication

// Shapes 1, 2, 5 to 9: asking before, the completion handler, and every way to look at an error.
func canUseBiometrics() -> Bool {
  let context = LAContext()
  var error: NSError?
  return context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error)
}

func biometryName() -> String {
  let context = LAContext()
  _ = context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: nil)
  if #available(iOS 11, macOS 10.13.2, *) {
    switch context.biometryType {
    case .faceID: return "Face ID"
    case .touchID: return "Touch ID"
    case .opticID: return "Optic ID"
    case .none: return "none"
    @unknown default: return "unknown"
    }
  } else {
    return "old"
  }
}

// The example that everybody begins with: nothing but the call holds the context.
func authenticate(completion: @escaping @Sendable (String) -> Void) {
  let context = LAContext()
  var error: NSError?

  if context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) {
    let reason = "We need to unlock your data."

    context.evaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, localizedReason: reason) { success, authenticationError in
      DispatchQueue.main.async {
        if success {
          completion("unlocked")
        } else {
          completion(describe(authenticationError))
        }
      }
    }
  } else {
    completion("no biometrics: \(error?.code ?? 0)")
  }
}

func describe(_ error: Error?) -> String {
  guard let error = error as? LAError else { return "no error" }
  switch error.code {
  case .authenticationFailed: return "authenticationFailed"
  case .userCancel: return "userCancel"
  case .userFallback: return "userFallback"
  case .systemCancel, .appCancel: return error.code == .appCancel ? "appCancel" : "systemCancel"
  case .passcodeNotSet: return "passcodeNotSet"
  case .biometryNotAvailable: return "biometryNotAvailable"
  case .biometryNotEnrolled: return "biometryNotEnrolled"
  case .biometryLockout: return "biometryLockout"
  case .invalidContext: return "invalidContext"
  case .notInteractive: return "notInteractive"
  default: return "other"
  }
}

func describeByCode(_ error: NSError?) -> String {
  guard let error else { return "none" }
  switch error.code {
  case LAError.biometryLockout.rawValue: return "lockout"
  case LAError.Code.biometryNotEnrolled.rawValue: return "not enrolled"
  case Int(kLAErrorPasscodeNotSet): return "no passcode"
  default: return error.domain == LAErrorDomain ? "code \(error._code)" : "foreign"
  }
}

enum BiometricError: Error, LocalizedError, Equatable {
  case cancelled, fallback, lockout, unknown

  init(_ error: Error) {
    switch error {
    case LAError.userCancel, LAError.appCancel, LAError.systemCancel: self = .cancelled
    case LAError.userFallback: self = .fallback
    case LAError.biometryLockout: self = .lockout
    default: self = .unknown
    }
  }

  static func convert(error: NSError) -> BiometricError {
    BiometricError(LAError(_nsError: error))
  }
}

func rethrow(_ error: Error) -> String {
  do {
    throw error
  } catch let error as LAError where error.code == .notInteractive {
    return "notInteractive"
  } catch LAError.userCancel {
    return "userCancel"
  } catch let error as LAError {
    return "LAError \(error.code.rawValue) \(error.errorUserInfo.isEmpty)"
  } catch let error as NSError {
    return "\(error.domain) \(error.code)"
  }
}

func sampleErrors() -> [Error] {
  [LAError(.userCancel), LAError(.appCancel, userInfo: [:]), LAError(_nsError: NSError(domain: LAErrorDomain, code: -8))]
}
