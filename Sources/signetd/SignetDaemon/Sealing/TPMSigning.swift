import DaemonService
import Glibc
import SignetBytes
import SignetMemory
import SignetVocabulary
import SignetWire

/// Keys that the TPM makes and signs with, so that nobody else has their private half: not the disk, nor the memory of signetd.
extension TPM {
  /// A key that signs.
  package final class SigningKey: Sendable {
    /// Its public half: x and y.
    package let point: [UInt8]
    /// What the TPM is to be given with everything that it signs. It is worth nothing elsewhere, but is to be kept sealed all the
    /// same: the authorization value is in it.
    package let handle: SecretBytes

    package var copyOfHandle: [UInt8] { SigningKey.copy(handle) }

    private static func copy(_ handle: borrowing SecretBytes) -> [UInt8] { Array(copying: handle.span) }

    fileprivate init(point: [UInt8], handle: consuming SecretBytes) {
      self.point = point
      self.handle = handle
    }
  }

  /// What two keys agree on, x of a point.
  package final class Agreement: Sendable {
    private let secret: SecretBytes

    fileprivate init(_ secret: consuming SecretBytes) { self.secret = secret }

    /// `nil` where there is no memory.
    package var copy: SecretBytes? { Agreement.copy(secret) }

    private static func copy(_ secret: borrowing SecretBytes) -> SecretBytes? {
      guard var copy = SecretBytes(capacity: TPMAnswer.sharedLength), copy.append(secret.span) else { return nil }
      return copy
    }
  }

  /// A new key. `agrees`: it takes part in key exchanges, too.
  package func makeSigningKey(agrees: Bool = false, within limit: Int64) throws(Failure) -> SigningKey {
    try insisting(within: limit) { rest throws(Failure) in
      guard let request = try? TPMRequest(makingSigningKey: (), agrees: agrees) else { throw Failure(fault: .refused) }
      let answer = try ask(request, within: rest)
      guard answer.kind == .signingKey, var handle = SecretBytes(capacity: TPMRequest.sealedLimit),
        handle.append(answer.bytes.span)
      else { throw Failure(fault: .refused) }
      return SigningKey(point: answer.point, handle: handle)
    }
  }

  /// The signature, r and s, of what has this SHA-256.
  package func sign(_ digest: [UInt8], with handle: borrowing SecretBytes, within limit: Int64) throws(Failure) -> [UInt8] {
    try insisting(within: limit) { rest throws(Failure) in
      guard let request = try? TPMRequest(signing: digest, with: handle.span) else { throw Failure(fault: .damaged) }
      let answer = try ask(request, within: rest)
      guard answer.kind == .signed else { throw Failure(fault: .refused) }
      return Array(copying: answer.bytes.span)
    }
  }

  /// What a key and another's public one, x and y, agree on.
  package func agree(
    with point: [UInt8], by handle: borrowing SecretBytes, within limit: Int64
  ) throws(Failure) -> Agreement {
    try insisting(within: limit) { rest throws(Failure) in
      guard let request = try? TPMRequest(agreeingOn: point, with: handle.span) else { throw Failure(fault: .damaged) }
      let answer = try ask(request, within: rest)
      guard answer.kind == .agreed, var secret = SecretBytes(capacity: TPMAnswer.sharedLength), secret.append(answer.bytes.span)
      else { throw Failure(fault: .refused) }
      return Agreement(secret)
    }
  }

  private func insisting<Value>(
    within limit: Int64, _ body: (Int64) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let start = monotonicMilliseconds()
    var pause: Int64 = 100
    while true {
      let passed = monotonicMilliseconds() - start
      do throws(Failure) { return try body(max(0, limit - passed)) } catch {
        let isPassing = [.refused, .missing].contains(error.fault) && isThere
        guard isPassing, monotonicMilliseconds() - start + pause < min(insistence, limit) else { throw error }
      }
      // Nothing tells when a TPM that is busy, or that others use, has room again.
      _ = poll(nil, 0, Int32(pause))
      pause *= 2
    }
  }
}

extension TPM.Failure {
  /// For the log.
  package var words: String {
    switch fault {
    case .missing: "there is none, or it cannot be reached"
    case .noLibrary: "its library is not installed"
    case .cleared, .replaced: "it was cleared, or is another one"
    case .silent: "it did not answer in time"
    case .damaged: "it does not know what it gave away"
    case .refused, .wrongPCR, .gone: "it refuses, with code 0x\(String(code, radix: 16))"
    }
  }
}
