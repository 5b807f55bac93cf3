import FoundationEssentials
import SignetDigest
import SignetVocabulary

/// A key's public half, in the forms that other programs read.
struct PublicKey: Equatable {
  /// The point of P-256: 0x04, x and y (SEC 1, section 2.3.3).
  let point: [UInt8]

  /// `nil` where the bytes have another length or form.
  init?(point: [UInt8]) {
    guard point.count == ItemLimit.publicKey, point.first == 4 else { return nil }
    self.point = point
  }

  /// As ssh sends it (RFC 5656, section 3.1).
  var sshBlob: [UInt8] { SSHText.string(SSHText.algorithm) + SSHText.string(SSHText.curve) + SSHText.string(point) }

  /// A line of `authorized_keys`, and what git takes behind `key::` (sshd(8)). `comment` is one word or more, without line ends.
  func sshLine(comment: String) -> String {
    "\(SSHText.algorithm) \(Data(sshBlob).base64EncodedString())" + (comment.isEmpty ? "" : " \(comment)")
  }

  /// As ssh-keygen(1) shows it.
  var fingerprint: String {
    "SHA256:" + Data(SHA256.hash(sshBlob.span)).base64EncodedString().prefix { $0 != "=" }
  }

  /// A SubjectPublicKeyInfo (RFC 5480, section 2) as openssl reads it, in lines of 64 letters (RFC 7468).
  var pem: String {
    // SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING }: all but the point is the same for each key of this curve.
    let head: [UInt8] = [
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d,
      0x03,
      0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    var rest = Substring(Data(head + point).base64EncodedString())
    var lines: [Substring] = []
    while !rest.isEmpty {
      lines.append(rest.prefix(64))
      rest = rest.dropFirst(64)
    }
    return (["-----BEGIN PUBLIC KEY-----"] + lines + ["-----END PUBLIC KEY-----"]).joined(separator: "\n")
  }
}

/// A signature as signetd gives it: r and s, 32 bytes each, the highest first.
struct RawSignature {
  let bytes: [UInt8]

  /// What openssl and X.509 have: SEQUENCE { INTEGER r, INTEGER s } (RFC 3279, section 2.2.3).
  var der: [UInt8] {
    let numbers = halves.flatMap { (half: [UInt8]) -> [UInt8] in [0x02, UInt8(half.count)] + half }
    return [0x30, UInt8(numbers.count)] + numbers
  }

  /// What ssh has (RFC 5656, section 3.1.2).
  var ssh: [UInt8] { SSHText.string(SSHText.algorithm) + SSHText.string(halves.flatMap(SSHText.string)) }

  /// r and s as positive numbers: without zeros in front, but with one where the highest bit would be a sign.
  private var halves: [[UInt8]] {
    [bytes.prefix(32), bytes.dropFirst(32)].map { half in
      let number = half.drop { $0 == 0 }
      return (number.first ?? 0) < 0x80 && !number.isEmpty ? Array(number) : [0] + number
    }
  }
}
