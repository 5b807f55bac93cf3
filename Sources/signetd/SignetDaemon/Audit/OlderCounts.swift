import SignetVocabulary
import SignetWire

extension [EventRow] {
  /// Without the counts that a later one of the same series includes.
  var withoutOlderCounts: [EventRow] {
    var later: [String: (count: Int, time: UInt64)] = [:]
    var kept: [EventRow] = []
    for row in reversed() {
      if case .repeated(let kind, let count) = row.event {
        let name = "\(row.requester.asker) \(kind)"
        if let next = later[name], next.count > count, next.time < row.time + HistoryQuota.window { continue }
        later[name] = (count, row.time)
      }
      kept.append(row)
    }
    return kept.reversed()
  }
}
