import ArgumentParser
import FoundationEssentials
import Glibc
import SignetFiles
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

struct ExportVaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: say("Write the items into one file, sealed by a passphrase."),
    discussion: say(
      """
      Asks for what the items demand, once, and for a new passphrase. `signet vault import` reads the file on another machine, and \
      `age -d` anywhere. Passkeys take the passcode. What is for this machine alone is named and left out: the login secret, other \
      keys and those in the TPM, what signs in at providers, and items that are whenPasscodeSet.
      """))

  @Argument(help: ArgumentHelp(say("The file.")), completion: .file())
  var file: String
  @Flag(name: .long, help: ArgumentHelp(say("Do not ask whether a file that is there may be replaced.")))
  var yes = false
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let rows = try Listing<VaultEntry>.vault(of: "", at: helper.socket).whole().compactMap { entry -> ItemRow? in
      switch entry {
      case .item(let row): return row
      // An export that lacks something must not look whole.
      case .problem(let error): throw CommandFailure(.refused, VaultText.of(error))
      }
    }
    let leaving = rows.filter { $0.item.mayLeave && !$0.isInTPM && !$0.isLost }.map(\.item)
    for row in rows where !leaving.contains(row.item) {
      Report.complain(row.item.mayLeave && !row.isInTPM ? TransferText.lost(row.item.shown) : TransferText.stays(row.item.shown))
    }
    // Passkeys take the passcode, after which nothing else is asked for most of the rest.
    let items = leaving.filter(\.name.isPasskey) + leaving.filter { !$0.name.isPasskey }
    guard !items.isEmpty else { throw CommandFailure(.refused, TransferText.nothingToExport) }
    try askToReplace()
    let passphrase = try Passphrase.new()
    let sealed = try sealed(items, by: passphrase)
    try NewFile.write(sealed, to: file, orSay: TransferText.unwritten)
    Report.say(TransferText.exported(items.count, file))
  }

  private func askToReplace() throws {
    guard try NewFile.isThere(file, orSay: TransferText.unwritten), !yes else { return }
    guard try Confirmation.ask(TransferText.replaceFile(file), wanted: ["y", "yes"]) else {
      throw CommandFailure(.refused, ObstacleText.notConfirmed)
    }
  }

  private func sealed(_ items: [Item], by passphrase: borrowing SecretBytes) throws -> [UInt8] {
    var vault = try OwnItems(at: helper.socket, reason: TransferText.reason)
    var text = try ExportedItems.line(ExportedItem.Form())
    for item in items { text += try ExportedItems.line(ExportedItem(item, try vault.read(item.name))) }
    do throws(SealedFile.Failure) { return try SealedFile.seal(text, by: passphrase) } catch {
      throw CommandFailure(.refused, error.words(file))
    }
  }
}

struct ImportVaultCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: say("Store the items of a file that `signet vault export` wrote."),
    discussion: say(
      """
      Asks for its passphrase. An item that is there already is named and left as it is, unless --replace is given; a passkey always \
      is. An item that was for the fingers of the other machine is for those that are enrolled here.
      """))

  @Argument(help: ArgumentHelp(say("The file.")), completion: .file())
  var file: String
  @Flag(name: .long, help: ArgumentHelp(say("Replace items that are there already.")))
  var replace = false
  @OptionGroup var helper: HelperOptions

  func run() throws {
    let items = try opened()
    let present = try Listing<VaultEntry>.vault(of: "", at: helper.socket)
    if let failure = present.failure { throw failure }
    let known = items.filter { present.has($0.0.name) }
    let count = present.items.count { $0.item.name != .loginSecret }
    if count + items.count - known.count > ItemLimit.items { throw CommandFailure(Refusal.vaultFull) }
    var vault = try OwnItems(at: helper.socket, reason: TransferText.reason)
    var stored = 0
    // What was stored before a failure stays, so that the rest can be imported later.
    defer { if stored > 0 { Report.say(TransferText.imported(stored)) } }
    let kept = Set(known.map(\.0.name).filter { !replace || $0.isPasskey })
    for (item, data) in items where !kept.contains(item.name) {
      let isKnown = present.has(item.name)
      var value = try orExhausted(SecretBytes(capacity: max(1, data.count)))
      _ = unsafe value.replace { buffer in
        unsafe data.withUnsafeBytes { bytes in
          unsafe buffer.copyMemory(from: bytes)
          return bytes.count
        }
      }
      if isKnown { try vault.update(item, value) } else { try vault.add(item, value) }
      stored += 1
    }
    guard kept.isEmpty else {
      for (item, _) in known where kept.contains(item.name) { Report.complain(TransferText.alreadyThere(item.shown)) }
      throw CommandFailure(.refused, TransferText.notReplaced)
    }
  }

  /// Everything that the file has, before anything is stored.
  private func opened() throws -> [(Item, Data)] {
    guard let bytes = NamedFile.contents(file, limit: SealedFile.limit) else {
      throw CommandFailure(.refused, TransferText.unreadable(file))
    }
    do {
      let head = try SealedFile.Head(bytes)
      guard let items = ExportedItems.read(try SealedFile.open(bytes, head, by: Passphrase.ask())) else {
        throw SealedFile.Failure.foreign
      }
      return items
    } catch let error as SealedFile.Failure { throw CommandFailure(.refused, error.words(file)) }
  }
}

extension SealedFile.Failure {
  fileprivate func words(_ file: String) -> String {
    switch self {
    case .foreign: TransferText.foreign(file)
    case .tooCostly: TransferText.tooCostly(file)
    case .wrongPassphrase: TransferText.wrongPassphrase
    case .damaged: TransferText.damaged(file)
    case .noLibrary: TransferText.noLibrary
    }
  }
}
