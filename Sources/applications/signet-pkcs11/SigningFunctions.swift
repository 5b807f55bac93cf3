import CPKCS11

// Signatures. What each function is for: PKCS#11 2.40, section 5.11.

/// A signature that is under way in a session.
final class Signing {
  private let key: Key
  private let hashes: Bool
  private var hash = SHA256.Parts()
  /// Where the program hashes by itself.
  private var digest: [UInt8] = []
  /// Whether the program gives in parts what is signed.
  private(set) var hasParts = false

  /// Bytes of a digest: from SHA-1's to SHA-512's.
  private static var digests: ClosedRange<Int> { 20...64 }

  private init(_ key: Key, hashes: Bool) {
    self.key = key
    self.hashes = hashes
  }

  /// Not an `init` that throws: in Embedded Swift the memory of an object that is given up half made is lost.
  static func begin(_ key: Key, _ mechanism: ck_mechanism) throws(Fault) -> Signing {
    let type = unsafe mechanism.mechanism
    guard type == CKM_ECDSA || type == CKM_ECDSA_SHA256 else { throw Fault(CKR_MECHANISM_INVALID) }
    guard unsafe mechanism.parameter == nil, unsafe mechanism.parameter_len == 0 else { throw Fault(CKR_MECHANISM_PARAM_INVALID) }
    return Signing(key, hashes: type == CKM_ECDSA_SHA256)
  }

  func add(_ data: UnsafeBufferPointer<UInt8>) throws(Fault) {
    hasParts = true
    if hashes { return unsafe hash.add(data.span) }
    guard data.count <= Signing.digests.upperBound &- digest.count else { throw Fault(CKR_DATA_LEN_RANGE) }
    unsafe digest.append(contentsOf: data)
  }

  /// Asks for what the key demands.
  func signature() throws(Fault) -> [UInt8] {
    if hashes { return try Vault.sign(hash.digest(), with: key) }
    guard Signing.digests.contains(digest.count) else { throw Fault(CKR_DATA_LEN_RANGE) }
    return try Vault.sign(Signing.fitted(digest), with: key)
  }

  /// The number that ECDSA takes of a digest that is longer or shorter than the curve's numbers (FIPS 186-4, section 6.4).
  private static func fitted(_ digest: [UInt8]) -> [UInt8] {
    let zeros = max(0, ItemLimit.digest - digest.count)
    return [UInt8](repeating: 0, count: zeros) + digest.prefix(ItemLimit.digest)
  }
}

func beginSignature(
  _ handle: ck_session_handle_t, _ mechanism: UnsafeMutablePointer<ck_mechanism>?, _ key: ck_object_handle_t
) -> ck_rv_t {
  answer(in: handle) { module, session throws(Fault) in
    let mechanism = try unsafe given(mechanism)
    guard session.signing == nil else { throw Fault(CKR_OPERATION_ACTIVE) }
    guard let object = try? module.keys.object(key) else { throw Fault(CKR_KEY_HANDLE_INVALID) }
    guard object.isPrivate else { throw Fault(CKR_KEY_FUNCTION_NOT_PERMITTED) }
    session.signing = try unsafe Signing.begin(object.key, mechanism.pointee)
  }
}

func sign(
  _ handle: ck_session_handle_t, _ data: UnsafeMutablePointer<UInt8>?, _ count: UInt, _ place: UnsafeMutablePointer<UInt8>?,
  _ length: UnsafeMutablePointer<UInt>?
) -> ck_rv_t {
  answer(in: handle) { _, session throws(Fault) in
    let signing = try session.ending { $0.hasParts }
    try unsafe finish(signing, of: session, place, length) { () throws(Fault) in
      try unsafe signing.add(given(data, count))
    }
  }
}

func addToSignature(_ handle: ck_session_handle_t, _ part: UnsafeMutablePointer<UInt8>?, _ count: UInt) -> ck_rv_t {
  answer(in: handle) { _, session throws(Fault) in
    guard let signing = session.signing else { throw Fault(CKR_OPERATION_NOT_INITIALIZED) }
    session.signing = nil
    try unsafe signing.add(given(part, count))
    session.signing = signing
  }
}

func endSignature(
  _ handle: ck_session_handle_t, _ place: UnsafeMutablePointer<UInt8>?, _ length: UnsafeMutablePointer<UInt>?
) -> ck_rv_t {
  answer(in: handle) { _, session throws(Fault) in
    try unsafe finish(session.ending { _ in false }, of: session, place, length) { () throws(Fault) in }
  }
}

extension Session {
  /// The signature that is under way.
  fileprivate func ending(_ isOtherwise: (Signing) -> Bool) throws(Fault) -> Signing {
    guard let signing else { throw Fault(CKR_OPERATION_NOT_INITIALIZED) }
    guard !isOtherwise(signing) else { throw Fault(CKR_OPERATION_ACTIVE) }
    return signing
  }
}

/// Signs, which ends the signature whatever comes of it; only the question how long it is, and too little room, leave it under way.
private func finish(
  _ signing: Signing, of session: Session, _ place: UnsafeMutablePointer<UInt8>?, _ length: UnsafeMutablePointer<UInt>?,
  adding: () throws(Fault) -> Void
) throws(Fault) {
  let length = try unsafe given(length)
  let room = unsafe length.pointee
  guard let place = unsafe place, room >= UInt(ItemLimit.signature) else {
    unsafe length.pointee = UInt(ItemLimit.signature)
    if unsafe place != nil { throw Fault(CKR_BUFFER_TOO_SMALL) }
    return
  }
  session.signing = nil
  try adding()
  let signature = try signing.signature()
  unsafe place.update(from: signature, count: signature.count)
  unsafe length.pointee = UInt(signature.count)
}
