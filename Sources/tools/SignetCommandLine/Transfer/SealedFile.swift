import CCrypto
import FoundationEssentials
import SignetMemory
import SignetWords

/// A file sealed by a passphrase, in the form that https://age-encryption.org/v1 describes, so that others open it, too: a head with
/// the file's key, sealed by what scrypt makes of the passphrase, and parts of 64 KiB.
enum SealedFile {
  /// Bytes of each part but the last, in clear.
  static let part = 65_536
  /// More is no vault of anybody's: all its items, each as long as may be, with what base64 adds.
  static let limit = 96 << 20
  /// scrypt takes 256 MiB and about a second.
  private static let work: UInt32 = 18
  private static let fileKey = 16
  private static let version = "age-encryption.org/v1"
  private static let label = Array("age-encryption.org/v1/scrypt".utf8)

  /// Why a file does not open.
  enum Failure: Error, Equatable {
    /// It is no file of this form, or is not sealed by a passphrase alone.
    case foreign
    /// scrypt would take more memory or time than anybody needs.
    case tooCostly
    case wrongPassphrase
    case damaged
    /// libcrypto is not there, or refuses.
    case noLibrary
  }

  static func seal(_ clear: [UInt8], by passphrase: borrowing SecretBytes) throws(Failure) -> [UInt8] {
    let (key, salt, nonce) = (random(fileKey), random(16), random(16))
    let wrapping = try scrypt(passphrase, salt, work)
    let body = try sealed(key, by: wrapping, nonce: [UInt8](repeating: 0, count: Int(CCRYPTO_NONCE)))
    let head = "\(version)\n-> scrypt \(base64(salt)) \(work)\n\(base64(body))\n---"
    let mac = try mac(of: head, by: key)
    let content = try derived(from: key, salt: nonce, purpose: "payload")
    var file = Array("\(head) \(base64(mac))\n".utf8) + nonce
    var start = 0
    var number: UInt64 = 0
    repeat {
      let end = min(start + part, clear.count)
      file += try sealed(Array(clear[start..<end]), by: content, nonce: self.nonce(number, isLast: end == clear.count))
      (start, number) = (end, number + 1)
    } while start < clear.count
    return file
  }

  /// What a file needs to be opened; made before anybody is asked for a passphrase.
  struct Head {
    fileprivate let salt: [UInt8]
    fileprivate let work: UInt32
    fileprivate let body: [UInt8]
    fileprivate let mac: [UInt8]
    /// What the code is of.
    fileprivate let text: String
    fileprivate let length: Int

    /// Strict: it has one form only. A file that others than the passphrase's owner can open is not taken for one of this form.
    init(_ file: [UInt8]) throws(Failure) {
      let lines = file.prefix(512).split(separator: UInt8(ascii: "\n"), maxSplits: 4, omittingEmptySubsequences: false)
      guard lines.count == 5 else { throw .foreign }
      let texts = lines.prefix(4).map { String(decoding: $0, as: UTF8.self) }
      let stanza = texts[1].split(separator: " ", omittingEmptySubsequences: false)
      guard texts[0] == version, stanza.count == 4, stanza[0] == "->", stanza[1] == "scrypt", let salt = bytes(stanza[2], 16),
        let work = UInt32(stanza[3]), String(work) == stanza[3], let body = bytes(texts[2], fileKey + Int(CCRYPTO_TAG)),
        texts[3].hasPrefix("--- "), let mac = bytes(texts[3].dropFirst(4), Int(CCRYPTO_SHA256))
      else { throw .foreign }
      guard (1...UInt32(CCRYPTO_WORK)).contains(work) else { throw .tooCostly }
      (self.salt, self.work, self.body, self.mac) = (salt, work, body, mac)
      text = texts[0...2].joined(separator: "\n") + "\n---"
      length = texts.reduce(0) { $0 + $1.utf8.count + 1 }
    }
  }

