import DaemonService
import SignetVocabulary
import SignetWire

/// How many rows of a history may be of kinds that a program can cause as often as it likes, without a finger or a
/// passcode. Else who has something to hide would push it out of the files, be it the owner's rows or their own.
///
/// It counts for each asker and kind of event, so that much of one kind hides nothing of another, and for all strangers
/// together, because one person may have many accounts. What is beyond that is counted instead: a row says how many there
/// were at the first, the tenth, the hundredth and so on, and when signetd ends.
struct HistoryQuota {
  /// Whose rows share a limit.
  private enum Group { case owner, root, strangers }

  /// Numbers of rows in one window.
  struct Limits {
    /// Of one kind, by one asker.
    let ofKind: Int
    /// When a group has so many rows, there are no more repetitions, then no more counts, and at last not even the first of
    /// a kind by an asker: what is new must not be lost for what is not.
    let repetitions: Int
    let counts: Int
    let firsts: Int
  }

  /// The files together hold some two thousand rows, and a stranger's are short: all strangers together fill a third of them
  /// in a day, so a week later the owner still finds what else was there.
  static let ofStrangers = Limits(ofKind: 4, repetitions: 128, counts: 256, firsts: 384)
  /// Of the owner.
  static let ofOwner = Limits(ofKind: 64, repetitions: 256, counts: 384, firsts: 512)
  /// Of root's services that nobody logged in to, and of whom nothing is known any more: a stranger's program may be gone
  /// before it is looked at.
  static let ofRoot = Limits(ofKind: 16, repetitions: 64, counts: 96, firsts: 128)
  /// How many rows may say that there were events without any row.
  static let gaps = 16
  /// Over how long rows are counted, in seconds.
  static let window: UInt64 = 86_400

  private struct Series: Hashable {
    let asker: UInt32
    let kind: Event.Kind

    init(_ row: EventRow) { (asker, kind) = (row.requester.asker, row.event.kind) }

    init(asker: UInt32, kind: Event.Kind) { (self.asker, self.kind) = (asker, kind) }
  }

  private struct Written {
    let series: Series
    var time: UInt64
    let isCount: Bool
  }

  /// How many of a series have no row of their own, and how many of them a row tells of.
  private struct Beyond {
    var count = 0
    var told = 0
    /// The last of them.
    var row: EventRow
  }

  private let owner: UInt32
  private var written: [Written] = []
  private var beyond: [Series: Beyond] = [:]
  /// Those that have no series here, because that would be one more than `Limits.firsts`.
  private var unnamed = 0

  /// Continues from the rows that there are.
  init(owner: UInt32, _ rows: [EventRow] = []) {
    self.owner = owner
    for row in rows {
      if case .repeated(let kind, let count) = row.event {
        let series = Series(asker: row.requester.asker, kind: kind)
        beyond[series] = Beyond(count: count, told: count, row: row)
        written.append(Written(series: series, time: row.time, isCount: true))
      } else if row.isCheap || row.event.kind == .gap {
        written.append(Written(series: Series(row), time: row.time, isCount: false))
      }
    }
    if let last = rows.last { forget(before: last.time) }
  }

  /// The rows to be kept, in the place of these.
  mutating func admit(_ rows: [EventRow]) -> [EventRow] { rows.flatMap { row in row.isCheap ? admit(row) : [row] } }

  private mutating func admit(_ row: EventRow) -> [EventRow] {
    forget(before: row.time)
    let series = Series(row)
    let limits = limits(of: series)
    let before = written.count { $0.series == series && !$0.isCount }
    let isRoom = before == 0 ? used(by: series) < limits.firsts : before < limits.ofKind && used(by: series) < limits.repetitions
    if isRoom {
      written.append(Written(series: series, time: row.time, isCount: false))
      return [group(of: series) == .strangers ? row.shortened : row]
    }
    return before == 0 ? countUnnamed(row) : count(row, series)
  }

  private mutating func count(_ row: EventRow, _ series: Series) -> [EventRow] {
    var counted = beyond[series] ?? Beyond(row: row)
    counted.count += 1
    counted.row = row
    beyond[series] = counted
    return counted.count.isPowerOfTen ? tell(series) : []
  }

  /// A row about what is counted and not told of yet.
  private mutating func tell(_ series: Series) -> [EventRow] {
    guard let counted = beyond[series], counted.told < counted.count, used(by: series) < limits(of: series).counts else {
      return []
    }
    beyond[series]?.told = counted.count
    written.append(Written(series: series, time: counted.row.time, isCount: true))
    var row = counted.row.shortened
    row.event = .repeated(series.kind, count: counted.count)
    return [row]
  }

  private mutating func countUnnamed(_ row: EventRow) -> [EventRow] {
    unnamed += 1
    let gap = EventRow(time: row.time, event: .gap(unnamed, .events), requester: EventRequester())
    guard unnamed.isPowerOfTen, written.count(where: { $0.series == Series(gap) }) < HistoryQuota.gaps else { return [] }
    written.append(Written(series: Series(gap), time: row.time, isCount: true))
    return [gap]
  }

  /// The rows about all that is counted and not told of: at signetd's end, which forgets the rest.
  mutating func close() -> [EventRow] { beyond.keys.sorted { $0.asker < $1.asker }.flatMap { tell($0) } }

  private mutating func forget(before now: UInt64) {
    // Times after the row's are from before the clock was set back: they count for one more window.
    for index in written.indices { written[index].time = min(written[index].time, now) }
    written.removeAll { now - $0.time >= HistoryQuota.window }
    let series = Set(written.map(\.series))
    beyond = beyond.filter { series.contains($0.key) }
    if !written.contains(where: { $0.series.kind == .gap }) { unnamed = 0 }
  }

  private func group(of series: Series) -> Group {
    series.asker == owner ? .owner : series.asker == 0 ? .root : .strangers
  }

  private func limits(of series: Series) -> Limits {
    switch group(of: series) {
    case .owner: HistoryQuota.ofOwner
    case .root: HistoryQuota.ofRoot
    case .strangers: HistoryQuota.ofStrangers
    }
  }

  private func used(by series: Series) -> Int {
    written.count { $0.series.kind != .gap && group(of: $0.series) == group(of: series) }
  }
}

extension EventRequester {
  /// Who is behind the request, as far as the quota tells people apart: who logged in or started a setuid program, whoever they
  /// became by that, else as whom the process runs.
  var asker: UInt32 { loginUser == EventRequester.none ? uid : loginUser }
}

extension EventRow {
  fileprivate var isCheap: Bool { event.isCheap }

  /// With what the asker chose cut to a length that does not make the files smaller for others.
  fileprivate var shortened: EventRow {
    var row = self
    row.requester.program = requester.program.shortened(to: 64)
    row.requester.service = requester.service.shortened(to: 32)
    row.requester.terminal = requester.terminal.shortened(to: 32)
    return row
  }
}
