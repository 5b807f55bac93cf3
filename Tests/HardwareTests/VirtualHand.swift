import CFprint
import Glibc
import SignetMemory
import SignetScenarios
import SignetTestKit
import SignetVocabulary

/// The hand at one of libfprint's virtual readers.
final class VirtualHand: Hand {
  private let scene: Scene
  private var reader: VirtualReader { scene.reader }
  private var isFull = false
  private var frozenAfter: Int?
  private var impression = 0
  /// The process that has the enrolled finger in the memory that plays the reader's.
  private var keeper: pid_t?

  init(_ scene: Scene) { self.scene = scene }

  let isPerson = false
  let knowsPasscode = true
  let unplugLasts = false

  func enterPasscode(into answer: inout SecretBytes) throws(Stop) {
    guard answer.append(RunningDaemon.passcode.utf8.span) else { throw .cannot("the passcode is too long") }
  }

  /// virtual_image ends a cancelled scan only while somebody is connected.
  func readerIsArmed() throws(Stop) {
    guard reader.kind == .image else { return }
    reader.disconnect()
    do { try reader.connectToImageReader() } catch { throw .wrong("the virtual reader: \(error)") }
  }

  func perform(_ gesture: Gesture) throws(Stop) {
    do { try act(gesture) } catch let stop as Stop { throw stop } catch { throw .wrong("the virtual reader: \(error)") }
  }

  private func act(_ gesture: Gesture) throws {
    switch gesture {
    case .touch:
      try keepFinger()
      try touch("right", SyntheticFinger(seed: 1))
    case .touchOther: try touch("wrong", SyntheticFinger(seed: 2))
    case .touchPoorly:
      if reader.kind == .image { try touch("", SyntheticFinger(seed: 3, minutiae: 2)) } else { try reader.poorScan() }
    case .unplug:
      guard reader.kind != .image else { throw Stop.cannot("libfprint's virtual_image cannot be pulled out") }
      do { try reader.unplug() } catch { throw Stop.cannot("a virtual reader can be pulled out only while it is open") }
    // Virtual readers come back with a new process only.
    case .plug: try endReaderProcess()
    case .freeze(let bytes):
      guard reader.kind == .image else { throw Stop.cannot("this virtual reader answers in one piece") }
      frozenAfter = bytes
    case .thaw:
      frozenAfter = nil
      reader.disconnect()
    case .fillStorage: isFull = true
    case .emptyStorage: isFull = false
    case .suspend, .resume: throw Stop.cannot("the machine of the tests does not sleep, and only root may say that it does")
    case .addReader, .removeReader: throw Stop.cannot("virtual readers are there from the start")
    }
  }

  private func touch(_ name: String, _ finger: SyntheticFinger) throws {
    if isFull { return try reader.fail(Int(FP_DEVICE_ERROR_DATA_FULL.rawValue)) }
    guard reader.kind == .image else { return try reader.scan(name) }
    impression += 1
    let image = finger.impression(impression)
    // On a busy machine such a scan may be over, and the reader closed, before the picture is drawn: nothing was to come of it.
    if let frozenAfter { return (try? reader.present(image, upTo: frozenAfter)) ?? () }
    try reader.present(image)
  }

  /// A real reader's memory outlives a plug and a sleep, that of a virtual one ends with signet-reader.
  private func keepFinger() throws {
    guard reader.kind == .storage else { return }
    let process = scene.daemon.readerPid
    if let keeper, keeper != process { try reader.insert("right") }
    keeper = process
  }

  private func endReaderProcess() throws {
    for pid in try ProcessLook(scene.daemon.pid).children(named: "signet-reader") { kill(pid, SIGKILL) }
    try scene.awaitNoChild(named: "signet-reader")
  }
}
