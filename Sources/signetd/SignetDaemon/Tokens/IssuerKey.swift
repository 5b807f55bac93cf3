import DaemonSealing
import SignetDigest
import SignetMemory
import SignetTokens

/// A key of the issuer, which several threads use. It is in the TPM where that has the device key: then its private half is not in
/// this process, nor on the disk. Elsewhere it is in a file, under the device key.
final class IssuerKey: Sendable {
  enum Storage: ~Copyable, Sendable {
    case file(ES256Key)
    /// What the TPM is given to sign with it.
    case tpm([UInt8])
  }

  let storage: Storage
  let publicKey: ES256PublicKey
  /// From when on it signs.
  let from: UInt64

  init(_ key: consuming ES256Key, from: UInt64) {
    publicKey = key.publicKey
    storage = .file(key)
    self.from = from
  }

  init(_ publicKey: ES256PublicKey, ofTPM handle: [UInt8], from: UInt64) {
    self.publicKey = publicKey
    storage = .tpm(handle)
    self.from = from
  }

  var entry: SigningKeys.Entry { SigningKeys.Entry(key: publicKey, from: from) }

  var isOfTPM: Bool {
    switch storage {
    case .file: false
    case .tpm: true
    }
  }

  /// Why nothing was signed.
  enum Failure: Error {
    case signing(SigningError)
    /// The TPM did not; see `Issuer` for what follows from that.
    case tpm(TPM.Failure)
  }

  /// The signature, r and s, of a message. `tpm`: `nil` where there is none to be asked. It may take the TPM a second, for which
  /// nothing is to be held that others wait for.
  func sign(_ message: [UInt8], _ tpm: TPM?, within limit: Int64) throws(Failure) -> [UInt8] {
    switch storage {
    case .file(let key):
      do throws(SigningError) { return try key.sign(message) } catch { throw .signing(error) }
    case .tpm(let handle):
      guard let tpm else { throw .tpm(TPM.Failure(fault: .missing)) }
      do throws(TPM.Failure) {
        guard var copy = SecretBytes(capacity: max(1, handle.count)), copy.append(handle.span) else {
          throw TPM.Failure(fault: .refused)
        }
        return try tpm.sign(SHA256.hash(message.span), with: copy, within: limit)
      } catch {
        throw .tpm(error)
      }
    }
  }
}
