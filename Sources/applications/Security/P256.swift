import CCrypto
import SignetCoreFoundation
import SignetMemory

/// ECDSA and ECDH over P-256 by OpenSSL's libcrypto, for the halves of keys that lie in this process.
enum P256 {
  /// Bytes of a coordinate and of a private number.
  static let length = Int(CES256_PRIVATE)
  /// Bytes of 4, x and y.
  static let pointLength = 1 + Int(CES256_PUBLIC)
  /// Bytes of a signature in DER, at most.
  static let longestSignature = Int(CES256_DER)
  /// What a point begins with of which both coordinates are written out (SEC 1, section 2.3.3).
  private static let uncompressed: UInt8 = 4

  /// The private half of a key that this process made or was given. A forked child has zeros in its place, which no call takes.
  final class PrivateNumber: Sendable {
    private let bytes: SecretBytes
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// For the program, whose own it is from then on.
    var data: Data { unsafe read { unsafe Data($0) } }

    fileprivate func read<Value>(_ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value { unsafe P256.read(bytes, body) }
  }

  /// A new pair. The arrays and buffers are as long as libcrypto is told: that is each `unsafe` of this file.
  static func generate() throws(KeychainError) -> (number: PrivateNumber, point: [UInt8]) {
    var coordinates = [UInt8](repeating: 0, count: Int(CES256_PUBLIC))
    var code = Int32(CCRYPTO_REFUSED)
    let number = try unsafe secret { number in code = unsafe ces256_generate(number, &coordinates) }
    try check(code, else: errSecInternalComponent)
    return (number, [uncompressed] + coordinates)
  }

  /// The private half with these bytes, and its point.
  static func imported(_ bytes: Span<UInt8>) throws(KeychainError) -> (number: PrivateNumber, point: [UInt8]) {
    guard bytes.count == length, var secret = SecretBytes(capacity: length), secret.append(bytes) else {
      throw KeychainError(errSecParam)
    }
    var coordinates = [UInt8](repeating: 0, count: Int(CES256_PUBLIC))
    let code = unsafe read(secret) { unsafe ces256_public($0.baseAddress!, &coordinates) }
    try check(code, else: errSecParam)
    return (PrivateNumber(secret), [uncompressed] + coordinates)
  }

  /// A point of which x and y are known.
  static func point(_ coordinates: [UInt8]) -> [UInt8] { [uncompressed] + coordinates }

  /// Whether these bytes are 4, x and y of a point of the curve.
  static func isPoint(_ bytes: [UInt8]) throws(KeychainError) -> Bool {
    guard bytes.count == pointLength, bytes[0] == uncompressed else { return false }
    switch unsafe Int(ces256_is_public(coordinates(bytes))) {
    case CCRYPTO_OK: return true
    case CCRYPTO_NO_LIBRARY: throw noLibrary
    default: return false
    }
  }

  /// r and s of the signature of a number of 32 bytes.
  static func sign(_ number: [UInt8], by key: PrivateNumber, _ point: [UInt8]) throws(KeychainError) -> [UInt8] {
    var signature = [UInt8](repeating: 0, count: Int(CES256_SIGNATURE))
    let code = unsafe key.read { key in
      unsafe ces256_sign_digest(key.baseAddress!, coordinates(point), number, &signature)
    }
    try check(code, else: errSecInternalComponent)
    return signature
  }

  /// Whether a signature in DER is that of a number of 32 bytes.
  static func verifies(_ der: [UInt8], of number: [UInt8], by point: [UInt8]) throws(KeychainError) -> Bool {
    guard (1...longestSignature).contains(der.count) else { return false }
    switch unsafe Int(ces256_verify_digest(coordinates(point), number, der, der.count)) {
    case CCRYPTO_OK: return true
    case CCRYPTO_NO_LIBRARY: throw noLibrary
    default: return false
    }
  }

  /// r and s as DER has them.
  static func der(_ signature: [UInt8]) throws(KeychainError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(CES256_DER))
    let count = unsafe ces256_der(signature, &bytes)
    guard count > 0 else { throw ccrypto_is_available() != 0 ? KeychainError(errSecInternalComponent) : noLibrary }
    return Array(bytes.prefix(count))
  }