  static func open(_ file: [UInt8], _ head: Head, by passphrase: borrowing SecretBytes) throws(Failure) -> [UInt8] {
    let wrapping = try scrypt(passphrase, head.salt, head.work)
    guard let key = try opened(head.body[...], by: wrapping, nonce: [UInt8](repeating: 0, count: Int(CCRYPTO_NONCE))) else {
      throw .wrongPassphrase
    }
    guard try mac(of: head.text, by: key) == head.mac, file.count >= head.length + 16 else { throw .damaged }
    var rest = file[head.length...]
    let content = try derived(from: key, salt: Array(rest.prefix(16)), purpose: "payload")
    rest = rest.dropFirst(16)
    var clear: [UInt8] = []
    clear.reserveCapacity(rest.count)
    var number: UInt64 = 0
    while true {
      let sealed = rest.prefix(part + Int(CCRYPTO_TAG))
      rest = rest.dropFirst(sealed.count)
      let plain = try opened(sealed, by: content, nonce: nonce(number, isLast: rest.isEmpty))
      // An empty part is one of an empty file only.
      guard let plain, !plain.isEmpty || number == 0 else { throw .damaged }
      clear += plain
      if rest.isEmpty { return clear }
      number += 1
    }
  }

  /// 11 bytes of the part's number, the highest first, and one that says whether it is the last.
  private static func nonce(_ number: UInt64, isLast: Bool) -> [UInt8] {
    [0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } + [isLast ? 1 : 0]
  }

  private static func random(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }
}

// MARK: - base64, without padding

private func base64(_ bytes: [UInt8]) -> String {
  String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
}

/// `nil` where it is not the one text of so many bytes.
private func bytes(_ text: some StringProtocol, _ count: Int) -> [UInt8]? {
  let text = String(text)
  let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
  guard let data = Data(base64Encoded: text + padding), data.count == count, base64(Array(data)) == text else { return nil }
  return Array(data)
}

// MARK: - by libcrypto

extension SealedFile {
  private static func scrypt(
    _ passphrase: borrowing SecretBytes, _ salt: [UInt8], _ work: UInt32
  ) throws(Failure) -> [UInt8] {
    let salt = label + salt
    var key = [UInt8](repeating: 0, count: Int(CCRYPTO_KEY))
    let code = unsafe passphrase.span.withUnsafeBufferPointer { passphrase in
      unsafe ccrypto_scrypt(passphrase.baseAddress, passphrase.count, salt, salt.count, work, &key)
    }
    guard code == Int32(CCRYPTO_OK) else { throw .noLibrary }
    return key
  }

  private static func derived(from key: [UInt8], salt: [UInt8], purpose: String) throws(Failure) -> [UInt8] {
    var derived = [UInt8](repeating: 0, count: Int(CCRYPTO_KEY))
    let code = unsafe ccrypto_hkdf(key, key.count, salt, salt.count, purpose, purpose.utf8.count, &derived)
    guard code == Int32(CCRYPTO_OK) else { throw .noLibrary }
    return derived
  }

  private static func mac(of head: String, by fileKey: [UInt8]) throws(Failure) -> [UInt8] {
    let key = try derived(from: fileKey, salt: [], purpose: "header")
    let message = Array(head.utf8)
    var mac = [UInt8](repeating: 0, count: Int(CCRYPTO_SHA256))
    guard unsafe ccrypto_hmac(key, message, message.count, &mac) == Int32(CCRYPTO_OK) else { throw .noLibrary }
    return mac
  }

  private static func sealed(_ clear: [UInt8], by key: [UInt8], nonce: [UInt8]) throws(Failure) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: clear.count + Int(CCRYPTO_TAG))
    guard unsafe ccrypto_chacha_seal(key, nonce, clear, clear.count, &sealed) == Int32(CCRYPTO_OK) else { throw .noLibrary }
    return sealed
  }

  /// `nil` where it is not authentic.
  private static func opened(_ sealed: ArraySlice<UInt8>, by key: [UInt8], nonce: [UInt8]) throws(Failure) -> [UInt8]? {
    guard sealed.count >= Int(CCRYPTO_TAG) else { return nil }
    var clear = [UInt8](repeating: 0, count: sealed.count - Int(CCRYPTO_TAG))
    switch unsafe ccrypto_chacha_open(key, nonce, Array(sealed), sealed.count, &clear) {
    case Int32(CCRYPTO_OK): return clear
    case Int32(CCRYPTO_NO_LIBRARY): throw .noLibrary
    default: return nil
    }
  }
}
