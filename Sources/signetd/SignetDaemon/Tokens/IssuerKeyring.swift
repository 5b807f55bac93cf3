import DaemonAccounts
import DaemonSealing
import DaemonService
import Glibc
import SignetFiles
import SignetSealing
import SignetTokens
import SignetVocabulary
import Synchronization

/// The issuer's keys: kept in a file under the device key, made when it is time for them (`SigningKeys`), and replaced where the TPM
/// does not sign with them any more. Safe from any thread.
///
/// Keys are made in the TPM where that has the device key, and in the file elsewhere. One that is in the file already stays there
/// until the keys change.
///
/// What the TPM has lost, because it was cleared or is another one, is replaced by a key in the TPM that is there now. A TPM that fails
/// in another way is asked again for some moments; then a key in the file signs until the keys change, 30 days later at most. So a TPM
/// that fails now and then costs a key once and not each time, and nobody is refused a token, or waits for long, because of it.
final class IssuerKeyring: Sendable {
  private let store: SharedStore
  private let clock: @Sendable () -> UInt64
  private let known = Mutex<(file: IssuerFile, stamp: FileStamp)?>(nil)
  /// Held while a new key is made, for which the TPM needs up to a second. Nobody waits for it who has a key that signs.
  private let making = Mutex(())

  /// How long the TPM may take to make a key, in milliseconds. Who asked may not wait for that; the key is there for the next one.
  private static let makingLimit: Int64 = 10_000

  init(_ store: SharedStore, clock: @escaping @Sendable () -> UInt64) {
    self.store = store
    self.clock = clock
  }

  private var path: String { "\(store.value.root.path)/\(IssuerFile.name)" }

  /// The TPM, where new keys are to be in it, and those that are in it sign.
  var tpm: TPM? { store.value.keeper.tpmInUse }

  /// The keys as they are now: read again where somebody put another file in place, and with a new key where it is time for one.
  func current(at now: UInt64) throws(Issuer.Failure) -> IssuerFile {
    let file = try changed { $0.retire(at: now) }
    guard file.signingKeys.due(at: now) != nil else { return file }
    if file.keys.isEmpty { return try whileMaking { () throws(Issuer.Failure) in try addDue(at: now) } }
    let added = making.withLockIfAvailable { _ in Result { () throws(Issuer.Failure) in try addDue(at: now) } }
    return try added?.get() ?? file
  }

  /// Has another key sign from now on, because the TPM did not sign with this one.
  func replace(_ key: IssuerKey, after failure: TPM.Failure) throws(Issuer.Failure) {
    try whileMaking { () throws(Issuer.Failure) in
      // Another thread may have done so meanwhile.
      let now = clock()
      guard try changed({ _ in false }).key(at: now)?.publicKey == key.publicKey else { return }
      let next = failure.isLoss ? try new(from: now) : try newInFile(from: now)
      _ = try changed { $0.add(next, at: now) }
      let why = store.value.keeper.tpm?.isWanted == false ? "signet.conf says `tpm = no`" : failure.words
      Log.write(
        .error,
        """
        the TPM does not sign tokens with its key any more: \(why). A new key \(next.isOfTPM ? "in the TPM" : "in a file") signs \
        them from now on; tokens of before stay valid
        """)
    }
  }

  /// Where the key is that signs now. Asks no TPM and makes nothing.
  var home: TokenKeyHome {
    let file = known.withLock { known -> IssuerFile? in
      guard case .file(let file) = try? read(&known) else { return nil }
      return file
    }
    guard let key = file?.key(at: clock()) else { return .none }
    return key.isOfTPM ? .tpm : .file
  }

  // MARK: - new keys

  /// One thread at a time.
  private func whileMaking<Value: Sendable>(_ body: () throws(Issuer.Failure) -> Value) throws(Issuer.Failure) -> Value {
    let result = making.withLock { _ in Result { () throws(Issuer.Failure) in try body() } }
    return try result.get()
  }

