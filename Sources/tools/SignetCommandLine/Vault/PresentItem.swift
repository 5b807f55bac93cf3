import SignetVocabulary
import SignetWire
import SignetWords

/// What is known of an item without opening it.
enum PresentItem {
  /// The item's row; damaged files of others are told of, and hide nothing. Throws where `wanted`, another name, is taken.
  static func row(
    _ name: ItemName, for wanted: ItemName? = nil, of user: String, at socket: String
  ) throws(CommandFailure) -> ItemRow {
    let listing = try Listing<VaultEntry>.vault(of: user, at: socket)
    if let failure = listing.failure { throw failure }
    for problem in listing.problems { Report.complain("signet: \(problem)") }
    guard let row = listing.items.first(where: { $0.item.name == name }) else {
      throw CommandFailure(.refused, ObstacleText.noItem(name))
    }
    if let wanted, listing.has(wanted) { throw CommandFailure(Refusal.duplicateItem) }
    return row
  }

  /// Throws where the item is another one than it was when it was looked at: what came meanwhile must not be lost.
  static func check(_ row: ItemRow, of user: String, at socket: String) throws(CommandFailure) {
    let listing = try Listing<VaultEntry>.vault(of: user, at: socket)
    // Not its programs: with the owner's consent this one may be among them now.
    let isSame = listing.items.contains { ($0.item, $0.created, $0.modified) == (row.item, row.created, row.modified) }
    guard isSame else { throw CommandFailure(.refused, ItemUseText.changedMeanwhile(row.item.name)) }
  }

  /// The item that one word means: its service, or its service and account with a slash between.
  static func named(_ word: String, among items: [ItemRow]) throws(CommandFailure) -> ItemName {
    let names = items.map(\.item.name).filter { $0.kind == .item }
    let meant = names.filter { ($0.account.isEmpty ? $0.service : "\($0.service)/\($0.account)") == word }
    guard let name = meant.first else { throw CommandFailure(.refused, ItemUseText.noneNamed(word)) }
    // A slash may stand in a service, too.
    guard meant.count == 1 else { throw CommandFailure(.refused, ItemUseText.severalNamed(word)) }
    return name
  }
}
