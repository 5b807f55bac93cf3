import CPKCS11

// Making a key. What the function is for: PKCS#11 2.40, section 5.13.

func makeKey(
  _ handle: ck_session_handle_t, _ mechanism: UnsafeMutablePointer<ck_mechanism>?,
  _ publicStart: UnsafeMutablePointer<ck_attribute>?, _ publicCount: UInt,
  _ privateStart: UnsafeMutablePointer<ck_attribute>?, _ privateCount: UInt,
  _ publicPlace: UnsafeMutablePointer<ck_object_handle_t>?, _ privatePlace: UnsafeMutablePointer<ck_object_handle_t>?
) -> ck_rv_t {
  answer(in: handle) { module, session throws(Fault) in
    let mechanism = try unsafe given(mechanism).pointee
    let (publicPlace, privatePlace) = try unsafe (given(publicPlace), given(privatePlace))
    guard unsafe mechanism.mechanism == CKM_EC_KEY_PAIR_GEN else { throw Fault(CKR_MECHANISM_INVALID) }
    guard unsafe mechanism.parameter == nil, unsafe mechanism.parameter_len == 0 else { throw Fault(CKR_MECHANISM_PARAM_INVALID) }
    guard session.isReadWrite else { throw Fault(CKR_SESSION_READ_ONLY) }
    let demands = try unsafe KeyDemands(Attribute.copy(publicStart, publicCount), Attribute.copy(privateStart, privateCount))
    var item = Item(try demands.name(), accessControl: AccessControl(.userPresence))
    item.attributes = try Vault.make(item)
    let key = module.keys.add(item)
    unsafe publicPlace.pointee = key.publicHandle
    unsafe privatePlace.pointee = key.handle
  }
}

/// What a program demands of a key that is to be made: a label, perhaps an identifier, and nothing that the key would not be.
private struct KeyDemands {
  private let ofPublic: [Attribute]
  private let ofPrivate: [Attribute]

  init(_ ofPublic: [Attribute], _ ofPrivate: [Attribute]) throws(Fault) {
    self.ofPublic = ofPublic
    self.ofPrivate = ofPrivate
    guard let curve = ofPublic.first(where: { $0.type == CKA_EC_PARAMS }) else { throw Fault(CKR_TEMPLATE_INCOMPLETE) }
    guard curve.value == Curve.name else { throw Fault(CKR_CURVE_NOT_SUPPORTED) }
    // Of a key without a point: what belongs to the point cannot be demanded.
    let none = Key(name: ItemName(kind: .key, service: "", account: ""), point: [], handle: 0)
    try KeyDemands.check(ofPublic, KeyObject(key: none, isPrivate: false))
    try KeyDemands.check(ofPrivate, KeyObject(key: none, isPrivate: true))
  }

  private static func check(_ demands: [Attribute], _ object: KeyObject) throws(Fault) {
    for demand in demands where demand.type != CKA_LABEL && demand.type != CKA_ID {
      switch demand.type {
      case CKA_EC_POINT, CKA_PUBLIC_KEY_INFO, CKA_VALUE: throw Fault(CKR_ATTRIBUTE_READ_ONLY)
      default: break
      }
      guard let value = object.value(demand.type) else { throw Fault(CKR_ATTRIBUTE_TYPE_INVALID) }
      guard value == demand.value else { throw Fault(CKR_TEMPLATE_INCONSISTENT) }
    }
  }

  func name() throws(Fault) -> ItemName {
    guard let label = try demanded(CKA_LABEL) else { throw Fault(CKR_TEMPLATE_INCOMPLETE) }
    guard !label.isEmpty, label.count <= ItemLimit.name, ForeignText.isHarmless(label.span) else {
      throw Fault(CKR_ATTRIBUTE_VALUE_INVALID)
    }
    var account = ""
    if let bytes = try demanded(CKA_ID), !bytes.isEmpty {
      guard let identifier = KeyIdentifier(bytes) else { throw Fault(CKR_ATTRIBUTE_VALUE_INVALID) }
      account = identifier.account
    }
    return ItemName(kind: .key, service: String(decoding: label, as: UTF8.self), account: account)
  }

  /// What both halves have in common; one of the two may leave it out.
  private func demanded(_ type: ck_attribute_type_t) throws(Fault) -> [UInt8]? {
    let all = (ofPublic + ofPrivate).filter { $0.type == type }
    guard all.allSatisfy({ $0.value == all[0].value }) else { throw Fault(CKR_TEMPLATE_INCONSISTENT) }
    return all.first?.value
  }
}
