import Foundation
import SignetTestKit
import Testing

@testable import Security

/// Certificates that OpenSSL made, of keys on P-256 and of others.
@Suite struct SecCertificateTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A certificate for a subject, in DER.
  private func made(_ subject: String, _ kind: String = "ec -pkeyopt ec_paramgen_curve:P-256") throws -> Data {
    let words =
      "openssl req -x509 -newkey \(kind) -nodes -keyout key.pem -outform DER -out certificate -utf8 -subj \"$1\" -days 1"
    let shell = ["/bin/sh", "-c", "cd \(folder.path) && exec \(words) 2> said", "sh", subject]
    #expect(try Program(shell, environment: ["PATH=/usr/bin:/bin"]).waitForExit() == 0)
    return try Data(contentsOf: URL(fileURLWithPath: folder.path + "/certificate"))
  }

  private func read(_ data: Data) -> SecCertificate? { SecCertificateCreateWithData(nil, data as CFData) }

  @Test func `a certificate tells its subject and its bytes, and its key verifies what its private half signed`() throws {
    let data = try made("/C=DE/O=Example/OU=Keys/CN=Zoë")
    let certificate = try #require(read(data))
    #expect(SecCertificateCopyData(certificate) as Data == data && certificate == read(data))
    #expect(SecCertificateCopySubjectSummary(certificate) as String? == "Zoë")
    var name: CFString?
    #expect(SecCertificateCopyCommonName(certificate, &name) == errSecSuccess && name as String? == "Zoë")
    #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
    let words = "printf message > message && openssl dgst -sha256 -sign key.pem -out signature message"
    let shell = ["/bin/sh", "-c", "cd \(folder.path) && \(words)"]
    #expect(try Program(shell, environment: ["PATH=/usr/bin:/bin"]).waitForExit() == 0)
    let signature = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/signature"))
    let key = try #require(SecCertificateCopyKey(certificate))
    let message = Data("message".utf8) as CFData
    #expect(SecKeyVerifySignature(key, .ecdsaSignatureMessageX962SHA256, message, signature as CFData, nil))
  }

  @Test func `a subject without a common name is called by what it has, and a key of another kind is none`() throws {
    let unit = try #require(read(try made("/O=Example/OU=Keys")))
    #expect(SecCertificateCopySubjectSummary(unit) as String? == "Keys")
    var name: CFString? = "before"
    #expect(SecCertificateCopyCommonName(unit, &name) == errSecSuccess && name == nil)
    let other = try #require(read(try made("/O=Example", "rsa:2048")))
    #expect(SecCertificateCopySubjectSummary(other) as String? == "Example" && SecCertificateCopyKey(other) == nil)
    #expect(SecCertificateCopyKey(try #require(read(try made("/CN=x", "ec -pkeyopt ec_paramgen_curve:P-384")))) == nil)
    #expect(SecCertificateCopySubjectSummary(try #require(read(try made("/")))) == nil)
  }

  @Test func `what is no certificate, or more than one, is none`() throws {
    let data = try made("/CN=x")
    for other in [Data(), Data([0x30]), Data(data.dropLast()), data + [0], data + data, Data(repeating: 0x30, count: 10_000)] {
      #expect(read(other) == nil)
    }
  }

  @Test func `an identity is a certificate and the private half of its key`() throws {
    let certificate = try #require(read(try made("/CN=x")))
    let words = "openssl ec -in key.pem -outform DER 2> said | tail -c +8 | head -c 32 > number"
    #expect(
      try Program(["/bin/sh", "-c", "cd \(folder.path) && \(words)"], environment: ["PATH=/usr/bin:/bin"]).waitForExit() == 0)
    let number = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/number"))
    let point = Data(try #require(SecCertificateCopyKey(certificate)).point)
    let key = try SecKey(privateHalf: point + number)
    let identity = try #require(SecIdentityCreate(nil, certificate, key))
    var (foundKey, found): (SecKey?, SecCertificate?)
    #expect(SecIdentityCopyPrivateKey(identity, &foundKey) == errSecSuccess && foundKey == key)
    #expect(SecIdentityCopyCertificate(identity, &found) == errSecSuccess && found == certificate)
    #expect(CFGetTypeID(identity) == SecIdentityGetTypeID())
    let other = SecKeyCreateRandomKey([kSecAttrKeyType: kSecAttrKeyTypeEC] as NSDictionary, nil)!
    #expect(SecIdentityCreate(nil, certificate, other) == nil)
    #expect(SecIdentityCreate(nil, certificate, SecKeyCopyPublicKey(key)!) == nil)
  }
}