  /// Makes the key that is due, unless another thread has meanwhile.
  private func addDue(at now: UInt64) throws(Issuer.Failure) -> IssuerFile {
    let file = try changed { _ in false }
    guard let from = file.signingKeys.due(at: now) else { return file }
    let key = try new(from: from)
    return try changed { $0.add(key, at: now) }
  }

  private func new(from: UInt64) throws(Issuer.Failure) -> IssuerKey {
    guard let tpm else { return try newInFile(from: from) }
    do throws(TPM.Failure) {
      let made = try tpm.makeSigningKey(within: IssuerKeyring.makingLimit)
      guard let key = ES256PublicKey(made.point) else { throw TPM.Failure(fault: .damaged) }
      return IssuerKey(key, ofTPM: made.copyOfHandle, from: from)
    } catch {
      Log.write(.error, "the TPM makes no key that signs tokens: \(error.words). The next one is in a file")
      return try newInFile(from: from)
    }
  }

  private func newInFile(from: UInt64) throws(Issuer.Failure) -> IssuerKey {
    do throws(SigningError) { return IssuerKey(try ES256Key(random: ()), from: from) } catch { throw .signing(error) }
  }

  // MARK: - the file

  private enum Stored {
    case none
    /// It was torn or altered, or sealed under another key.
    case unusable
    case file(IssuerFile)
  }

  /// The file, changed and written where `change` says so. Its lock is held for no longer than that takes.
  private func changed(_ change: (inout IssuerFile) -> Bool) throws(Issuer.Failure) -> IssuerFile {
    let result: Result<IssuerFile, Issuer.Failure> = known.withLock { known in
      do throws(SystemError) { return .success(try self.changed(&known, change)) } catch { return .failure(.state(error)) }
    }
    return try result.get()
  }

  private func changed(
    _ known: inout (file: IssuerFile, stamp: FileStamp)?, _ change: (inout IssuerFile) -> Bool
  ) throws(SystemError) -> IssuerFile {
    var file: IssuerFile
    switch try read(&known) {
    case .file(let stored):
      file = stored
      guard change(&file) else { return file }
    case .unusable:
      // Nothing is lost with them but the tokens of the last minutes.
      Log.write(.error, "\(path) does not open; tokens are signed with a new key from now on")
      fallthrough
    case .none:
      file = try new()
      _ = change(&file)
    }
    try write(file, &known)
    return file
  }

  private func read(_ known: inout (file: IssuerFile, stamp: FileStamp)?) throws(SystemError) -> Stored {
    let stamp = try store.value.root.stamp(IssuerFile.name)
    if let known, known.stamp == stamp { return .file(known.file) }
    let device = try store.value.deviceKey()
    guard let (bytes, stamp) = try store.value.root.readStamped(IssuerFile.name, limit: IssuerFile.limit) else { return .none }
    guard let file = try? IssuerFile(opening: bytes, under: device) else { return .unusable }
    known = (file, stamp)
    return .file(file)
  }

  private func new() throws(SystemError) -> IssuerFile {
    guard let identity = RandomBytes.array(IssuerFile.identityLength) else { throw .call(.makeKey, path, code: EAGAIN) }
    return IssuerFile(identity: identity, keys: [])
  }

  private func write(
    _ file: IssuerFile, _ known: inout (file: IssuerFile, stamp: FileStamp)?
  ) throws(SystemError) {
    let device = try store.value.deviceKey()
    let bytes: [UInt8]
    do throws(SealingError) { bytes = try file.sealed(under: device) } catch { throw .call(.seal, path, code: ENOMEM) }
    try store.value.root.replace(IssuerFile.name, with: bytes)
    guard let stamp = try store.value.root.stamp(IssuerFile.name) else { return }
    known = (file, stamp)
  }
}

extension TPM.Failure {
  /// Whether it never will do again what it did not.
  fileprivate var isLoss: Bool { [.cleared, .replaced, .damaged].contains(fault) }
}
