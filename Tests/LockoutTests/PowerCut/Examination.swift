import CPowerCut
import Glibc
import SignetTestKit

/// Every state in which a crash may leave the recorded disk: mounted by the kernel, read by signetd's own code, and compared with
/// what was promised.
struct Examination: Sendable {
  /// How many were looked at, those that are the same disk as another counted again.
  private(set) var states: [Recording.Kind: Int] = [:]
  private(set) var violations: [String] = []
  private let recording: Recording
  /// The test's, and whose account is read.
  private let folder: String
  private let uid: UInt32
  private let file: Int32
  private let seed: UInt64
  /// What is certainly on the medium.
  private var flushed: [UInt8]
  /// What was found since the last flush, by the entries that are on the medium on top of it.
  private var known: [[Int]: Found] = [:]

  /// So many violations say enough; the rest is not looked at.
  private static let enough = 3

  /// Mounting is mostly waiting, so several disks are examined at the same time, and the flushes are shared out among them.
  private static let disks = 4

  static func run(_ recording: Recording, in folder: String, uid: UInt32, seed: UInt64) async throws -> Examination {
    try await withThrowingTaskGroup { group in
      for disk in 0..<disks {
        group.addTask {
          try await withOwnMounts {
            let file = powercut_memory_file()
            guard file >= 0 else { throw TestKitError("no memory") }
            defer { close(file) }
            var part = Examination(recording, "\(folder)/\(disk)", uid, file, seed)
            try part.run(disk)
            return part
          }
        }
      }
      let first = try await group.next()!
      return try await group.reduce(into: first) { $0.add($1) }
    }
  }

  private init(_ recording: Recording, _ folder: String, _ uid: UInt32, _ file: Int32, _ seed: UInt64) {
    (self.recording, self.folder, self.uid, self.file, self.seed) = (recording, folder, uid, file, seed)
    flushed = recording.base
    for name in ["", "/run", "/mounted"] { mkdir(folder + name, 0o700) }
  }

  private mutating func add(_ other: Examination) {
    states.merge(other.states, uniquingKeysWith: +)
    violations += other.violations
  }

  private mutating func run(_ disk: Int) throws {
    try put(flushed[...], at: 0)
    let device = try LoopDevice(of: file)
    var (start, flushes) = (0, 0)
    for cut in 0...recording.entries.count {
      if flushes % Examination.disks == disk { try look(at: cut, pending: start..<cut, on: device) }
      if violations.count >= Examination.enough { return }
      guard cut < recording.entries.count, case .flush = recording.entries[cut] else { continue }
      flush(start..<cut)
      start = cut + 1
      flushes += 1
    }
  }

  private mutating func look(at cut: Int, pending: Range<Int>, on device: borrowing LoopDevice) throws {
    // Of the cut's own, so that it does not matter who looks at it.
    var random = SeededGenerator(seed: seed, number: UInt64(cut))
    for state in recording.states(at: cut, pending: pending, using: &random) {
      let isTorn = state.kind == .torn
      let found = try (isTorn ? nil : known[state.kept]) ?? look(at: state, on: device)
      if !isTorn { known[state.kept] = found }
      check(state, found)
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

  private mutating func flush(_ entries: Range<Int>) {
    for case .write(let write) in recording.entries[entries] {
      flushed.replaceSubrange(write.offset..<write.offset + write.bytes.count, with: write.bytes)
    }
    known = [:]
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
