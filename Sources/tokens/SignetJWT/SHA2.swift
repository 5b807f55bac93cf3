import CCrypto

/// The hashes that tokens use, by the system's libcrypto.
package enum SHA2 {
  package static func sha256(_ bytes: some Collection<UInt8>) -> [UInt8] { hash(Array(bytes), Int(CCRYPTO_SHA256)) }
  package static func sha512(_ bytes: some Collection<UInt8>) -> [UInt8] { hash(Array(bytes), Int(CCRYPTO_SHA512)) }

  private static func hash(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size)
    // The arrays are as long as said.
    needLibrary(unsafe ccrypto_hash(bytes, bytes.count, &digest, size))
    return digest
  }
}

/// Without libcrypto there is no hash and no new key, and nothing that could go on with another one.
func needLibrary(_ code: Int32) {
  precondition(code == Int32(CCRYPTO_OK), "libcrypto.so.3 cannot be used: install OpenSSL's libraries (libssl3)")
}
