import CLinux
import CPKCS11

// What the module and its one token are. What each function is for: PKCS#11 2.40, section 5.

/// What the module says of itself.
enum Cryptoki {
  static var version: ck_version { ck_version(major: 2, minor: 40) }
  static var slot: ck_slot_id_t { 0 }
  static var mechanisms: [ck_mechanism_type_t] { [CKM_EC_KEY_PAIR_GEN, CKM_ECDSA, CKM_ECDSA_SHA256] }

  static func check(_ slot: ck_slot_id_t) throws(Fault) {
    guard slot == self.slot else { throw Fault(CKR_SLOT_ID_INVALID) }
  }

  /// Writes a text to where the standard has as many spaces behind it as there is room.
  static func write<Field>(_ text: StaticString, to field: inout Field) {
    unsafe withUnsafeMutableBytes(of: &field) { bytes in
      for index in bytes.indices {
        unsafe bytes[index] = index < text.utf8CodeUnitCount ? unsafe text.utf8Start[index] : UInt8(ascii: " ")
      }
    }
  }
}

func initialize(_ pointer: UnsafeMutableRawPointer?) -> ck_rv_t {
  alone { () throws(Fault) in
    if let pointer = unsafe pointer { try unsafe check(pointer.load(as: ck_c_initialize_args.self)) }
    try Module.begin()
  }
}

/// The module starts no thread and locks by the system's mutexes: a program that demands its own ones is refused.
private func check(_ arguments: ck_c_initialize_args) throws(Fault) {
  guard unsafe arguments.reserved == nil else { throw Fault(CKR_ARGUMENTS_BAD) }
  let given =
    unsafe [
      arguments.create_mutex != nil, arguments.destroy_mutex != nil, arguments.lock_mutex != nil, arguments.unlock_mutex != nil,
    ]
  if !given.contains(true) { return }
  guard !given.contains(false) else { throw Fault(CKR_ARGUMENTS_BAD) }
  guard unsafe arguments.flags & CKF_OS_LOCKING_OK != 0 else { throw Fault(CKR_CANT_LOCK) }
}

func finalize(_ reserved: UnsafeMutableRawPointer?) -> ck_rv_t {
  answer { _ throws(Fault) in
    guard unsafe reserved == nil else { throw Fault(CKR_ARGUMENTS_BAD) }
    Module.end()
  }
}

func tellInfo(_ place: UnsafeMutablePointer<ck_info>?) -> ck_rv_t {
  answer { _ throws(Fault) in
    let place = try unsafe given(place)
    var info = ck_info()
    info.cryptoki_version = Cryptoki.version
    Cryptoki.write("Signet", to: &info.manufacturer_id)
    Cryptoki.write("Keys that sign by finger", to: &info.library_description)
    unsafe place.pointee = info
  }
}

// MARK: - the slot

/// Writes a list, or tells only how long it is, as the standard has it for all lists and values.
private func tell(_ list: [UInt], _ place: UnsafeMutablePointer<UInt>?, _ count: UnsafeMutablePointer<UInt>?) throws(Fault) {
  let count = try unsafe given(count)
  let room = unsafe count.pointee
  unsafe count.pointee = UInt(list.count)
  guard let place = unsafe place else { return }
  guard room >= UInt(list.count) else { throw Fault(CKR_BUFFER_TOO_SMALL) }
  for index in list.indices { unsafe place[index] = list[index] }
}

/// The token is said to be there whether or not signetd runs, which starts when it is asked: so that nothing is asked by a program that
/// only looks which tokens there are.
func listSlots(_ place: UnsafeMutablePointer<ck_slot_id_t>?, _ count: UnsafeMutablePointer<UInt>?) -> ck_rv_t {
  answer { _ throws(Fault) in try unsafe tell([Cryptoki.slot], place, count) }
}

func tellSlot(_ slot: ck_slot_id_t, _ place: UnsafeMutablePointer<ck_slot_info>?) -> ck_rv_t {
  answer { _ throws(Fault) in
    try Cryptoki.check(slot)
    let place = try unsafe given(place)
    var info = ck_slot_info()
    Cryptoki.write("Signet", to: &info.slot_description)
    Cryptoki.write("Signet", to: &info.manufacturer_id)
    info.flags = CKF_TOKEN_PRESENT
    unsafe place.pointee = info
  }
}

/// No login is required, so that no program asks for a PIN, and one that asks anyway is told that it has nothing to type.
func tellToken(_ slot: ck_slot_id_t, _ place: UnsafeMutablePointer<ck_token_info>?) -> ck_rv_t {
  answer { module throws(Fault) in
    try Cryptoki.check(slot)
    let place = try unsafe given(place)
    var info = ck_token_info()
    Cryptoki.write("Signet", to: &info.label)
    Cryptoki.write("Signet", to: &info.manufacturer_id)
    Cryptoki.write("vault", to: &info.model)
    Cryptoki.write("1", to: &info.serial_number)
    Cryptoki.write("", to: &info.utc_time)
    info.flags = CKF_TOKEN_INITIALIZED | CKF_USER_PIN_INITIALIZED | CKF_PROTECTED_AUTHENTICATION_PATH
    (info.max_session_count, info.max_rw_session_count) = (UInt(Module.sessionLimit), UInt(Module.sessionLimit))
    info.session_count = UInt(module.sessions.count)
    info.rw_session_count = UInt(module.sessions.count { $0.isReadWrite })
    info.max_pin_len = UInt(FieldLimit.passcode)
    (info.total_public_memory, info.free_public_memory) = (Attribute.unavailable, Attribute.unavailable)
    (info.total_private_memory, info.free_private_memory) = (Attribute.unavailable, Attribute.unavailable)
    unsafe place.pointee = info
  }
}

func listMechanisms(
  _ slot: ck_slot_id_t, _ place: UnsafeMutablePointer<ck_mechanism_type_t>?, _ count: UnsafeMutablePointer<UInt>?
) -> ck_rv_t {
  answer { _ throws(Fault) in
    try Cryptoki.check(slot)
    try unsafe tell(Cryptoki.mechanisms, place, count)
  }
}

func tellMechanism(
  _ slot: ck_slot_id_t, _ mechanism: ck_mechanism_type_t, _ place: UnsafeMutablePointer<ck_mechanism_info>?
) -> ck_rv_t {
  answer { _ throws(Fault) in
    try Cryptoki.check(slot)
    guard Cryptoki.mechanisms.contains(mechanism) else { throw Fault(CKR_MECHANISM_INVALID) }
    let place = try unsafe given(place)
    let use = mechanism == CKM_EC_KEY_PAIR_GEN ? CKF_GENERATE_KEY_PAIR : CKF_SIGN
    unsafe place.pointee = ck_mechanism_info(
      min_key_size: 256, max_key_size: 256, flags: use | CKF_EC_F_P | CKF_EC_NAMEDCURVE | CKF_EC_UNCOMPRESS)
  }
}
