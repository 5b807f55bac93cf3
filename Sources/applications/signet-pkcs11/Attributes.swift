import CPKCS11

/// The private or the public half of a key, as a program sees it.
struct KeyObject {
  let key: Key
  let isPrivate: Bool

  var handle: ck_object_handle_t { isPrivate ? key.handle : key.publicHandle }

  /// What an attribute has; `nil` for one that such an object has not.
  func value(_ type: ck_attribute_type_t) -> [UInt8]? {
    common(type) ?? (isPrivate ? ofPrivate(type) : ofPublic(type))
  }

  /// Whether it is an attribute that nobody is told.
  func isSecret(_ type: ck_attribute_type_t) -> Bool { isPrivate && type == CKA_VALUE }

  func matches(_ template: [Attribute]) -> Bool { template.allSatisfy { value($0.type) == $0.value } }

  private func common(_ type: ck_attribute_type_t) -> [UInt8]? {
    switch type {
    case CKA_CLASS: bytes(isPrivate ? CKO_PRIVATE_KEY : CKO_PUBLIC_KEY)
    case CKA_TOKEN, CKA_LOCAL: [1]
    case CKA_MODIFIABLE, CKA_COPYABLE, CKA_DERIVE: [0]
    // The pair is one item, and what is destroyed is the private half.
    case CKA_DESTROYABLE, CKA_PRIVATE: isPrivate ? [1] : [0]
    case CKA_LABEL: key.label
    case CKA_ID: key.identifier
    case CKA_KEY_TYPE: bytes(CKK_EC)
    case CKA_KEY_GEN_MECHANISM: bytes(CKM_EC_KEY_PAIR_GEN)
    case CKA_SUBJECT, CKA_START_DATE, CKA_END_DATE: []
    case CKA_EC_PARAMS: Curve.name
    // Of a private key no program may expect it; those that look for it there need not look for the public one.
    case CKA_EC_POINT: [0x04, UInt8(key.point.count)] + key.point
    case CKA_PUBLIC_KEY_INFO: Curve.publicKeyInfo(key.point)
    default: nil
    }
  }

  private func ofPrivate(_ type: ck_attribute_type_t) -> [UInt8]? {
    switch type {
    case CKA_SENSITIVE, CKA_ALWAYS_SENSITIVE, CKA_NEVER_EXTRACTABLE, CKA_SIGN: [1]
    // No PIN is asked for before a signature: the finger is, by signetd.
    case CKA_EXTRACTABLE, CKA_ALWAYS_AUTHENTICATE: [0]
    case CKA_DECRYPT, CKA_SIGN_RECOVER, CKA_UNWRAP, CKA_WRAP_WITH_TRUSTED: [0]
    default: nil
    }
  }

  private func ofPublic(_ type: ck_attribute_type_t) -> [UInt8]? {
    switch type {
    case CKA_VERIFY: [1]
    case CKA_ENCRYPT, CKA_VERIFY_RECOVER, CKA_WRAP, CKA_TRUSTED: [0]
    default: nil
    }
  }

  private func bytes(_ number: UInt) -> [UInt8] {
    (0..<UInt(MemoryLayout<UInt>.size)).map { UInt8(truncatingIfNeeded: number &>> (8 &* $0)) }
  }
}

/// P-256 in DER.
enum Curve {
  /// Its object identifier, 1.2.840.10045.3.1.7.
  static var name: [UInt8] { [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07] }
  /// That of public keys of curves, 1.2.840.10045.2.1.
  private static var keys: [UInt8] { [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01] }

  /// RFC 5480, section 2.
  static func publicKeyInfo(_ point: [UInt8]) -> [UInt8] {
    sequence(sequence(keys + name) + [0x03, UInt8(point.count + 1), 0] + point)
  }

  /// Of at most 127 bytes.
  private static func sequence(_ content: [UInt8]) -> [UInt8] { [0x30, UInt8(content.count)] + content }
}

/// An attribute that a program names.
struct Attribute {
  /// How many a program may name at once, and how long each may be: more than any object here has.
  static var countLimit: UInt { 64 }
  static var valueLimit: UInt { 4096 }
  /// The length of what is not told: CK_UNAVAILABLE_INFORMATION, which is a cast in C.
  static var unavailable: UInt { UInt.max }

  let type: ck_attribute_type_t
  let value: [UInt8]

  /// Copies what a program demands of an object.
  static func copy(_ start: UnsafeMutablePointer<ck_attribute>?, _ count: UInt) throws(Fault) -> [Attribute] {
    var copies: [Attribute] = []
    let given = try unsafe all(start, count)
    for index in given.indices {
      let one = unsafe given[index]
      guard unsafe one.value_len <= valueLimit, unsafe one.value != nil || one.value_len == 0 else {
        throw Fault(CKR_ATTRIBUTE_VALUE_INVALID)
      }
      let bytes = unsafe UnsafeRawBufferPointer(start: one.value, count: Int(one.value_len))
      unsafe copies.append(Attribute(type: one.type, value: Array(bytes)))
    }
    return copies
  }

  /// A program's template where it is.
  static func all(
    _ start: UnsafeMutablePointer<ck_attribute>?, _ count: UInt
  ) throws(Fault) -> UnsafeMutableBufferPointer<ck_attribute> {
    guard count <= countLimit, unsafe start != nil || count == 0 else { throw Fault(CKR_ARGUMENTS_BAD) }
    return unsafe UnsafeMutableBufferPointer(start: start, count: Int(count))
  }
}
