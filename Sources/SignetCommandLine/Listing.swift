import SignetWire

/// Requests that are answered by rows and `done`.
enum Listing {
  static func fingers(of user: String, at socket: String) throws(CommandFailure) -> [FingerRow] {
    try rows(.list(user: user), at: socket) { if case .finger(let row) = $0 { row } else { nil } }
  }

  static func readers(at socket: String) throws(CommandFailure) -> [ReaderDescription] {
    try rows(.readers, at: socket) { if case .reader(let row) = $0 { row } else { nil } }
  }

  static func sessions(at socket: String) throws(CommandFailure) -> [SessionRow] {
    try rows(.sessions, at: socket) { if case .session(let row) = $0 { row } else { nil } }
  }

  static func status(of user: String, at socket: String) throws(CommandFailure) -> StatusRow {
    let rows = try rows(.status(user: user), at: socket) { if case .status(let row) = $0 { row } else { nil } }
    guard let row = rows.first, rows.count == 1 else { throw unexpected }
    return row
  }

  /// Asks for something that is answered by `done` alone.
  static func order(_ request: AdministrationRequest, at socket: String) throws(CommandFailure) {
    _ = try rows(request, at: socket) { _ -> Never? in nil }
  }

  /// More rows than any user has fingers, readers or sessions: a helper that never says `done` must not fill the memory.
  private static var limit: Int { 100_000 }

  private static func rows<Row>(
    _ request: AdministrationRequest, at socket: String, _ row: (AdministrationReply) -> Row?
  ) throws(CommandFailure) -> [Row] {
    var exchange = try Exchange(socket: socket)
    try exchange.send(request)
    var rows: [Row] = []
    while rows.count < limit {
      let reply = try exchange.next()
      switch reply {
      case .done: return rows
      case .refused(let refusal, let explanation): throw CommandFailure(refusal, explanation: explanation)
      default:
        guard let row = row(reply) else { throw unexpected }
        rows.append(row)
      }
    }
    throw unexpected
  }

  private static var unexpected: CommandFailure {
    CommandFailure(.noHelper, "signetd answered something else. Restart it: systemctl restart signetd")
  }
}
