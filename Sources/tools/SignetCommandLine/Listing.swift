import SignetVocabulary
import SignetWire
import SignetWords

/// The rows that answer a request, and why there are no more of them where signetd refuses the rest: one damaged template
/// must not hide the others.
struct Listing<Row> {
  var rows: [Row] = []
  var failure: CommandFailure?

  /// The rows, all of them or none.
  func whole() throws(CommandFailure) -> [Row] {
    if let failure { throw failure }
    return rows
  }
}

/// More rows than any user has fingers, readers or sessions: a helper that never says `done` must not fill the memory.
private let limit = 100_000

extension Listing {
  /// Asks for rows; throws where signetd does not answer at all.
  fileprivate static func request(
    _ request: some CommandRequest, at socket: String, title: String = "", reason: String = "",
    _ row: (AdministrationReply) -> Row?
  ) throws(CommandFailure) -> Listing {
    var dialogue = try Dialogue(request, at: socket, title: title, reason: reason)
    var listing = Listing()
    while listing.rows.count < limit {
      guard let reply = try dialogue.nextOrRefusal() else { throw .unexpectedReply }
      switch reply {
      case .done: return listing
      case .refused(let refusal):
        listing.failure = CommandFailure(refusal)
        return listing
      default:
        guard let row = row(reply) else { throw .unexpectedReply }
        listing.rows.append(row)
      }
    }
    throw .unexpectedReply
  }
}

extension Listing<FingerRow> {
  static func fingers(of user: String, at socket: String) throws(CommandFailure) -> Listing {
    try request(AdministrationRequest.list(user: user), at: socket) { if case .finger(let row) = $0 { row } else { nil } }
  }
}

extension Listing<ReaderDescription> {
  static func readers(at socket: String) throws(CommandFailure) -> Listing {
    try request(AdministrationRequest.readers, at: socket) { if case .reader(let row) = $0 { row } else { nil } }
  }
}

extension Listing<SessionRow> {
  static func sessions(at socket: String) throws(CommandFailure) -> Listing {
    try request(AdministrationRequest.sessions, at: socket) { if case .session(let row) = $0 { row } else { nil } }
  }
}

extension Listing<EventRow> {
  static func history(of user: String, limit: UInt16, at socket: String) throws(CommandFailure) -> Listing {
    try request(AdministrationRequest.history(user: user, limit: limit), at: socket) {
      if case .event(let row) = $0 { row } else { nil }
    }
  }
}

extension Listing<ImportRow> {
  /// Takes over what fprintd has of a user. `show` gets each row as it comes: what follows may be a refusal.
  static func importing(
    of user: String, at socket: String, show: (ImportRow) -> Void
  ) throws(CommandFailure) -> Listing {
    let asked = AdministrationRequest.importFprintd(user: user)
    return try request(asked, at: socket, title: ImportText.title, reason: QuestionText.passcodeToEnroll) {
      guard case .imported(let row) = $0 else { return nil }
      show(row)
      return row
    }
  }
}

/// A user's strikes and lock, and their vault.
struct UserStatus {
  var strikes: StatusRow
  var vault: VaultRow
}

extension Listing<AdministrationReply> {
  static func status(of user: String, at socket: String) throws(CommandFailure) -> UserStatus {
    let rows = try request(AdministrationRequest.status(user: user), at: socket) { $0 }.whole()
    guard rows.count == 2, case .status(let strikes) = rows[0], case .vault(let vault) = rows[1] else {
      throw .unexpectedReply
    }
    return UserStatus(strikes: strikes, vault: vault)
  }
}

/// What a list of a vault has: items, and files that are at fault.
enum VaultEntry {
  case item(ItemRow)
  case problem(VaultError)
}

extension Listing<VaultEntry> {
  static func vault(of user: String, at socket: String) throws(CommandFailure) -> Listing {
    try request(VaultRequest.list(user: user), at: socket) {
      switch $0 {
      case .item(let row): .item(row)
      case .vaultProblem(let error): .problem(error)
      default: nil
      }
    }
  }

  var items: [ItemRow] { rows.compactMap { if case .item(let row) = $0 { row } else { nil } } }

  /// Whether nothing is missing from it.
  var isWhole: Bool { failure == nil && problems.isEmpty }

  func has(_ name: ItemName) -> Bool { items.contains { $0.item.name == name } }

  /// Which file, why, and the way out.
  var problems: [String] { rows.compactMap { if case .problem(let error) = $0 { VaultText.of(error) } else { nil } } }
}
