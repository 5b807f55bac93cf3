import ArgumentParser
import Glibc
import SignetLanguage
import SignetMemory
import SignetVocabulary
import SignetWords

struct CopyItemCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: say("Copy a secret to the desktop's clipboard, for 30 seconds."),
    discussion: say(
      """
      By wl-copy, xclip or xsel. Afterwards the clipboard is emptied, if it still has the secret. Programs that keep a history of the \
      clipboard may keep it longer.
      """))

  @OptionGroup var item: NamedItem
  @OptionGroup var time: ClipboardTime
  @OptionGroup var user: UserOptions
  @OptionGroup var helper: HelperOptions

  func run() throws {
    // Before any finger is asked for.
    let clipboard = try Clipboard.ofDesktop()
    let value = try ReleasedValue.of(item.name, user: user.user, at: helper.socket)
    // It has the value before the clipboard has it, so that nothing stays there for good.
    let words = [CommandPath.own, "vault", "clear-clipboard", "--timeout", "\(time.timeout)"]
    guard let keeper = ChildProgram.start(words) else { throw CommandFailure(.refused, ObstacleText.exhausted(errno)) }
    keeper.write(value.span)
    try clipboard.fill(value.span)
    Report.say(ItemUseText.copied(item.name, seconds: time.timeout))
  }
}

struct ClipboardTime: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp(say("After how many seconds the clipboard is emptied."), valueName: "seconds"))
  var timeout = 30

  func validate() throws {
    guard (1...3600).contains(timeout) else { throw ValidationError(say("--timeout takes 1 to 3600 seconds.")) }
  }
}

/// Runs for `copy`, after it, and is no command for people: it gets the value by standard input.
struct ClearClipboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "clear-clipboard", shouldDisplay: false)

  @OptionGroup var time: ClipboardTime

  func run() throws {
    // The terminal that `copy` was typed on may be closed meanwhile.
    _ = setsid()
    var value = try orExhausted(SecretBytes(capacity: ItemLimit.value + 1))
    guard unsafe value.replace({ unsafe SecretInput.fill($0) }) > 0 else { return }
    let clipboard = try Clipboard.ofDesktop()
    _ = sleep(UInt32(time.timeout))
    clipboard.clear(of: value.span)
  }
}
