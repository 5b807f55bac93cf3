import CFprint

/// What libfprint says about the finger and the reader at one moment.
struct FingerStatus: OptionSet {
  let rawValue: UInt32

  static let needed = FingerStatus(rawValue: FP_FINGER_STATUS_NEEDED.rawValue)
  static let present = FingerStatus(rawValue: FP_FINGER_STATUS_PRESENT.rawValue)

  init(rawValue: UInt32) { self.rawValue = rawValue }

  init(of device: UnsafeMutablePointer<FpDevice>) { self.init(rawValue: fp_device_get_finger_status(device).rawValue) }
}

/// What signetd is told about the finger during one operation. It decides by these words whether a scan without a verdict costs
/// a strike, and whether somebody else may have the reader, so nothing is told that was not seen. There is no I/O in here.
struct FingerWatch {
  enum Word { case armed, finger, fingerOff }

  private enum Call { case none, beginning, running }

  private var status: FingerStatus = []
  private var call = Call.none
  private var isArmed = false
  /// Whether a finger was told of at any time.
  private(set) var wasSeen = false
  /// The finger is gone from the status, and the status is empty. That is also what libfprint makes of it when a call ends,
  /// with the finger still on the reader, so it takes a moment to know which of the two it was.
  private(set) var isOffDoubtful = false

  /// A libfprint call begins that needs a finger. A finger may lie there already.
  mutating func callBegins(_ status: FingerStatus) -> [Word] {
    call = .beginning
    isOffDoubtful = false
    self.status = []
    return changed(to: status)
  }

  /// The call is running. Where the finger lay there already, the call may have brought the verdict before it ran; so until
  /// now nobody was told to touch the reader.
  mutating func callRuns() -> [Word] {
    call = .running
    return status.contains(.needed) ? arm() : []
  }

  /// Takes a new status, which the driver or libfprint has reported.
  mutating func changed(to new: FingerStatus) -> [Word] {
    let old = status
    status = new
    var words: [Word] = []
    if new.contains(.present), !old.contains(.present) {
      isOffDoubtful = false
      wasSeen = true
      words.append(.finger)
    } else if old.contains(.present), !new.contains(.present) {
      // A driver that asks for the next touch in the same breath has not looked whether the finger was lifted.
      if new == old.subtracting(.present), new.contains(.needed) { words.append(.fingerOff) }
      isOffDoubtful = new.isEmpty
    }
    if new.contains(.needed), call == .running { words += arm() }
    return words
  }

  /// The call has run for a while. A driver that has said nothing yet is one that never does.
  mutating func waitedLong() -> [Word] { call == .running ? arm() : [] }

  /// A finger was scanned, so the reader needed one, whether the driver said so or not.
  mutating func scanned() -> [Word] { arm() }

  /// The main loop went on after the last change. If the call is still running, it was the driver that saw the finger lifted.
  mutating func loopWentOn() -> [Word] { call == .running ? confirmOff() : [] }

  /// The call has ended; `waitsForLift` for a call that only ends when the driver has seen the finger lifted.
  mutating func callEnded(waitsForLift: Bool) -> [Word] {
    let words = waitsForLift ? confirmOff() : []
    call = .none
    isOffDoubtful = false
    status = []
    return words
  }

  private mutating func arm() -> [Word] {
    if isArmed { return [] }
    isArmed = true
    return [.armed]
  }

  private mutating func confirmOff() -> [Word] {
    guard isOffDoubtful else { return [] }
    isOffDoubtful = false
    return [.fingerOff]
  }
}
