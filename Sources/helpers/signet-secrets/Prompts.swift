import CBus
import CLibc

/// Something that waits for the owner.
final class PendingPrompt {
  enum Purpose {
    case unlock([String])
    case create(label: String, alias: String)
    case delete(String)
  }

  let number: UInt32
  let owner: String
  let purpose: Purpose
  /// Whether its client wants the owner to be asked now.
  var isAsked = false

  var path: String { "/org/freedesktop/secrets/prompt/\(number)" }

  init(number: UInt32, owner: String, purpose: Purpose) {
    self.number = number
    self.owner = owner
    self.purpose = purpose
  }
}

/// A process that asks the owner. It has nothing of this one but a copy of its memory, and is not waited for.
struct Opening {
  let process: pid_t
  /// Readable once it has ended.
  let watch: Int32

  /// Starts it; `nil` where there is none.
  init?(socket: String) {
    let parent = getpid()
    process = clinux_fork()
    guard process != 0 else { _exit(Opening.run(socket, parent)) }
    guard process > 0 else { return nil }
    watch = clinux_process(process)
    if watch < 0 { _ = Opening.reap(process, kills: true) }
    if watch < 0 { return nil }
  }

  /// Whether it was the owner.
  func end(kills: Bool) -> Bool {
    close(watch)
    return Opening.reap(process, kills: kills) == 0
  }

  private static func reap(_ process: pid_t, kills: Bool) -> Int32 {
    if kills { kill(process, SIGKILL) }
    var status: Int32 = -1
    while waitpid(process, &status, 0) < 0 {
      guard clinux_errno() == EINTR else { return -1 }
    }
    return status
  }

  // MARK: In that process

  private static func run(_ socket: String, _ parent: pid_t) -> Int32 {
    // It must not outlive the one that waits for it, nor have a hand on its connections.
    guard clinux_prctl(PR_SET_PDEATHSIG, UInt(SIGKILL)) == 0, getppid() == parent, clinux_close_from(3) == 0 else { return 1 }
    do throws(ContextError) {
      try ask(socket)
      return 0
    } catch {
      return 1
    }
  }

  /// Reads the first collection's record, for which signetd asks: for the passcode where the vault is closed, else for a finger or the
  /// passcode. Where there is no record yet, it is made, which opens the vault as well.
  private static func ask(_ socket: String) throws(ContextError) {
    var context = try ContextConnection(path: socket, name: "Signet")
    let record = Catalog.record(Catalog.first, label: "Login", alias: "")
    guard let none = SecretBytes(capacity: 1) else { throw .noMemory }
    do throws(ContextError) {
      var host = prompter()
      try context.add(record, none.span, &host)
    } catch {
      guard error == .refused(.duplicateItem) else { throw error }
    }
    var host = prompter()
    _ = try context.read(record.name, &host)
  }

  private static func prompter() -> DefaultPrompter {
    var reason = TextLine()
    reason.say("open the passwords that programs keep in your vault")
    return DefaultPrompter(Prompting(application: "Signet", reason: String(decoding: Array(copying: reason.span), as: UTF8.self)))
  }
}
