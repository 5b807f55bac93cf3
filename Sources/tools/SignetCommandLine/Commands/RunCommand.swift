import ArgumentParser
import Glibc
import SignetBytes
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWire
import SignetWords

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: say("Run a command with secrets from the vault in its environment."),
    discussion: say(
      """
      One touch is enough for all items that a finger opens. Where one item is refused, nothing is started. The command takes the \
      place of this one; its environment can be read by root and by your other programs.
      Exit status: the command's own; 125 no secret was to be had, 126 the command cannot be run, 127 it is not there.
      """))

  @Option(
    name: .long,
    help: ArgumentHelp(
      say(
        """
        A variable, and the item that it gets: its service, or service and account with a slash between. May be given several \
        times.
        """),
      valueName: "name=item"), completion: Completions.itemWords)
  var env: [Variable]
  @Argument(parsing: .postTerminator, help: ArgumentHelp(say("The command and its arguments, behind --.")))
  var command: [String] = []
  @OptionGroup var helper: HelperOptions

  /// What stands behind `--env`.
  struct Variable: ExpressibleByArgument {
    let name: String
    let item: String

    init?(argument: String) {
      guard let sign = argument.firstIndex(of: "="), sign != argument.startIndex else { return nil }
      (name, item) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
      guard !item.isEmpty, !name.utf8.contains(0) else { return nil }
    }
  }

  func validate() throws {
    guard !command.isEmpty else { throw ValidationError(say("Name a command, behind --.")) }
    guard Set(env.map(\.name)).count == env.count else { throw ValidationError(say("A variable is given twice.")) }
  }

  func run() throws {
    do {
      let values = try values()
      // Only now, so that nothing that asks for a finger or a passcode gets them, too.
      for (variable, value) in zip(env, values) { value.set(variable.name) }
    } catch let failure as CommandFailure {
      // As env(1), whose own failures cannot be taken for the command's.
      throw CommandFailure(failure.status.rawValue > 128 ? failure.status : .notStarted, failure.message)
    }
    throw ChildProgram.become(command)
  }

  /// All values, or none.
  private func values() throws -> [HeldValue] {
    let listing = try Listing<VaultEntry>.vault(of: "", at: helper.socket)
    if let failure = listing.failure { throw failure }
    let names = try env.map { try PresentItem.named($0.item, among: listing.items) }
    var items = try OwnItems(at: helper.socket, reason: ItemUseText.reason(command[0]))
    return try names.map { name in
      let value = try items.read(name)
      guard !value.hasZero else { throw CommandFailure(.refused, ItemUseText.zeroByte(name)) }
      return try HeldValue(value)
    }
  }
}

/// A value that ends in a zero byte, as C has its texts. A class, so that several can be in an array.
private final class HeldValue {
  private let text: SecretBytes

  init(_ value: borrowing SecretBytes) throws(CommandFailure) {
    var text = try orExhausted(SecretBytes(capacity: value.count + 1))
    _ = text.append(value.span)
    _ = text.append(0)
    self.text = text
  }

  func set(_ name: String) { HeldValue.set(name, text) }

  private static func set(_ name: String, _ text: borrowing SecretBytes) {
    unsafe text.span.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return }
      _ = unsafe setenv(name, start.assumingMemoryBound(to: CChar.self), 1)
    }
  }
}
