import SignetDigest
import SignetVocabulary
import SignetWire

@testable import DaemonAudit
@testable import SignetDaemon

// A history is read to its end whatever is in it. Each row that is accepted is in the file bit for bit, and whatever is between
// rows is shown as a gap.

private let uid: UInt32 = 1000
private let owner = "alice"

/// Events of each kind, as far as their rows look like one of these.
private var events: [Event] {
  let contents: [(code: UInt8, count: UInt32, detail: String)] = [
    (0, 0, ""), (1, 0, ""), (0, 1, ""), (1, 1, ""), (0, 0, "left-thumb"), (1, 0, "left-thumb"), (0, 0, "0123abcd"),
    (1, 0, "0123abcd"),
  ]
  return Event.Kind.allCases.filter { $0 != .gap }.flatMap { kind in
    contents.compactMap { Event(EventForm(kind: kind, code: $0.code, count: $0.count, detail: $0.detail)) }
  }
}

/// Rows as files: each kind, and two with a torn one between them.
var historySeeds: [[UInt8]] {
  let rows = events.map { event in
    let requester = EventRequester(pid: 7, program: "/usr/bin/sudo", service: "sudo", terminal: "pts/0")
    return encoded(EventRow(time: 1, event: event, requester: requester))
  }
  return rows + [rows[0] + rows[1].dropLast(3) + rows[2]]
}

/// A row with this content, right length and right digest, which no mutation would ever get right.
func historyRow(_ content: [UInt8]) -> [UInt8] {
  let body = Array("SGev".utf8) + [UInt8(content.count & 255), UInt8(content.count >> 8)] + content
  return body + SHA256.hash(body.span).prefix(8)
}

func readHistory(_ file: [UInt8]) {
  let rows = HistoryRows.decode(file, uid: uid, owner: owner)
  var rest = file[...]
  for row in rows where row.event.kind != .gap {
    let bytes = encoded(row)
    guard let start = rest.indices.first(where: { rest[$0...].starts(with: bytes) }) else {
      fail("\(row) is not in \(hex(file.span))")
    }
    rest = rest[(start + bytes.count)...]
  }
  require(file.isEmpty || !rows.isEmpty || isOfOther(file), "nothing is said of \(hex(file.span))")
}

/// Whether the file holds rows of another user alone, of which nothing is told.
private func isOfOther(_ file: [UInt8]) -> Bool { file.starts(with: "SGev".utf8) }

private func encoded(_ row: EventRow) -> [UInt8] { try! HistoryRows.encode(row, uid: uid, owner: owner) }
