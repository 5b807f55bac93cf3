import Glibc
import SignetTestKit

/// Everything that reached a disk in one story, and what had been promised when.
struct Recording: Sendable {
  /// From `entry` entries on, this is what a power cut may leave.
  struct Promise: Sendable {
    var entry: Int
    var expectation: Expectation
    /// What had happened, for the report.
    var event: String
  }

  var base: [UInt8]
  var entries: [RecordedDisk.Entry]
  var promises: [Promise]

  /// A state in which a power cut may leave the disk: everything that was flushed, and some of what was written since.
  struct CrashState {
    /// How many entries had been sent to the disk.
    var cut: Int
    /// The entries since the last flush that are on the medium.
    var kept: [Int]
    /// How many sectors of the next entry are, too.
    var tornSectors = 0
    var kind: Kind
  }

  enum Kind: String, CaseIterable {
    case complete = "every write up to here is kept"
    case flushedOnly = "only what was flushed is kept"
    case oneLost = "one unflushed write is lost"
    case someLost = "some unflushed writes are lost"
    case torn = "the next write is torn"
  }

  /// The promises that a crash state must keep. While the log does not grow the disk does not change, so at a cut all that
  /// is promised during that time holds; a write that is torn came after the last of them.
  func promises(for state: CrashState) -> [Promise] {
    let before = promises.last { $0.entry < state.cut }
    let during = promises.filter { $0.entry == state.cut }
    if state.kind == .torn { return [during.last ?? before].compactMap { $0 } }
    return [before].compactMap { $0 } + during
  }

  /// The crash states at one cut, where the entries `pending` were written since the last flush.
  func states(at cut: Int, pending: Range<Int>, using random: inout SeededGenerator) -> [CrashState] {
    var states = [CrashState(cut: cut, kept: Array(pending), kind: .complete)]
    if cut < entries.count, case .write(let next) = entries[cut] {
      // ext4 itself counts on its superblock (in the first block) being written whole.
      if next.offset > 0, next.changed.count > 1 {
        let sectors = Int.random(in: next.changed.dropFirst(), using: &random)
        states.append(CrashState(cut: cut, kept: Array(pending), tornSectors: sectors, kind: .torn))
      }
      // What is lost in the middle of a run of writes is lost at its end, too, unless something is promised here.
      if !promises.contains(where: { $0.entry == cut }) { return states }
    }
    if pending.isEmpty { return states }
    states.append(CrashState(cut: cut, kept: [], kind: .flushedOnly))
    if pending.count == 1 { return states }
    for lost in pending { states.append(CrashState(cut: cut, kept: pending.filter { $0 != lost }, kind: .oneLost)) }
    for _ in 0..<2 {
      let kept = pending.filter { _ in Bool.random(using: &random) }
      states.append(CrashState(cut: cut, kept: kept, kind: .someLost))
    }
    return states
  }
}
