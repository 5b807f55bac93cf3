import CPKCS11

// Looking for keys, and at them. What each function is for: PKCS#11 2.40, section 5.7.

/// What a session's search has found, and has not told yet.
struct Search {
  var found: [ck_object_handle_t]
}

/// Asks signetd which keys there are now. Nothing has to be proved for that.
func beginSearch(_ handle: ck_session_handle_t, _ start: UnsafeMutablePointer<ck_attribute>?, _ count: UInt) -> ck_rv_t {
  answer(in: handle) { module, session throws(Fault) in
    guard session.search == nil else { throw Fault(CKR_OPERATION_ACTIVE) }
    let template = try unsafe Attribute.copy(start, count)
    module.keys.update(try Vault.list())
    session.search = Search(found: module.keys.objects.filter { $0.matches(template) }.map { $0.handle })
  }
}

func search(
  _ handle: ck_session_handle_t, _ place: UnsafeMutablePointer<ck_object_handle_t>?, _ room: UInt,
  _ count: UnsafeMutablePointer<UInt>?
) -> ck_rv_t {
  answer(in: handle) { _, session throws(Fault) in
    let (place, count) = try unsafe (given(place), given(count))
    guard let found = session.search?.found else { throw Fault(CKR_OPERATION_NOT_INITIALIZED) }
    let told = min(Int(clamping: room), found.count)
    for index in 0..<told { unsafe place[index] = found[index] }
    session.search = Search(found: Array(found.dropFirst(told)))
    unsafe count.pointee = UInt(told)
  }
}

func endSearch(_ handle: ck_session_handle_t) -> ck_rv_t {
  answer(in: handle) { _, session throws(Fault) in
    guard session.search != nil else { throw Fault(CKR_OPERATION_NOT_INITIALIZED) }
    session.search = nil
  }
}

/// Tells of each attribute what can be told, also where another one cannot.
func tellAttributes(
  _ handle: ck_session_handle_t, _ object: ck_object_handle_t, _ start: UnsafeMutablePointer<ck_attribute>?, _ count: UInt
) -> ck_rv_t {
  answer(in: handle) { module, _ throws(Fault) in
    let object = try module.keys.object(object)
    let template = try unsafe Attribute.all(start, count)
    var fault: Fault?
    for index in template.indices {
      do throws(Fault) { try unsafe tell(&template[index], of: object) } catch {
        unsafe template[index].value_len = Attribute.unavailable
        fault = error
      }
    }
    if let fault { throw fault }
  }
}

private func tell(_ attribute: inout ck_attribute, of object: KeyObject) throws(Fault) {
  let type = unsafe attribute.type
  guard !object.isSecret(type) else { throw Fault(CKR_ATTRIBUTE_SENSITIVE) }
  guard let value = object.value(type) else { throw Fault(CKR_ATTRIBUTE_TYPE_INVALID) }
  if let place = unsafe attribute.value {
    // A program may have kept the length that it was told of a failure.
    let room = unsafe attribute.value_len
    guard room >= UInt(value.count), room != Attribute.unavailable else { throw Fault(CKR_BUFFER_TOO_SMALL) }
    unsafe place.copyMemory(from: value, byteCount: value.count)
  }
  unsafe attribute.value_len = UInt(value.count)
}

/// Deletes a key, for which nothing has to be proved.
func destroy(_ handle: ck_session_handle_t, _ object: ck_object_handle_t) -> ck_rv_t {
  answer(in: handle) { module, session throws(Fault) in
    let object = try module.keys.object(object)
    guard session.isReadWrite else { throw Fault(CKR_SESSION_READ_ONLY) }
    guard object.isPrivate else { throw Fault(CKR_ACTION_PROHIBITED) }
    try Vault.delete(object.key)
    module.keys.remove(object.key)
  }
}