  /// x of what a key agrees on with another's point.
  static func agree(_ key: PrivateNumber, with point: [UInt8]) throws(KeychainError) -> PrivateNumber {
    var code = Int32(CCRYPTO_REFUSED)
    let shared = try unsafe secret { shared in
      unsafe key.read { key in
        code = unsafe ces256_agree(key.baseAddress!, coordinates(point), shared)
      }
    }
    try check(code, else: errSecParam)
    return shared
  }

  /// By the length of the hash: SHA-1 or one of SHA-2.
  static func hash(_ bytes: Data, _ length: Int) throws(KeychainError) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: length)
    let code = unsafe bytes.withUnsafeBytes { bytes in
      unsafe ccrypto_hash(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &digest, length)
    }
    try check(code, else: errSecInternalComponent)
    return digest
  }

  /// What X9.63 derives from what two keys agreed on (SEC 1, section 3.6.1). `size`: how many bytes, from 1; `hash`: bytes of the hash.
  static func derive(_ size: Int, from shared: PrivateNumber, _ info: Data, by hash: Int) throws(KeychainError) -> Data {
    var derived = Data()
    for counter in 1...UInt32((size + hash - 1) / hash) {
      var input = shared.data
      for shift in [24, 16, 8, 0] { input.append(UInt8(truncatingIfNeeded: counter >> UInt32(shift))) }
      input.append(info)
      defer { input.resetBytes(in: 0..<input.count) }
      derived.append(contentsOf: try P256.hash(input, hash))
    }
    return derived.prefix(size)
  }

  /// AES-128-GCM: what is sealed has a tag of `tagLength` bytes behind it. `key` and `start` have 16 bytes each.
  static func seal(_ clear: Data, _ key: Data, _ start: Data) throws(KeychainError) -> Data {
    try unsafe cipher(clear, clear.count + tagLength) { unsafe ccrypto_gcm_seal(key.bytes, start.bytes, $0, clear.count, $1) }
  }

  /// What was sealed so; `errSecParam` where it was not.
  static func open(_ sealed: Data, _ key: Data, _ start: Data) throws(KeychainError) -> Data {
    guard sealed.count >= tagLength else { throw KeychainError(errSecParam) }
    return try unsafe cipher(sealed, sealed.count - tagLength) {
      unsafe ccrypto_gcm_open(key.bytes, start.bytes, $0, sealed.count, $1)
    }
  }

  /// Bytes of what tells that a sealed text was not altered.
  static let tagLength = Int(CCRYPTO_TAG)

  private static func cipher(
    _ from: Data, _ count: Int, _ body: (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Int32
  ) throws(KeychainError) -> Data {
    var made = Data(count: count)
    let code = unsafe made.withUnsafeMutableBytes { made in
      unsafe from.withUnsafeBytes { from in
        unsafe body(
          from.baseAddress?.assumingMemoryBound(to: UInt8.self), made.baseAddress?.assumingMemoryBound(to: UInt8.self))
      }
    }
    try check(code, else: errSecParam)
    return made
  }

  private static func read<Value>(_ bytes: borrowing SecretBytes, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
    unsafe bytes.span.withUnsafeBufferPointer { unsafe body($0) }
  }

  private static func secret(_ write: (UnsafeMutablePointer<UInt8>) -> Void) throws(KeychainError) -> PrivateNumber {
    guard var bytes = SecretBytes(capacity: length) else { throw KeychainError(errSecAllocate) }
    _ = unsafe bytes.replace { buffer in
      unsafe write(buffer.baseAddress!.assumingMemoryBound(to: UInt8.self))
      return length
    }
    return PrivateNumber(bytes)
  }

  private static func coordinates(_ point: [UInt8]) -> [UInt8] { Array(point.dropFirst()) }

  private static func check(_ code: Int32, else status: OSStatus) throws(KeychainError) {
    switch Int(code) {
    case CCRYPTO_OK: return
    case CCRYPTO_NO_LIBRARY: throw noLibrary
    default: throw KeychainError(status)
    }
  }

  private static var noLibrary: KeychainError {
    KeychainError(errSecNotAvailable, "OpenSSL's library (libcrypto.so.3), which signs and verifies, is not installed.")
  }
}

extension Data {
  fileprivate var bytes: [UInt8] { Array(self) }
}
