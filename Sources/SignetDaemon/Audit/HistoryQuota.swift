import SignetVocabulary
import SignetWire

/// How many rows of a history may be of kinds that a program can cause as often as it likes, without a finger or a
/// passcode: else who has something to hide would push it out of the file.
struct HistoryQuota {
  /// At most so many an hour; the files together hold about two thousand rows.
  static let perHour = 120
  private static let hour: UInt64 = 3600

  /// When the last ones were, in seconds since 1970.
  private var recent: [UInt64]
  private var leftOut = 0

  /// Continues from the rows that there are.
  init(_ rows: [EventRow] = []) {
    recent = rows.filter { $0.isCheap }.suffix(HistoryQuota.perHour).map(\.time)
  }

  /// The rows to be kept, after a gap for what was left out since the last.
  mutating func admit(_ rows: [EventRow]) -> [EventRow] {
    var admitted: [EventRow] = []
    for row in rows {
      guard isWithin(row) else {
        leftOut += 1
        continue
      }
      if leftOut > 0 {
        admitted.append(EventRow(time: row.time, event: .gap(leftOut, .events), requester: EventRequester()))
        leftOut = 0
      }
      admitted.append(row)
    }
    return admitted
  }

  private mutating func isWithin(_ row: EventRow) -> Bool {
    guard row.isCheap else { return true }
    // Times after the row's are from before the clock was set back: they count for one more hour.
    recent = recent.map { min($0, row.time) }.filter { row.time - $0 < HistoryQuota.hour }
    guard recent.count < HistoryQuota.perHour else { return false }
    recent.append(row.time)
    return true
  }
}

extension EventRow {
  fileprivate var isCheap: Bool { EventEntry(event.kind).isCheap }
}
