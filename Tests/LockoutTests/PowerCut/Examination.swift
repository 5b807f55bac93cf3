import CPowerCut
import Glibc
import SignetTestKit

/// Every crash state of a recording: mounted by the kernel, read by signetd's own reader, held against what was promised.
struct Examination {
  /// How many were looked at, those that are the same disk as another counted again.
  private(set) var states: [Recording.Kind: Int] = [:]
  private(set) var violations: [String] = []
  private let recording: Recording
  /// The test's, and whose account is read.
  private let folder: String
  private let uid: UInt32
  private let file: Int32
  private var random: Random
  /// What is certainly on the medium.
  private var flushed: [UInt8]
  /// What was found since the last flush, by the entries that are on the medium on top of it.
  private var known: [[Int]: Found] = [:]

  /// So many violations say enough; the rest is not looked at.
  private static let enough = 3

  static func run(_ recording: Recording, in folder: String, uid: UInt32, seed: UInt64) throws -> Examination {
    let file = powercut_memory_file()
    guard file >= 0 else { throw TestKitError("no memory") }
    defer { close(file) }
    var examination = Examination(recording, folder, uid, file, Random(seed: seed))
    try examination.run()
    return examination
  }

  private init(_ recording: Recording, _ folder: String, _ uid: UInt32, _ file: Int32, _ random: Random) {
    (self.recording, self.folder, self.uid, self.file, self.random) = (recording, folder, uid, file, random)
    flushed = recording.base
  }

  private mutating func run() throws {
    try put(flushed[...], at: 0)
    let device = try LoopDevice(of: file)
    var start = 0
    for cut in 0...recording.entries.count {
      for state in recording.states(at: cut, pending: start..<cut, using: &random) {
        let found = try known[state.kept].flatMap { state.kind == .torn ? nil : $0 } ?? look(at: state, on: device)
        if state.kind != .torn { known[state.kept] = found }
        check(state, found)
      }
      if violations.count >= Examination.enough { return }
      guard cut < recording.entries.count, case .flush = recording.entries[cut] else { continue }
      flush(Array(start..<cut))
      start = cut + 1
    }
  }

  private mutating func check(_ state: Recording.CrashState, _ found: Found) {
    states[state.kind, default: 0] += 1
    for promise in recording.promises(for: state) where !promise.expectation.allows(found) {
      violations.append("power cut after entry \(state.cut), \(state.kind.rawValue); \(promise.event): found \(found)")
    }
  }

  private func look(at state: Recording.CrashState, on device: borrowing LoopDevice) throws -> Found {
    try put(flushed[...], at: 0)
    for entry in state.kept { try put(entry) }
    if state.tornSectors > 0 { try put(state.cut, sectors: state.tornSectors) }
    try device.forget()
    return try device.mounted(at: folder + "/mounted") {
      try Found(in: folder + "/mounted/state", runtimeDirectory: folder + "/run", uid: uid)
    }
  }

  private mutating func flush(_ entries: [Int]) {
    for case .write(let write) in entries.map({ recording.entries[$0] }) {
      flushed.replaceSubrange(write.offset..<write.offset + write.bytes.count, with: write.bytes)
    }
    // With all of them on the medium it was looked at already.
    known = known[entries].map { [[]: $0] } ?? [:]
  }

  private func put(_ entry: Int, sectors: Int = .max / RecordedDisk.sector) throws {
    guard case .write(let write) = recording.entries[entry] else { return }
    try put(write.bytes.prefix(sectors * RecordedDisk.sector), at: write.offset)
  }

  private func put(_ bytes: ArraySlice<UInt8>, at offset: Int) throws {
    let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, offset) }
    guard count == bytes.count else { throw TestKitError("no room for a crash state") }
  }
}
