import Foundation
import SignetVocabulary
import Testing

@testable import Security

private let tag = Data("org.example.key".utf8)

/// What most programs ask for, with some more about the private half.
private func parameters(_ own: [CFString: Any] = [:], _ more: [CFString: Any] = [:]) -> [CFString: Any] {
  let all: [CFString: Any] = [
    kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256, kSecPrivateKeyAttrs: own,
  ]
  return all.merging(more) { $1 }
}

private func permanent(_ more: [CFString: Any] = [:]) -> [CFString: Any] {
  parameters([kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag].merging(more) { $1 })
}

private func bytes(_ hexadecimal: String) -> Data {
  Data(stride(from: 0, to: hexadecimal.count, by: 2).map { UInt8(hexadecimal.dropFirst($0).prefix(2), radix: 16)! })
}

/// The code of the error that a call leaves.
private func code<Value>(_ call: (inout Unmanaged<CFError>?) -> Value?) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard call(&error) == nil else { return errSecSuccess }
  let reason = error!.takeRetainedValue()
  #expect(reason.domain == NSOSStatusErrorDomain && !reason.localizedDescription.isEmpty)
  return OSStatus(reason.code)
}

/// Keys that lie in the program's memory.
@Suite struct SecKeyTests {
  private func made() throws -> (SecKey, SecKey) {
    let key = try #require(SecKeyCreateRandomKey(parameters() as CFDictionary, nil))
    return (key, try #require(SecKeyCopyPublicKey(key)))
  }

  private func key(_ data: Data, _ keyClass: CFString) -> SecKey? {
    SecKeyCreateWithData(
      data as CFData, [kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: keyClass] as NSDictionary, nil)
  }

  @Test func `what one half signs the other verifies, and nothing else`() throws {
    let (key, publicKey) = try made()
    let message = Data("what is signed".utf8) as CFData
    for algorithm: SecKeyAlgorithm in [
      .ecdsaSignatureMessageX962SHA1, .ecdsaSignatureMessageX962SHA224, .ecdsaSignatureMessageX962SHA256,
      .ecdsaSignatureMessageX962SHA384, .ecdsaSignatureMessageX962SHA512, .ecdsaSignatureMessageRFC4754SHA256,
    ] {
      #expect(SecKeyIsAlgorithmSupported(key, .sign, algorithm) && SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
      let signature = try #require(SecKeyCreateSignature(key, algorithm, message, nil))
      #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, nil))
      var error: Unmanaged<CFError>?
      #expect(!SecKeyVerifySignature(publicKey, algorithm, Data("other".utf8) as CFData, signature, &error))
      #expect(error?.takeRetainedValue().code == Int(errSecVerifyFailed))
      for changed in [Data((signature as Data).dropLast()), signature as Data + [0], Data(), Data(count: 1000)] {
        #expect(!SecKeyVerifySignature(publicKey, algorithm, message, changed as CFData, nil))
      }
      #expect(!SecKeyVerifySignature(try made().1, algorithm, message, signature, nil))
    }
  }

  /// RFC 6979, A.2.5: r and s of "sample".
  private static let signed: [(SecKeyAlgorithm, String, String)] = [
    (
      .ecdsaSignatureMessageRFC4754SHA1, "61340c88c3aaebeb4f6d667f672ca9759a6ccaa9fa8811313039ee4a35471d32",
      "6d7f147dac089441bb2e2fe8f7a3fa264b9c475098fdcf6e00d7c996e1b8b7eb"
    ),
    (
      .ecdsaSignatureMessageRFC4754SHA224, "53b2fff5d1752b2c689df257c04c40a587fababb3f6fc2702f1343af7ca9aa3f",
      "b9afb64fdc03dc1a131c7d2386d11e349f070aa432a4acc918bea988bf75c74c"
    ),
    (
      .ecdsaSignatureMessageRFC4754SHA256, "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
      "f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
    ),
    (
      .ecdsaSignatureMessageRFC4754SHA384, "0eafea039b20e9b42309fb1d89e213057cbf973dc0cfc8f129edddc800ef7719",
      "4861f0491e6998b9455193e34e7b0d284ddd7149a74b95b9261f13abde940954"
    ),
    (
      .ecdsaSignatureMessageRFC4754SHA512, "8496a60b5e9b47c825488827e0495b0e3fa109ec4568fd3f8d1097678eb97f00",
      "2362ab1adbe2b8adf9cb9edab740ea6049c028114f2460f96554f61fae3302fe"
    ),
  ]

  @Test(arguments: signed)
  func `signatures of other implementations are verified, with each hash`(algorithm: SecKeyAlgorithm, r: String, s: String) throws
  {
    let x = "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    let y = "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    let point = bytes("04" + x + y)
    let publicKey = try #require(key(point, kSecAttrKeyClassPublic))
    #expect(SecKeyVerifySignature(publicKey, algorithm, Data("sample".utf8) as CFData, bytes(r + s) as CFData, nil))
    let secret = bytes("c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")
    let privateKey = try #require(key(point + secret, kSecAttrKeyClassPrivate))
    let own = try #require(SecKeyCreateSignature(privateKey, algorithm, Data("sample".utf8) as CFData, nil))
    #expect(SecKeyVerifySignature(publicKey, algorithm, Data("sample".utf8) as CFData, own, nil))
    #expect(SecKeyCopyPublicKey(privateKey)?.isEqual(publicKey) == true && !privateKey.isEqual(publicKey))
  }

  @Test func `a digest has the length that the algorithm says`() throws {
    let (key, publicKey) = try made()
    let digest = Data(repeating: 7, count: 32) as CFData
    let signature = try #require(SecKeyCreateSignature(key, .ecdsaSignatureDigestX962SHA256, digest, nil))
    #expect(SecKeyVerifySignature(publicKey, .ecdsaSignatureDigestX962, digest, signature, nil))
    for (algorithm, length) in [
      (SecKeyAlgorithm.ecdsaSignatureDigestX962SHA256, 31), (.ecdsaSignatureDigestX962SHA256, 33),
      (.ecdsaSignatureDigestX962SHA1, 32),
      (.ecdsaSignatureDigestX962, 33), (.ecdsaSignatureRFC4754, 0), (.ecdsaSignatureDigestRFC4754, 100_000),
    ] {
      #expect(code { SecKeyCreateSignature(key, algorithm, Data(count: length) as CFData, &$0) } == errSecParam, "\(length)")
    }
  }

  @Test func `a key's bytes make it again, and others make none`() throws {
    let (key, publicKey) = try made()
    let whole = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
    let point = try #require(SecKeyCopyExternalRepresentation(publicKey, nil)) as Data
    #expect(whole.count == 97 && point.count == 65 && whole.starts(with: point))
    #expect(self.key(whole, kSecAttrKeyClassPrivate)?.isEqual(key) == true)
    #expect(self.key(point, kSecAttrKeyClassPublic)?.isEqual(publicKey) == true)
    var changed = whole
    changed[96] ^= 1
    let zero = point + Data(count: 32)
    for data in [changed, zero, point, whole + [0], Data(), Data([5]) + whole.dropFirst()] {
      #expect(self.key(data, kSecAttrKeyClassPrivate) == nil)
    }
    for data in [Data(point.dropLast()), point + [0], Data(), Data([4]) + Data(repeating: 1, count: 64), whole] {
      #expect(self.key(data, kSecAttrKeyClassPublic) == nil)
    }
    #expect(self.key(point, kSecAttrKeyClassSymmetric) == nil)
  }

  @Test func `two keys agree on the same, and derive from it as X9_63 says`() throws {
    let (one, onePublic) = try made()
    let (two, twoPublic) = try made()
    let none = [:] as NSDictionary
    let shared = SecKeyCopyKeyExchangeResult(one, .ecdhKeyExchangeStandard, twoPublic, none, nil)
    #expect(shared?.length == 32 && shared == SecKeyCopyKeyExchangeResult(two, .ecdhKeyExchangeCofactor, onePublic, none, nil))
    #expect(code { SecKeyCopyKeyExchangeResult(one, .ecdhKeyExchangeStandardX963SHA256, twoPublic, none, &$0) } == errSecParam)
    let wanted: [CFString: Any] = [
      SecKeyKeyExchangeParameter.requestedSize.rawValue: 50, SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data([9]),
    ]
    let derived =
      try #require(
        SecKeyCopyKeyExchangeResult(one, .ecdhKeyExchangeStandardX963SHA256, twoPublic, wanted as NSDictionary, nil)) as Data
    let parts = try (1...2).map { try Data(P256.hash(try #require(shared) as Data + [0, 0, 0, UInt8($0), 9], 32)) }
    #expect(derived == (parts[0] + parts[1]).prefix(50))
  }

  @Test(arguments: [
    SecKeyAlgorithm.eciesEncryptionStandardX963SHA1AESGCM, .eciesEncryptionCofactorX963SHA256AESGCM,
    .eciesEncryptionStandardVariableIVX963SHA224AESGCM, .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
    .eciesEncryptionStandardVariableIVX963SHA512AESGCM,
  ])
  func `what is encrypted for a public half its private half decrypts, and nothing that was altered`(algorithm: SecKeyAlgorithm)
    throws
  {
    let (key, publicKey) = try made()
    #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, algorithm) && SecKeyIsAlgorithmSupported(key, .decrypt, algorithm))
    #expect(!SecKeyIsAlgorithmSupported(key, .encrypt, algorithm) && !SecKeyIsAlgorithmSupported(publicKey, .decrypt, algorithm))
    for message in [Data(), Data("what nobody else reads".utf8), Data(repeating: 7, count: 100_000)] {
      let encrypted = try #require(SecKeyCreateEncryptedData(publicKey, algorithm, message as CFData, nil)) as Data
      #expect(encrypted.count == 65 + message.count + 16 && encrypted.first == 4)
      #expect(SecKeyCreateDecryptedData(key, algorithm, encrypted as CFData, nil) as Data? == message)
      for index in [1, 64, 65, encrypted.count - 1] {
        var altered = encrypted
        altered[index] ^= 1
        #expect(code { SecKeyCreateDecryptedData(key, algorithm, altered as CFData, &$0) } == errSecParam, "\(index)")
      }
      for part in [encrypted.dropLast(), encrypted.prefix(80), Data()] {
        #expect(code { SecKeyCreateDecryptedData(key, algorithm, Data(part) as CFData, &$0) } == errSecParam)
      }
      #expect(code { SecKeyCreateDecryptedData(try! made().0, algorithm, encrypted as CFData, &$0) } == errSecParam)
    }
    #expect(code { SecKeyCreateEncryptedData(key, algorithm, Data() as CFData, &$0) } == errSecParam)
    #expect(code { SecKeyCreateDecryptedData(publicKey, algorithm, Data() as CFData, &$0) } == errSecParam)
  }

  @Test func `what no key here does is no algorithm of it`() throws {
    let (key, publicKey) = try made()
    for algorithm: SecKeyAlgorithm in [
      .rsaSignatureMessagePKCS1v15SHA256, .eciesEncryptionStandardX963SHA256AESGCM, .ecdhKeyExchangeStandard,
      SecKeyAlgorithm("algid:sign:ECDSA:message-X962:MD5"), SecKeyAlgorithm("algid:sign:ECDSA:message-X962"), SecKeyAlgorithm(""),
      SecKeyAlgorithm("algid:sign:ECDSA:digest-X962:SHA256:"),
    ] {
      #expect(!SecKeyIsAlgorithmSupported(key, .sign, algorithm) && !SecKeyIsAlgorithmSupported(publicKey, .verify, algorithm))
      #expect(code { SecKeyCreateSignature(key, algorithm, Data() as CFData, &$0) } == errSecParam)
    }
    #expect(code { SecKeyCreateSignature(publicKey, .ecdsaSignatureMessageX962SHA256, Data() as CFData, &$0) } == errSecParam)
    for other: SecKeyAlgorithm in [
      .rsaEncryptionOAEPSHA256, .ecdhKeyExchangeStandard, SecKeyAlgorithm("algid:encrypt:ECIES:ECDH:KDFX963:MD5:AESGCM"),
    ] {
      #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, other) && !SecKeyIsAlgorithmSupported(key, .decrypt, other))
      #expect(code { SecKeyCreateEncryptedData(publicKey, other, Data() as CFData, &$0) } == errSecParam)
      #expect(code { SecKeyCreateDecryptedData(key, other, Data() as CFData, &$0) } == errSecParam)
    }
    #expect(SecKeyGetBlockSize(key) == 32 && CFGetTypeID(key) == SecKeyGetTypeID())
  }

  @Test func `what no key here is, is not made`() {
    func status(_ parameters: [CFString: Any]) -> OSStatus { code { SecKeyCreateRandomKey(parameters as CFDictionary, &$0) } }
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlocked, [.privateKeyUsage, .biometryAny], nil)!
    #expect(status([:]) == errSecParam)
    #expect(status(parameters([:], [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048])) == errSecUnimplemented)
    #expect(status(parameters([:], [kSecAttrKeySizeInBits: 384])) == errSecUnimplemented)
    #expect(status(parameters([:], [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave])) == errSecUnimplemented)
    #expect(status(parameters([:], [kSecAttrTokenID: "com.example.token"])) == errSecUnimplemented)
    #expect(status(parameters([kSecAttrAccessControl: control])) == errSecParam)
    #expect(status(permanent([kSecAttrIsExtractable: true])) == errSecUnimplemented)
    #expect(status(permanent([kSecAttrApplicationLabel: Data([1])])) == errSecUnimplemented)
    #expect(status(permanent([kSecAttrSynchronizable: true])) == errSecParam)
    #expect(status(permanent([kSecAttrApplicationTag: Data(count: 100)])) == errSecDataTooLarge)
    #expect(status(permanent([kSecAttrAccessGroup: "T.group"])) == errSecMissingEntitlement)
    #expect(status([kSecPrivateKeyAttrs: 1]) == errSecParam)
  }
}

/// Keys that the vault holds.
@Suite struct HeldKeyTests {
  private let keychain = TestKeychain()

  private func find(_ more: [CFString: Any] = [:]) -> (OSStatus, CFTypeRef?) {
    keychain.copy([kSecClass: kSecClassKey].merging(more) { $1 })
  }

  @Test func `a permanent key is found by what it was called, and not by other words`() throws {
    let key = try keychain.makeKey(permanent([kSecAttrLabel: "Example"]))
    #expect(find([kSecAttrApplicationTag: tag, kSecReturnRef: true]).1 as? SecKey == key)
    let digest = try P256.hash(Data(key.point), 20)
    for one: [CFString: Any] in [
      [kSecAttrLabel: "Example"], [kSecAttrKeyClass: kSecAttrKeyClassPrivate], [kSecAttrKeyType: kSecAttrKeyTypeEC],
      [kSecAttrApplicationLabel: Data(digest)], [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave], [kSecValueRef: key],
      [kSecAttrKeySizeInBits: 256], [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked], [kSecAttrCanSign: true],
    ] { #expect(find(one).0 == errSecSuccess, "\(one)") }
    for one: [CFString: Any] in [
      [kSecAttrLabel: "Other"], [kSecAttrKeyClass: kSecAttrKeyClassPublic], [kSecAttrKeyType: kSecAttrKeyTypeRSA],
      [kSecAttrApplicationLabel: Data(count: 20)], [kSecAttrTokenID: "com.example.token"], [kSecAttrApplicationTag: Data([1])],
      [kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock], [kSecAttrSynchronizable: true],
      [kSecValueRef: SecKeyCopyPublicKey(key)!],
    ] { #expect(find(one).0 == errSecItemNotFound, "\(one)") }
    #expect(find([kSecClass: kSecClassGenericPassword]).0 == errSecItemNotFound)
  }

  @Test func `keys of one tag are told apart, and come in the order in which they were made`() throws {
    let keys = try [keychain.makeKey(permanent()), keychain.makeKey(permanent())]
    let all = find([kSecAttrApplicationTag: tag, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]).1 as? [SecKey]
    #expect(all == keys && keys[0] != keys[1])
    #expect(keychain.delete([kSecValueRef: keys[0]]) == errSecSuccess)
    #expect(find([kSecReturnRef: true]).1 as? SecKey == keys[1])
    #expect(keychain.delete([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag]) == errSecSuccess)
    #expect(find().0 == errSecItemNotFound)
  }

  @Test(arguments: [Data(), Data([0, 255, 10]), Data("a|b%7c é".utf8), Data("%41".utf8)])
  func `a tag may be any bytes`(tag: Data) throws {
    _ = try keychain.makeKey(permanent([kSecAttrApplicationTag: Data("A".utf8)]))
    let key = try keychain.makeKey(permanent([kSecAttrApplicationTag: tag]))
    let found = find([kSecAttrApplicationTag: tag, kSecReturnAttributes: true, kSecReturnRef: true]).1 as? NSDictionary
    #expect(found?[kSecAttrApplicationTag] as? Data == tag && (found?[kSecValueRef] as? SecKey) == key)
  }

  @Test func `its attributes say what it is, and that it stays`() throws {
    let flags: SecAccessControlCreateFlags = [.privateKeyUsage, .biometryCurrentSet]
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, nil)!
    let key = try keychain.makeKey(permanent([kSecAttrAccessControl: control]))
    let attributes = try #require(SecKeyCopyAttributes(key) as? [String: Any])
    #expect(attributes[kSecAttrAccessControl as String] as? SecAccessControl == control)
    #expect(attributes[kSecAttrTokenID as String] as? String == kSecAttrTokenIDSecureEnclave as String)
    #expect(attributes[kSecAttrIsExtractable as String] as? Bool == false)
    #expect(attributes[kSecAttrIsPermanent as String] as? Bool == true)
    #expect(attributes[kSecAttrApplicationLabel as String] as? Data == Data(try P256.hash(Data(key.point), 20)))
    #expect(code { SecKeyCopyExternalRepresentation(key, &$0) } == errSecUnimplemented)
    #expect(find([kSecReturnData: true]).0 == errSecUnimplemented)
    #expect(attributes[kSecAttrCanDerive as String] as? Bool == true)
    #expect(SecKeyIsAlgorithmSupported(key, .keyExchange, .ecdhKeyExchangeStandard))
    #expect(SecKeyIsAlgorithmSupported(key, .decrypt, .eciesEncryptionCofactorX963SHA256AESGCM))
    let given = try #require(find([kSecReturnAttributes: true]).1 as? [CFString: Any])
    #expect(find(given).0 == errSecSuccess)
  }

  @Test func `another program's keys are found by who names that program`() throws {
    keychain.creator = "/usr/bin/signet"
    _ = try keychain.makeKey(permanent())
    #expect(find([kSecAttrApplicationTag: tag]).0 == errSecItemNotFound)
    #expect(keychain.delete([kSecClass: kSecClassKey]) == errSecItemNotFound)
    let named = find([kSecAttrAccessGroup: "/usr/bin/signet", kSecReturnPersistentRef: true])
    let reference = try #require(named.1 as? Data)
    #expect(find([kSecValuePersistentRef: reference]).0 == errSecItemNotFound)
    #expect(find([kSecValuePersistentRef: reference, kSecAttrAccessGroup: "/usr/bin/signet"]).0 == errSecSuccess)
  }

  @Test func `a persistent reference finds its key`() throws {
    let key = try keychain.makeKey(permanent())
    let reference = try #require(find([kSecValueRef: key, kSecReturnPersistentRef: true]).1 as? Data)
    #expect(keychain.copy([kSecValuePersistentRef: reference, kSecReturnRef: true]).1 as? SecKey == key)
    #expect(keychain.delete([kSecValuePersistentRef: reference]) == errSecSuccess)
    #expect(keychain.copy([kSecValuePersistentRef: reference, kSecReturnRef: true]).0 == errSecItemNotFound)
  }

  @Test func `a key's label changes, and nothing else of it does`() throws {
    let key = try keychain.makeKey(permanent([kSecAttrLabel: "before"]))
    #expect(keychain.update([kSecClass: kSecClassKey, kSecAttrLabel: "before"], [kSecAttrLabel: "after"]) == errSecSuccess)
    let found = find([kSecAttrLabel: "after", kSecReturnRef: true, kSecReturnAttributes: true]).1 as? NSDictionary
    #expect(found?[kSecValueRef] as? SecKey == key && found?[kSecAttrApplicationTag] as? Data == tag)
    #expect(find([kSecAttrLabel: "before"]).0 == errSecItemNotFound)
    for changes: [CFString: Any] in [
      [kSecAttrApplicationTag: Data([1])], [kSecAttrLabel: "x", kSecAttrApplicationTag: Data([1])], [kSecValueData: Data([1])],
      [kSecAttrLabel: "x", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock], [kSecAttrCanSign: false], [:],
    ] { #expect(keychain.update([kSecClass: kSecClassKey], changes) == errSecUnimplemented, "\(changes)") }
    let long = String(repeating: "l", count: ItemLimit.text + 1)
    #expect(keychain.update([kSecClass: kSecClassKey], [kSecAttrLabel: long]) == errSecDataTooLarge)
    #expect(keychain.update([kSecClass: kSecClassKey, kSecAttrLabel: "none"], [kSecAttrLabel: "x"]) == errSecItemNotFound)
    #expect(find([kSecAttrLabel: "after"]).0 == errSecSuccess && !keychain.calls.contains("value"))
  }

  @Test func `what signetd holds is not stored`() throws {
    let key = try keychain.makeKey(permanent())
    #expect(keychain.add([kSecValueRef: key]) == errSecDuplicateItem)
    #expect(keychain.add([kSecClass: kSecClassGenericPassword, kSecValueRef: key]) == errSecItemNotFound)
    #expect(keychain.delete([kSecValueRef: key]) == errSecSuccess)
    #expect(keychain.add([kSecValueRef: key]) == errSecUnimplemented)
    #expect(!keychain.calls.contains("value") && !keychain.calls.contains("update") && !keychain.calls.contains("add"))
  }
}

/// Halves of keys that a program gives.
@Suite struct StoredHalfTests {
  private let keychain = TestKeychain()
  private let key: SecKey
  private let publicHalf: SecKey

  init() throws {
    key = try #require(SecKeyCreateRandomKey(parameters() as CFDictionary, nil))
    publicHalf = try #require(SecKeyCopyPublicKey(key))
  }

  private func find(_ more: [CFString: Any]) -> (OSStatus, CFTypeRef?) {
    keychain.copy([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag].merging(more) { $1 })
  }

  @Test func `both halves are stored under one tag, and each is found by its class`() throws {
    for half in [key, publicHalf] {
      #expect(keychain.add([kSecClass: kSecClassKey, kSecAttrApplicationTag: tag, kSecValueRef: half]) == errSecSuccess)
      #expect(keychain.add([kSecAttrApplicationTag: tag, kSecValueRef: half]) == errSecDuplicateItem)
    }
    #expect(find([kSecAttrKeyClass: kSecAttrKeyClassPrivate, kSecReturnRef: true]).1 as? SecKey == key)
    #expect(find([kSecAttrKeyClass: kSecAttrKeyClassPublic, kSecReturnRef: true]).1 as? SecKey == publicHalf)
    let all = find([kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll]).1 as? [SecKey]
    #expect(all == [key, publicHalf])
    // The one that is found signs for the one that was stored.
    let signed = try #require(SecKeyCreateSignature(all![0], .ecdsaSignatureMessageX962SHA256, tag as CFData, nil))
    #expect(SecKeyVerifySignature(publicHalf, .ecdsaSignatureMessageX962SHA256, tag as CFData, signed, nil))
    // No password has its name.
    #expect(keychain.copy([kSecClass: kSecClassGenericPassword]).0 == errSecItemNotFound)
    #expect(keychain.delete([kSecValueRef: key]) == errSecSuccess)
    #expect(find([kSecReturnRef: true]).1 as? SecKey == publicHalf)
  }

  @Test func `its bytes are stored and given, and so is what it is called`() throws {
    let bytes = try #require(SecKeyCopyExternalRepresentation(key, nil)) as Data
    let item: [CFString: Any] = [
      kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeyClass: kSecAttrKeyClassPrivate,
      kSecAttrApplicationTag: tag, kSecAttrLabel: "before", kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlock,
      kSecValueData: bytes, kSecReturnAttributes: true,
    ]
    let attributes = try #require(keychain.adding(item).1 as? [String: Any])
    #expect(attributes[kSecAttrLabel as String] as? String == "before")
    #expect(attributes[kSecAttrAccessible as String] as? String == kSecAttrAccessibleAfterFirstUnlock as String)
    #expect(attributes[kSecAttrApplicationLabel as String] as? Data == Data(try P256.hash(Data(key.point), 20)))
    #expect(attributes[kSecAttrIsPermanent as String] as? Bool == true && attributes[kSecAttrTokenID as String] == nil)
    #expect(find([kSecReturnData: true]).1 as? Data == bytes)
    #expect(keychain.update([kSecClass: kSecClassKey, kSecAttrLabel: "before"], [kSecAttrLabel: "after"]) == errSecSuccess)
    let found = find([kSecAttrLabel: "after", kSecReturnRef: true, kSecReturnPersistentRef: true]).1 as? NSDictionary
    #expect(found?[kSecValueRef] as? SecKey == key)
    let reference = try #require(found?[kSecValuePersistentRef] as? Data)
    #expect(keychain.copy([kSecValuePersistentRef: reference, kSecReturnData: true]).1 as? Data == bytes)
    #expect(find([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]).0 == errSecItemNotFound)
  }

  @Test func `a label that the program chose tells halves apart, and finds one`() throws {
    let other = try #require(SecKeyCreateRandomKey(parameters() as CFDictionary, nil))
    func query(_ label: String, _ more: [CFString: Any]) -> [CFString: Any] {
      [kSecClass: kSecClassKey, kSecAttrApplicationLabel: label].merging(more) { $1 }
    }
    #expect(keychain.add(query("one", [kSecValueRef: key])) == errSecSuccess)
    #expect(keychain.add(query("one", [kSecValueRef: other])) == errSecDuplicateItem)
    #expect(keychain.add(query("two", [kSecValueRef: other])) == errSecSuccess)
    #expect(keychain.copy(query("one", [kSecReturnRef: true])).1 as? SecKey == key)
    #expect(keychain.copy(query("two", [kSecReturnRef: true])).1 as? SecKey == other)
    let attributes = keychain.copy(query("two", [kSecReturnAttributes: true])).1 as? [String: Any]
    #expect(attributes?[kSecAttrApplicationLabel as String] as? String == "two")
    #expect(attributes?.keys.contains { $0.hasPrefix("-") } == false)
    #expect(keychain.delete(query("one", [:])) == errSecSuccess)
    #expect(keychain.copy([kSecClass: kSecClassKey, kSecReturnRef: true]).1 as? SecKey == other)
  }

  @Test func `what is no half of P-256 is not stored`() {
    let kind: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrKeyType: kSecAttrKeyTypeEC, kSecValueData: Data([4, 1])]
    #expect(keychain.add(kind.merging([kSecAttrKeyClass: kSecAttrKeyClassPublic]) { $1 }) == errSecParam)
    #expect(keychain.add(kind) == errSecParam)
    #expect(keychain.add(kind.merging([kSecAttrKeyType: kSecAttrKeyTypeRSA]) { $1 }) == errSecUnimplemented)
    #expect(keychain.add([kSecValueRef: key, kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) == errSecUnimplemented)
    #expect(keychain.add([kSecValueRef: key, kSecAttrSynchronizable: true]) == errSecUnimplemented)
    #expect(keychain.add([kSecValueRef: key, kSecAttrAccessGroup: "T.group"]) == errSecMissingEntitlement)
    #expect(keychain.add([kSecValueRef: key, kSecAttrApplicationTag: Data(count: 100)]) == errSecDataTooLarge)
    #expect(!keychain.calls.contains("add"))
  }

  @Test func `the public half of a key that is held is stored where it is said to be permanent`() throws {
    let control = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage], nil)!
    let publicTag = Data("org.example.public".utf8)
    let own: [CFString: Any] = [kSecAttrIsPermanent: true, kSecAttrApplicationTag: publicTag]
    let wanted = permanent([kSecAttrAccessControl: control]).merging([kSecPublicKeyAttrs: own]) { $1 }
    let held = try keychain.makeKey(wanted)
    let half = try #require(try ItemQuery(ofPublicHalf: held, wanted as CFDictionary))
    #expect(half.control == nil && half.attributes["atag"]?.bytes == Array(publicTag) && half.key?.isPrivate == false)
    #expect(try ItemQuery(ofPublicHalf: held, permanent() as CFDictionary) == nil)
    #expect(try ItemQuery(ofPublicHalf: held, parameters([:], [kSecAttrIsPermanent: true]) as CFDictionary) != nil)
  }
}
