import CPKCS11

/// Why a function of the module fails: its return value (`CKR_…`).
struct Fault: Error {
  let code: ck_rv_t

  init(_ code: ck_rv_t) { self.code = code }

  /// Of a request of signetd's.
  ///
  /// That the user is not logged in is said only where nobody can be asked: everywhere else the finger is asked for, and no PIN would help.
  init(_ error: ContextError) {
    switch error {
    case .client(.silent), .client(.overdue): self.init(CKR_DEVICE_ERROR)
    case .client(.busy): self.init(CKR_FUNCTION_FAILED)
    case .client(.cancelled), .cancelled, .invalidated: self.init(CKR_FUNCTION_CANCELED)
    case .client: self.init(CKR_DEVICE_REMOVED)
    case .refused(let refusal): self.init(refusal)
    case .notInteractive: self.init(CKR_USER_NOT_LOGGED_IN)
    case .unusable: self.init(CKR_ARGUMENTS_BAD)
    case .inUse: self.init(CKR_FUNCTION_FAILED)
    case .noMemory: self.init(CKR_HOST_MEMORY)
    }
  }

  private init(_ refusal: RefusalCode) {
    switch refusal {
    case .cancelled: self.init(CKR_FUNCTION_CANCELED)
    case .locked, .passcodeDelayed: self.init(CKR_PIN_LOCKED)
    case .notVerified, .passcodeFailed: self.init(CKR_PIN_INCORRECT)
    case .passcodeExpired: self.init(CKR_PIN_EXPIRED)
    case .passcodeNotSet: self.init(CKR_USER_PIN_NOT_INITIALIZED)
    case .interactionNotAllowed: self.init(CKR_USER_NOT_LOGGED_IN)
    case .notFound, .fingersChanged: self.init(CKR_KEY_HANDLE_INVALID)
    case .duplicateItem: self.init(CKR_ATTRIBUTE_VALUE_INVALID)
    case .vaultFull: self.init(CKR_DEVICE_MEMORY)
    case .noMemory: self.init(CKR_HOST_MEMORY)
    case .keyNotSigned: self.init(CKR_DEVICE_ERROR)
    default: self.init(CKR_FUNCTION_FAILED)
    }
  }
}
