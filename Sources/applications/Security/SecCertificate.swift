import CCrypto
import SignetCoreFoundation

/// A certificate of X.509. What it says can be read; nothing here says whether to trust it, and none is kept. Immutable, so any thread may use
/// it.
public final class SecCertificate: NSObject, Sendable {
  fileprivate let bytes: Data

  fileprivate init(_ bytes: Data) { self.bytes = bytes }

  /// What libcrypto reads of it. The bytes are a certificate's, and the buffers as long as it is told: that is each `unsafe` of this file.
  fileprivate func read<Value>(_ body: (UnsafePointer<UInt8>, Int) -> Value) -> Value {
    unsafe bytes.withUnsafeBytes { bytes in unsafe body(bytes.baseAddress!.assumingMemoryBound(to: UInt8.self), bytes.count) }
  }

  /// Of the subject; `nil` where it has none.
  fileprivate func subject(_ part: ccertificate_part) -> String? {
    var text = [CChar](repeating: 0, count: 1024)
    let count = unsafe read { bytes, length in unsafe ccertificate_subject(bytes, length, part, &text, text.count) }
    return count > 0 ? String(decoding: text.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
  }

  public override func isEqual(_ object: Any?) -> Bool { (object as? SecCertificate)?.bytes == bytes }
  public override var hash: Int { bytes.hashValue }
  public override var description: String { "<SecCertificate: \(SecCertificateCopySubjectSummary(self) ?? "without a name")>" }
}

extension SecCertificate: CoreFoundationObject {
  package static let typeID: CFTypeID = 303
}

/// What `CFGetTypeID` says of a certificate.
public func SecCertificateGetTypeID() -> CFTypeID { SecCertificate.typeID }

/// The certificate that these bytes are in DER; `nil` where they are none, or OpenSSL's library (libcrypto.so.3) is not installed.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
  let certificate = SecCertificate(data as Data)
  guard !certificate.bytes.isEmpty, unsafe certificate.read({ unsafe ccertificate_check($0, $1) }) == Int32(CCRYPTO_OK) else {
    return nil
  }
  return certificate
}

/// A certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.bytes as CFData }

/// What a certificate's subject is called, for people: its common name, or else its unit, organization or address.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
  for part in [CCERTIFICATE_NAME, CCERTIFICATE_UNIT, CCERTIFICATE_ORGANIZATION, CCERTIFICATE_EMAIL] {
    if let text = certificate.subject(part) { return text as CFString }
  }
  return nil
}

/// The common name of a certificate's subject.
///
/// - Parameter commonName: where to put it; `nil` where there is none.
@discardableResult
public func SecCertificateCopyCommonName(
  _ certificate: SecCertificate, _ commonName: UnsafeMutablePointer<CFString?>
) -> OSStatus {
  unsafe commonName.pointee = certificate.subject(CCERTIFICATE_NAME).map { $0 as CFString }
  return errSecSuccess
}

/// A certificate's key; `nil` where that is none of P-256.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? {
  var point = [UInt8](repeating: 0, count: Int(CES256_PUBLIC))
  let code = unsafe certificate.read { bytes, length in unsafe ccertificate_key(bytes, length, &point) }
  return code == Int32(CCRYPTO_OK) ? SecKey(.publicHalf, P256.point(point)) : nil
}

/// A certificate, and the private half of its key.
public final class SecIdentity: NSObject, Sendable {
  fileprivate let certificate: SecCertificate
  fileprivate let key: SecKey

  fileprivate init(_ certificate: SecCertificate, _ key: SecKey) { (self.certificate, self.key) = (certificate, key) }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? SecIdentity else { return false }
    return certificate == other.certificate && key == other.key
  }

  public override var hash: Int { certificate.hash }
  public override var description: String { "<SecIdentity: \(certificate)>" }
}

extension SecIdentity: CoreFoundationObject {
  package static let typeID: CFTypeID = 304
}

/// What `CFGetTypeID` says of an identity.
public func SecIdentityGetTypeID() -> CFTypeID { SecIdentity.typeID }

/// The identity of a certificate and the private half of its key; `nil` where the two do not belong together.
public func SecIdentityCreate(_ allocator: CFAllocator?, _ certificate: SecCertificate, _ privateKey: SecKey) -> SecIdentity? {
  guard privateKey.isPrivate, SecCertificateCopyKey(certificate)?.point == privateKey.point else { return nil }
  return SecIdentity(certificate, privateKey)
}

/// The identity of a certificate whose private half this program's keychain has.
///
/// - Parameter keychainOrArray: taken without effect: there is one keychain.
/// - Returns: `errSecItemNotFound` where there is no such key, and the errors of `SecItemCopyMatching`.
@discardableResult
public func SecIdentityCreateWithCertificate(
  _ keychainOrArray: CFTypeRef?, _ certificateRef: SecCertificate, _ identityRef: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
  guard let publicHalf = SecCertificateCopyKey(certificateRef), let label = KeychainItem.label(ofPoint: publicHalf.point) else {
    return errSecItemNotFound
  }
  let query: [CFString: Any] = unsafe [
    kSecClass: kSecClassKey, kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecAttrApplicationLabel: label.object,
    kSecReturnRef: true,
  ]
  var found: CFTypeRef?
  let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
  guard status == errSecSuccess, let key = found as? SecKey else { return status == errSecSuccess ? errSecItemNotFound : status }
  unsafe identityRef.pointee = SecIdentityCreate(nil, certificateRef, key)
  return errSecSuccess
}

/// The certificate of an identity.
@discardableResult
public func SecIdentityCopyCertificate(
  _ identityRef: SecIdentity, _ certificateRef: UnsafeMutablePointer<SecCertificate?>
) -> OSStatus {
  unsafe certificateRef.pointee = identityRef.certificate
  return errSecSuccess
}

/// The private half of an identity's key.
@discardableResult
public func SecIdentityCopyPrivateKey(_ identityRef: SecIdentity, _ privateKeyRef: UnsafeMutablePointer<SecKey?>) -> OSStatus {
  unsafe privateKeyRef.pointee = identityRef.key
  return errSecSuccess
}
