import DaemonService
import Glibc
import SignetBytes
import SignetFiles
import SignetMemory
import SignetSealing
import SignetVocabulary
import SignetWire
import Synchronization

/// The device key, wherever it is kept: in `device.key`, or sealed by the TPM in `device.tpm`. Safe from any thread.
///
/// What the TPM does not open stays locked, and no other key is put in its place, until a passcode brings the key back
/// (`RecoveryCopy` in SignetVault), or until nothing is left that was sealed.
package final class DeviceKeeper: Sendable {
  private let root: StateDirectory
  /// `nil` where there is no talk of one, in tests.
  package let tpm: TPM?
  /// Of those whose keys are in it.
  package let turns = TPMTurns()
  private let state: Mutex<State>
  /// Apart from `state`, whose lock is held while the TPM is asked: who needs a key that is open does not wait for that.
  private let open = OpenKey()

  private final class OpenKey: Sendable {
    private let held = Mutex<HeldKey?>(nil)
    var key: HeldKey? {
      get { held.withLock { $0 } }
      set { held.withLock { $0 = newValue } }
    }
  }

  private struct State {
    let open: OpenKey
    var known: HeldKey? {
      get { open.key }
      nonmutating set { open.key = newValue }
    }
    /// What the TPM's file was when `known` was had from it.
    var file: [UInt8]?
    /// Asked when signetd started, so that the answer is there when somebody needs the key.
    var pending: (question: TPMQuestion, file: [UInt8])?
    /// What the TPM said of a file that it does not open, and until when that is believed.
    var refusal: (file: [UInt8], failure: TPM.Failure, until: Int64)?
    /// A passcode brought `known` back, and the TPM does not have it.
    var isUnsealed = false
  }

  /// How long a question is waited for.
  private enum Wait {
    /// So many milliseconds after the TPM was asked; not at all later than that.
    case sinceAsked(Int64)
    /// So many milliseconds from now on.
    case fromNow(Int64)

    func rest(since asked: Int64) -> Int64 {
      switch self {
      case .sinceAsked(let limit): max(0, asked + limit - monotonicMilliseconds())
      case .fromNow(let limit): limit
      }
    }
  }

  /// How long requests wait for the TPM, in milliseconds: less than a login waits for signetd. A login needs the key several times, so
  /// it is counted from when the TPM was asked.
  private static let replyTimeout = Wait.sinceAsked(700)
  /// For how long the TPM is not asked again about a file that it does not open: a login asks several times, and has no time for that.
  private static let refusalTime: Int64 = 30_000
  /// How long a start waits for it: TPMs of their own chip take a second and more.
  private static let startLimit: Int64 = 5_000
  /// How long the TPM may take where nobody waits for it.
  private static let limit: Int64 = 15_000

  /// `path` is the state directory's.
  package init(path: String, tpm: TPM?) throws(SystemError) {
    root = try StateDirectory(path: path, create: false)
    state = Mutex(State(open: open))
    self.tpm = tpm
  }

  /// The file that the key is in.
  package var path: String { hasSealedFile ? sealedPath : "\(root.path)/\(HostKeyFile.name)" }

  private var sealedPath: String { "\(root.path)/\(SealedKeyFile.name)" }

  /// Whether the TPM has the key.
  package var hasSealedFile: Bool { (try? root.stamp(SealedKeyFile.name)) != nil }

  private var hasHostFile: Bool { (try? root.stamp(HostKeyFile.name)) != nil }

  /// Whether the TPM is to have the key, and may be there.
  private var isTPMForUse: Bool { tpm.map { $0.isWanted && $0.isThere } ?? false }

  /// Whether the TPM has the key, or will have a new one.
  package var isOfTPM: Bool { hasSealedFile || !hasHostFile && isTPMForUse }

  /// Whether the TPM has opened the key, and nothing else on this machine has it: no file, and no passcode that brought it back.
  package var isOfTPMAlone: Bool { needsRecovery && !hasHostFile && home.home == .tpm }

  /// Where the key is, and the registers that it is sealed for. A key that the TPM has is asked for, and so found out about.
  package var home: (home: KeyHome, pcrs: UInt32) {
    if isInMemoryOnly { return (.memory, 0) }
    guard hasSealedFile || hasRecovery else { return (hasHostFile ? .file : .none, 0) }
    let isOpen = (try? current(isNew: { false })) != nil
    if !hasSealedFile { return (isOpen ? .file : .locked, 0) }
    return (isOpen ? .tpm : .locked, (try? read())?.pcrs ?? 0)
  }

  // MARK: - having the key

  /// Has the TPM open the key without waiting for it.
  package func prepare() {
    state.withLock { state in
      guard let tpm, let file = try? read(), let question = try? tpm.beginUnsealing(file.sealed) else { return }
      state.pending = (question, file.bytes)
    }
  }

  /// Waits for the answer. Whoever asks a signetd that starts waits for it longer than for one that has started.
  package func awaitPrepared() {
    state.withLock { state in
      guard state.pending != nil else { return }
      _ = try? sealed(&state, .fromNow(Self.startLimit))
    }
  }

  /// The key, read once. `isNew`: whether nothing can have been sealed yet. `patiently`: no request waits for it.
  package func key(isNew: () -> Bool, patiently: Bool = false) throws(SystemError) -> HeldKey {
    if let key = open.key { return key }
    return try current(isNew: isNew, patiently: patiently)
  }

  /// Whether the key is open already.
  package var isOpen: Bool { open.key != nil }

  /// The key that is on disk now, for what is sealed with it.
  package func current(isNew: () -> Bool, patiently: Bool = false) throws(SystemError) -> HeldKey {
    guard patiently else { return try current(isNew, Self.replyTimeout) }
    let deadline = monotonicMilliseconds() + Self.limit
    while true {
      // In short turns, so that nobody who asks meanwhile waits for the patient one.
      do throws(SystemError) { return try current(isNew, .fromNow(50)) } catch {
        guard case .deviceKeySealed(_, .silent, _) = error, monotonicMilliseconds() < deadline else { throw error }
      }
    }
  }

  private func current(_ isNew: () -> Bool, _ wait: Wait) throws(SystemError) -> HeldKey {
    let result: Result<HeldKey, SystemError> = state.withLock { state in
      do throws(SystemError) { return .success(try current(&state, isNew, wait)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func current(_ state: inout State, _ isNew: () -> Bool, _ wait: Wait) throws(SystemError) -> HeldKey {
    do throws(SystemError) {
      if let key = try sealed(&state, wait) { return key }
    } catch {
      // Nothing is lost with a key under which nothing was sealed.
      if case .deviceKeySealed(_, .silent, _) = error { throw error }
      guard isNew() else { throw error }
      try forgetSealed(&state)
    }
    if !hasHostFile, hasRecovery, !isNew() { throw .deviceKeySealed(sealedPath, .gone, code: 0) }
    let key = try HostKeyFile(in: root, isNew: isNew()).key
    (state.known, state.file) = (key, nil)
    return key
  }

  /// The key from the TPM's file; `nil` where there is no such file.
  private func sealed(_ state: inout State, _ wait: Wait) throws(SystemError) -> HeldKey? {
    guard let file = try read() else { return nil }
    if let key = state.known, state.file == file.bytes { return key }
    let key: HeldKey
    if let left = leftOver(file) { key = left } else { key = try unseal(file, &state, wait) }
    (state.known, state.file, state.pending) = (key, file.bytes, nil)
    return key
  }

  private func read() throws(SystemError) -> SealedKeyFile? {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try root.read(SealedKeyFile.name, limit: SealedKeyFile.limit) } catch {
      throw .deviceKeyUnreadable(error)
    }
    guard let bytes else { return nil }
    do throws(FormatError) { return try SealedKeyFile(decoding: bytes) } catch {
      throw .deviceKeySealed(sealedPath, .damaged, code: 0)
    }
  }

  /// The same key in the other file: an administrator put it back, or a crash left it there.
  private func leftOver(_ file: SealedKeyFile) -> HeldKey? {
    guard hasHostFile, let key = try? HostKeyFile(in: root, isNew: false).key, key.mark == file.mark else { return nil }
    return key
  }

  private func unseal(_ file: SealedKeyFile, _ state: inout State, _ wait: Wait) throws(SystemError) -> HeldKey {
    guard let tpm else { throw .deviceKeySealed(sealedPath, .missing, code: 0) }
    if let refusal = state.refusal, refusal.file == file.bytes, monotonicMilliseconds() < refusal.until {
      throw .deviceKeySealed(sealedPath, refusal.failure.fault, code: refusal.failure.code)
    }
    do throws(TPM.Failure) {
      if state.pending?.file != file.bytes { state.pending = (try tpm.beginUnsealing(file.sealed), file.bytes) }
      guard let question = state.pending?.question else { throw TPM.Failure(fault: .refused) }
      let key = try question.key(within: wait.rest(since: question.asked))
      guard key.mark == file.mark else { throw TPM.Failure(fault: .damaged) }
      return key
    } catch {
      // A slow answer may still come.
      if error.fault != .silent {
        state.pending = nil
        remember(error, of: file, &state)
      }
      throw .deviceKeySealed(sealedPath, error.fault, code: error.code)
    }
  }

  /// A TPM that is not there is soon asked, and may be back at any moment.
  private func remember(_ failure: TPM.Failure, of file: SealedKeyFile, _ state: inout State) {
    guard [.wrongPCR, .cleared, .replaced, .damaged].contains(failure.fault) else { return }
    state.refusal = (file.bytes, failure, monotonicMilliseconds() + Self.refusalTime)
  }

  // MARK: - moving it

  /// What is to be done about where the key is.
  package enum Care: Equatable {
    case none
    /// The TPM is to have it, or to have it for other PCRs.
    case seal
    /// It goes back into the file.
    case unseal
  }

  package var care: Care {
    guard let tpm else { return .none }
    guard let file = try? read() else { return !hasSealedFile && isTPMForUse ? .seal : .none }
    if !tpm.isWanted { return .unseal }
    return tpm.isThere && (file.pcrs != tpm.pcrs || hasHostFile) ? .seal : .none
  }

  /// Whether recovery copies of the key are wanted: where it cannot be had from a file.
  package var needsRecovery: Bool { hasSealedFile && tpm?.isWanted == true }

  /// The TPM, where it has the device key and may be asked for more; it is not asked here.
  package var tpmInUse: TPM? { needsRecovery && isTPMForUse ? tpm : nil }

  /// Has the TPM seal the key, a new one where there is none yet. The file with the key is destroyed only after the TPM has opened
  /// the key again, and after `keep` has made a copy from which a passcode brings it back.
  package func seal(isNew: () -> Bool, keep: (HeldKey) throws(SystemError) -> Void) throws(SystemError) {
    let result: Result<Void, SystemError> = state.withLock { state in
      do throws(SystemError) {
        let key = try keyToSeal(&state, isNew)
        try keep(key)
        try seal(key, &state)
        if hasHostFile { try root.destroy(HostKeyFile.name) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func keyToSeal(_ state: inout State, _ isNew: () -> Bool) throws(SystemError) -> HeldKey {
    if !hasSealedFile, !hasHostFile, isNew() {
      guard let key = SealingKey(random: ()) else { throw .call(.makeKey, sealedPath, code: EAGAIN) }
      return HeldKey(key)
    }
    return try current(&state, isNew, .fromNow(Self.limit))
  }

  private func seal(_ key: HeldKey, _ state: inout State) throws(SystemError) {
    guard let tpm else { return }
    do throws(TPM.Failure) {
      let sealed = try tpm.seal(key, within: Self.limit)
      let opened = try tpm.beginUnsealing(sealed).key(within: Self.limit)
      guard opened.mark == key.mark else { throw TPM.Failure(fault: .refused) }
      let file = SealedKeyFile(mark: key.mark, pcrs: tpm.pcrs, sealed: sealed)
      do throws(SystemError) {
        try root.replace(SealedKeyFile.name, with: file.bytes)
        guard try root.read(SealedKeyFile.name, limit: SealedKeyFile.limit) == file.bytes else {
          throw .call(.read, sealedPath, code: EIO)
        }
      } catch {
        Log.write(.error, error.description)
        throw TPM.Failure(fault: .damaged)
      }
      (state.known, state.file, state.pending, state.isUnsealed) = (key, file.bytes, nil, false)
    } catch {
      throw .deviceKeySealed(sealedPath, error.fault, code: error.code)
    }
  }

  /// Puts the key back into its file, where the TPM is not wanted any more.
  package func unseal() throws(SystemError) {
    let result: Result<Void, SystemError> = state.withLock { state in
      do throws(SystemError) {
        guard let key = try sealed(&state, .fromNow(Self.limit)) else { return .success(()) }
        guard let secret = key.copy else { throw .call(.makeKey, sealedPath, code: ENOMEM) }
        try root.replace(HostKeyFile.name, with: Array(copying: secret.span))
        try forgetSealed(&state)
        state.known = key
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func forgetSealed(_ state: inout State) throws(SystemError) {
    try root.remove(SealedKeyFile.name)
    if let copies = try root.existingDirectory(Self.recoveryName) {
      for name in try copies.names() { try copies.remove(name) }
    }
    (state.known, state.file, state.pending, state.isUnsealed) = (nil, nil, nil, false)
  }

  // MARK: - bringing it back

  /// The folder of the recovery copies, one for each user.
  package static let recoveryName = "recovery"

  private var hasRecovery: Bool { (try? root.existingDirectory(Self.recoveryName)?.names().isEmpty) == false }

  /// Takes the key that a passcode has brought back, and has the TPM seal it as it is now. False where it is not the key that the
  /// file is about.
  package func recover(_ key: HeldKey) -> Bool {
    state.withLock { state in
      let file = try? read()
      guard file.map({ $0.mark == key.mark }) ?? true else { return false }
      (state.known, state.file, state.pending, state.isUnsealed) = (key, file?.bytes, nil, true)
      guard isTPMForUse else { return true }
      do throws(SystemError) { try seal(key, &state) } catch {
        Log.write(.error, "the device key is open, but not sealed anew: \(error.description)")
      }
      return true
    }
  }

  /// Whether the key is in memory alone, so that the next signetd would not have it.
  package var isInMemoryOnly: Bool { state.withLock { $0.isUnsealed } }
}
