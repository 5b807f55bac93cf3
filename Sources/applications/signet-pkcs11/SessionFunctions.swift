import CPKCS11

// Sessions. What each function is for: PKCS#11 2.40, section 5.6.

func openSession(
  _ slot: ck_slot_id_t, _ flags: ck_flags_t, _ place: UnsafeMutablePointer<ck_session_handle_t>?
) -> ck_rv_t {
  answer { module throws(Fault) in
    try Cryptoki.check(slot)
    let place = try unsafe given(place)
    guard flags & CKF_SERIAL_SESSION != 0 else { throw Fault(CKR_SESSION_PARALLEL_NOT_SUPPORTED) }
    unsafe place.pointee = try module.open(isReadWrite: flags & CKF_RW_SESSION != 0)
  }
}

func closeSession(_ handle: ck_session_handle_t) -> ck_rv_t {
  answer(in: handle) { module, _ throws(Fault) in module.close { $0.handle == handle } }
}

func closeSessions(_ slot: ck_slot_id_t) -> ck_rv_t {
  answer { module throws(Fault) in
    try Cryptoki.check(slot)
    module.close { _ in true }
  }
}

func tellSession(_ handle: ck_session_handle_t, _ place: UnsafeMutablePointer<ck_session_info>?) -> ck_rv_t {
  answer(in: handle) { module, session throws(Fault) in
    let place = try unsafe given(place)
    let readOnly = module.isLoggedIn ? CKS_RO_USER_FUNCTIONS : CKS_RO_PUBLIC_SESSION
    let readWrite = module.isLoggedIn ? CKS_RW_USER_FUNCTIONS : CKS_RW_PUBLIC_SESSION
    unsafe place.pointee = ck_session_info(
      slot_id: Cryptoki.slot, state: session.isReadWrite ? readWrite : readOnly,
      flags: CKF_SERIAL_SESSION | (session.isReadWrite ? CKF_RW_SESSION : 0), device_error: 0)
  }
}

/// Succeeds with any PIN, and looks at none: it releases nothing, for each signature is proved by itself.
func logIn(
  _ handle: ck_session_handle_t, _ user: ck_user_type_t, _ pin: UnsafeMutablePointer<UInt8>?, _ length: UInt
) -> ck_rv_t {
  answer(in: handle) { module, session throws(Fault) in
    _ = try unsafe given(pin, length)
    switch user {
    case CKU_USER:
      guard !module.isLoggedIn else { throw Fault(CKR_USER_ALREADY_LOGGED_IN) }
      module.isLoggedIn = true
    case CKU_CONTEXT_SPECIFIC:
      guard session.signing != nil else { throw Fault(CKR_OPERATION_NOT_INITIALIZED) }
    default: throw Fault(CKR_USER_TYPE_INVALID)
    }
  }
}

func logOut(_ handle: ck_session_handle_t) -> ck_rv_t {
  answer(in: handle) { module, _ throws(Fault) in
    guard module.isLoggedIn else { throw Fault(CKR_USER_NOT_LOGGED_IN) }
    module.isLoggedIn = false
  }
}
