import ArgumentParser
import SignetLanguage
import SignetVocabulary
import SignetWire
import SignetWords

/// The items that only the fingers open that are enrolled now. Enrolling a finger costs them, and so does deleting one.
///
/// They are not carried over, although the passcode is given: that they end with the fingers is what their owner asked for. Only who stores
/// one anew says that the new finger may have it, too.
struct BoundItems {
  private let user: String
  private let socket: String
  private let before: Listing<VaultEntry>

  init(of user: String, at socket: String) throws(CommandFailure) {
    (self.user, self.socket) = (user, socket)
    before = try Listing<VaultEntry>.vault(of: user, at: socket)
  }

  /// Names them, asks whether they may go, and makes the change; then names those that went, also where the change failed.
  ///
  /// `isMoot`: whether the change will be refused anyway, so that nobody is to be asked about it.
  func change(_ consent: LossOptions, isMoot: () -> Bool = { false }, _ change: () throws -> Void) throws {
    try ask(consent, isMoot)
    do { try change() } catch {
      try? tell()
      throw error
    }
    try tell()
  }

  private func ask(_ consent: LossOptions, _ isMoot: () -> Bool) throws {
    let names = before.items.filter(\.isBound).map(\.item.name)
    guard before.failure != nil || !names.isEmpty, !isMoot() else { return }
    if let failure = before.failure { Report.complain(FingerChangeText.unknown(failure.message)) }
    if !names.isEmpty {
      BoundItems.list(FingerChangeText.willGo(names.count), names)
      // A key cannot be read.
      if names.contains(where: { $0.kind != .key }) { Report.complain(FingerChangeText.advice) }
    }
    guard try consent.yes || Confirmation.ask(QuestionText.goOn, wanted: ["y", "yes"]) else {
      throw CommandFailure(.refused, ObstacleText.notConfirmed)
    }
  }

  private func tell() throws(CommandFailure) {
    let earlier = Set(before.items.filter { !$0.isOfCurrentSet }.map(\.item.name))
    guard earlier.count < before.items.count || before.failure != nil else { return }
    let now = try Listing<VaultEntry>.vault(of: user, at: socket).items
    let lost = now.filter(\.isLost).map(\.item.name)
    let names = lost.filter { !earlier.contains($0) }
    if !names.isEmpty { BoundItems.list(FingerChangeText.went(names.count), names) }
  }

  private static func list(_ title: String, _ names: [ItemName]) {
    Report.complain(title)
    for name in names { Report.complain("  " + FingerChangeText.name(name)) }
  }
}

extension ItemRow {
  /// Whether it is there, and a change of the fingers ends it.
  fileprivate var isBound: Bool { isOfCurrentSet && item.accessControl.endsWithFingers }
  /// Whether nothing opens it any more.
  var isLost: Bool { !isOfCurrentSet && item.accessControl.endsWithFingers }
}

struct LossOptions: ParsableArguments {
  @Flag(name: .long, help: ArgumentHelp(say("Do not ask whether items that are bound to the present fingers may go.")))
  var yes = false
}
