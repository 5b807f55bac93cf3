import DaemonSealing
import DaemonService
import Glibc
import SignetFiles
import SignetSealing
import SignetVocabulary
import Synchronization

/// The pins of all users: what makes an older copy of the disk that was put back while the machine was off show. Used where the TPM
/// has the device key. Safe from any thread.
///
/// A change is written at once. The TPM then counts in a thread of its own, because it takes up to a second: nobody waits for it.
/// If the machine is switched off before it has counted, that last change can be undone.
package final class RollbackGuard: Sendable {
  private let keeper: DeviceKeeper
  private let root: StateDirectory
  /// Does not outlive this start of the machine. What lies in it needs no TPM to be believed.
  private let runtime: StateDirectory
  private let state = Monitor(State())
  private let fingerMark = Mutex<(@Sendable (UInt32) -> [UInt8])?>(nil)

  private struct State {
    var status = RollbackStatus.undecided
    var pins: [UInt32: Pin] = [:]
    /// Users whose passcode was verified while nothing could be believed, with their sequence.
    var accepted: [UInt32: UInt64] = [:]
    /// Whose fingers were compared, or changed by ourselves.
    var compared: Set<UInt32> = []
    /// The number of the file, and what the TPM has.
    var written: UInt64 = 0
    var counted: UInt64 = 0
    var bytes: [UInt8] = []
    /// The TPM lets no counter be made.
    var isUncounted = false
    /// Whether the TPM may have counted without our knowing yet.
    var isAsking = false
    var isWorking = false
    /// Since when, in milliseconds of the monotonic clock.
    var workingSince: Int64 = 0
    var isWanted = false
  }

  /// What is wrong with one user's state.
  enum Fault: Equatable {
    /// The strikes are an older copy.
    case sequence
    case pins(PinFault)
  }

  /// For how long after the TPM was asked a request waits until it is known whether the state is the newest, in milliseconds. A login asks
  /// several times, and has no more time than that in all.
  private static let decisionTimeout: Int64 = 700
  /// How long the TPM may take.
  private static let limit: Int64 = 15_000

  init(path: String, runtimePath: String, keeper: DeviceKeeper) throws(SystemError) {
    self.keeper = keeper
    root = try StateDirectory(path: path, create: false)
    runtime = try StateDirectory(path: runtimePath, create: true)
  }

  /// What stands for a user's fingers. To be set before anything is asked.
  func useFingers(_ mark: @escaping @Sendable (UInt32) -> [UInt8]) { fingerMark.withLock { $0 = mark } }

  private func mark(of uid: UInt32) -> [UInt8] {
    let body = fingerMark.withLock { $0 }
    return body?(uid) ?? [UInt8](repeating: 0, count: PinsFile.markLength)
  }

  var path: String { "\(root.path)/\(PinsFile.name)" }

  private var isUsed: Bool { keeper.tpm != nil && keeper.hasSealedFile }

  // MARK: - asking

  /// Finds out whether the state on disk is the newest, and has the TPM count where it has not yet. Does not wait.
  package func prepare() {
    state.withLock { state in
      guard isUsed, state.status != .trusted || state.counted < state.written else { return }
      wake(&state)
    }
  }

  /// Whether a finger of the user may be looked at: whether it is known that the state is the newest. Waits a little for that.
  func mayScan(_ uid: UInt32) -> Bool {
    guard isUsed else { return true }
    waitUntilDecided()
    return state.withLock { $0.status == .trusted || $0.accepted[uid] != nil }
  }

  /// Waits a little until it is known whether the state is the newest, where only the TPM's count is missing.
  package func waitUntilDecided() {
    guard isUsed else { return }
    prepare()
    guard keeper.isOpen else { return }
    state.wait { state in
      guard state.status == .undecided, state.isWorking else { return .found(()) }
      return .waits(until: state.workingSince + RollbackGuard.decisionTimeout, otherwise: ())
    }
  }

  /// Gives the TPM this long to count what is not counted yet, before signetd ends.
  package func finish(within limit: Int64) { state.wait(until: monotonicMilliseconds() + limit) { !$0.isWorking } }

  /// Whether it is known that the TPM lets no counter be made: then an older copy of the disk does not show.
  package var isUncounted: Bool { isUsed && state.withLock { $0.status == .trusted && $0.isUncounted } }

  /// Whether the TPM's counter says that the pins on disk are the newest, and they have this user.
  package func vouches(for uid: UInt32) -> Bool {
    guard isUsed else { return false }
    return state.withLock { $0.status == .trusted && !$0.isUncounted && $0.pins[uid] != nil }
  }

  func fault(of uid: UInt32, sequence: UInt64) -> Fault? {
    guard isUsed else { return nil }
    return state.withLock { fault(of: uid, sequence, &$0) }
  }

  private func fault(of uid: UInt32, _ sequence: UInt64, _ state: inout State) -> Fault? {
    switch state.status {
    case .undecided: return nil
    case .distrusted(let fault): return state.accepted[uid] == nil ? .pins(fault) : nil
    case .trusted:
      guard let pin = state.pins[uid] else { return .pins(.unaccepted) }
      guard sequence >= pin.sequence else { return .sequence }
      guard !state.compared.contains(uid) else { return nil }
      guard mark(of: uid) == pin.fingers else { return .pins(.fingers) }
      state.compared.insert(uid)
      return nil
    }
  }

  /// The lowest sequence that a user's strikes may have.
  func sequence(of uid: UInt32) -> UInt64 { state.withLock { $0.pins[uid]?.sequence ?? 0 } }

  // MARK: - changes

  /// A miss, a lock or a delay of this user is on disk, with this sequence.
  func pin(_ uid: UInt32, sequence: UInt64) {
    state.withLock { state in if state.accepted[uid] != nil { state.accepted[uid] = sequence } }
    change(uid) { state in
      guard var pin = state.pins[uid] else { return }
      pin.sequence = max(pin.sequence, sequence)
      state.pins[uid] = pin
    }
  }

  func pinFingers(of uid: UInt32) {
    change(uid) { state in
      state.pins[uid]?.fingers = mark(of: uid)
      state.compared.insert(uid)
    }
  }

  private func change(_ uid: UInt32, _ body: (inout State) -> Void) {
    guard isUsed else { return }
    state.withLock { state in
      // Where nothing is believed, the user's passcode or the next start writes what is there then.
      guard state.status == .trusted else { return }
      let before = state.pins
      body(&state)
      guard state.pins != before else { return }
      write(&state)
      wake(&state)
    }
  }

  /// The user's passcode was verified, or root reset the user: what is on disk counts as the newest from now on.
  func accept(_ uid: UInt32, sequence: UInt64) {
    guard keeper.tpm != nil else { return }
    state.withLock { state in
      state.accepted[uid] = sequence
      guard isUsed, state.status == .trusted else { return wake(&state) }
      if adoptAccepted(&state) { wake(&state) }
    }
  }

  /// Pins what was accepted. False where there was nothing to change.
  private func adoptAccepted(_ state: inout State) -> Bool {
    var isChanged = false
    for (uid, sequence) in state.accepted where fault(of: uid, sequence, &state) != nil {
      state.pins[uid] = Pin(sequence: sequence, fingers: mark(of: uid))
      state.compared.insert(uid)
      isChanged = true
    }
    state.accepted = [:]
    if isChanged { write(&state) }
    return isChanged
  }

  private func write(_ state: inout State) {
    guard state.pins.count <= PinsFile.userLimit else { return Log.write(.error, "\(path) has no place for more users") }
    let number =
      state.isUncounted ? 0 : RollbackStatus.next(written: state.written, counted: state.counted, isAsking: state.isAsking)
    do {
      let key = try keeper.key(isNew: { false })
      let bytes = try PinsFile(number: number, pins: state.pins).sealed(under: key)
      try root.replace(PinsFile.name, with: bytes)
      (state.written, state.bytes) = (number, bytes)
    } catch {
      Log.write(.error, "\(path) is not written, so an older copy of the disk would not show: \(error)")
    }
  }

  // MARK: - the TPM

  private func wake(_ state: inout State) {
    state.isWanted = true
    guard !state.isWorking else { return }
    state.isWorking = true
    state.workingSince = monotonicMilliseconds()
    if !startThread({ [self] in work() }) { state.isWorking = false }
  }

  private func work() {
    while state.withLock({ state in
      state.isWorking = state.isWanted
      state.isWanted = false
      return state.isWorking
    }) { attempt() }
  }

  private func attempt() {
    // With less patience a TPM that is slow at the start would leave the state undecided until somebody asks for something.
    guard isUsed, let tpm = keeper.tpm, let key = try? keeper.key(isNew: { false }, patiently: true) else { return }
    do throws(TPM.Failure) {
      if state.withLock({ $0.status == .undecided }) { try decide(tpm, key) }
      if state.withLock({ $0.status != .trusted && !$0.accepted.isEmpty }) { try begin(tpm, key) }
      state.withLock { if $0.status == .trusted { _ = adoptAccepted(&$0) } }
      try count(tpm, key)
    } catch {
      Log.write(.error, "the TPM does not count: \(error.fault), code 0x\(String(error.code, radix: 16))")
    }
  }

  private func decide(_ tpm: TPM, _ key: HeldKey) throws(TPM.Failure) {
    var bytes: [UInt8] = []
    var file: PinsFile?
    var found = RollbackStatus.File.none
    do {
      if let read = try root.read(PinsFile.name, limit: PinsFile.limit) {
        (found, bytes) = (.damaged, read)
        let opened = try PinsFile(opening: read, under: key)
        (file, found) = (opened, .found(opened.number))
      }
    } catch {
      found = .damaged
    }
    // Whoever puts an older copy back while the machine runs leaves the newer one in memory.
    let isOfThisBoot = !bytes.isEmpty && (try? runtime.read(PinsFile.name, limit: PinsFile.limit)) == bytes
    let counter: UInt64?
    if isOfThisBoot { counter = file?.number } else { counter = try current(tpm, key, file?.number ?? 0) }
    let status = RollbackStatus(found, counter: counter)
    if status == .trusted, file?.number == 0 { RollbackGuard.sayUncounted() }
    if case .distrusted(let fault) = status { Log.write(.error, SystemError.stateUnpinned(path, fault).description) }
    state.withLock { state in
      (state.status, state.bytes) = (status, bytes)
      guard status == .trusted, let file else { return }
      state.pins = file.pins
      (state.written, state.counted, state.isUncounted) = (file.number, file.number, file.number == 0)
    }
    Log.write(.info, "the state on disk was compared with the TPM's counter")
  }

  private static func sayUncounted() {
    Log.write(.error, "the TPM lets no counter be made, so an older copy of the disk would not show")
  }

  /// What the counter has after counting up to `target`; `nil` where there is none.
  private func current(_ tpm: TPM, _ key: HeldKey, _ target: UInt64) throws(TPM.Failure) -> UInt64? {
    do throws(TPM.Failure) { return try tpm.count(key, upTo: target, makes: false, within: RollbackGuard.limit) } catch {
      guard error.fault == .cleared else { throw error }
      return nil
    }
  }

  /// Begins anew with the users whose passcode was verified; the others stay locked until theirs is.
  private func begin(_ tpm: TPM, _ key: HeldKey) throws(TPM.Failure) {
    var counted: UInt64 = 0
    var isUncounted = false
    do throws(TPM.Failure) { counted = try tpm.count(key, upTo: 0, makes: true, within: RollbackGuard.limit) } catch {
      guard error.fault == .refused else { throw error }
      isUncounted = true
      RollbackGuard.sayUncounted()
    }
    state.withLock { state in
      (state.status, state.pins, state.compared) = (.trusted, [:], [])
      (state.written, state.counted, state.isUncounted) = (0, counted, isUncounted)
      _ = adoptAccepted(&state)
    }
    Log.write(.notice, "a passcode has accepted the state on disk; users whose passcode was not entered stay locked")
  }

  /// Has the TPM count until the file is in force.
  private func count(_ tpm: TPM, _ key: HeldKey) throws(TPM.Failure) {
    while let target = state.withLock({ state -> UInt64? in
      guard state.status == .trusted, state.counted < state.written else { return nil }
      state.isAsking = true
      return state.written
    }) {
      // A TPM that was cleared meanwhile: what is in memory is the newest.
      let found = try current(tpm, key, target)
      let value = if let found { found } else { try tpm.count(key, upTo: target, makes: true, within: RollbackGuard.limit) }
      state.withLock { state in
        (state.counted, state.isAsking) = (value, false)
        if value > state.written { write(&state) }
      }
    }
    state.withLock { state in
      guard state.status == .trusted, state.counted == state.written || state.isUncounted else { return }
      do throws(SystemError) { try runtime.replace(PinsFile.name, with: state.bytes, .volatile) } catch {
        Log.write(.error, "the pins are not kept in memory: \(error.description)")
      }
    }
  }
}
