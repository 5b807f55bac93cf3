import CLinux
import Glibc
import SignetFiles
import SignetMemory
import SignetVocabulary
import SignetWords

/// The user's editor, on a file that is in no disk's reach: in a folder of the user's alone, on a file system in memory.
struct SecretEditor {
  private let command: String
  private let runtimeFolder: String

  /// `nil` where the user named no editor, or there is no such folder.
  init?() {
    guard let chosen = SecretEditor.variable("VISUAL") ?? SecretEditor.variable("EDITOR"), let folder = try? RuntimeFolder.own(),
      unsafe clinux_is_in_memory(folder) == 1
    else { return nil }
    command = chosen + SecretEditor.discretion(of: chosen)
    runtimeFolder = folder
  }

  private static func variable(_ name: String) -> String? {
    let value = unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
    return value.isEmpty ? nil : value
  }

  /// These would keep parts of the text in the home folder otherwise.
  private static func discretion(of command: String) -> String {
    let program = command.split(separator: " ").first?.split(separator: "/").last ?? ""
    return ["vim", "nvim", "gvim"].contains(program) ? " -n -i NONE" : ""
  }

  /// Lets the user edit the value: what it is then. Nothing of it is left in the folder.
  func edit(_ value: borrowing SecretBytes) throws(CommandFailure) -> SecretBytes {
    let patience = Patience()
    defer { patience.end() }
    var template = Array("\(runtimeFolder)/signet-edit-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw CommandFailure(.refused, ItemUseText.noEditing(errno)) }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { SecretEditor.wipe(folder) }
    let path = folder + "/secret"
    try SecretEditor.write(value, to: path)
    try run(on: path)
    var edited = try SecretEditor.read(path)
    // Most editors end the last line, which nobody has typed.
    if edited.last == UInt8(ascii: "\n"), value.last != UInt8(ascii: "\n") { edited.removeLast() }
    return edited
  }

  private func run(on path: String) throws(CommandFailure) {
    // As others run it: what is named may have options.
    guard let pid = ChildProgram.spawn(["/bin/sh", "-c", "\(command) \"$1\"", "sh", path]) else {
      throw CommandFailure(.refused, ItemUseText.noEditing(errno))
    }
    var status: Int32 = 0
    while unsafe waitpid(pid, &status, 0) < 0, errno == EINTR {}
    guard status == 0 else { throw CommandFailure(.refused, ItemUseText.editorFailed) }
  }

  private static func write(_ value: borrowing SecretBytes, to path: String) throws(CommandFailure) {
    let file = Descriptor(unsafe clinux_open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600))
    let count = unsafe value.span.withUnsafeBytes { unsafe file.raw < 0 ? -1 : Glibc.write(file.raw, $0.baseAddress, $0.count) }
    guard count == value.count else { throw CommandFailure(.refused, ItemUseText.noEditing(errno)) }
  }

  private static func read(_ path: String) throws(CommandFailure) -> SecretBytes {
    // One byte more tells what is too long, and another one is the newline that an editor adds.
    var bytes = try orExhausted(SecretBytes(capacity: ItemLimit.value + 2))
    let file = Descriptor(unsafe clinux_open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0))
    let count = unsafe bytes.replace { buffer in
      unsafe file.raw < 0 ? -1 : Glibc.read(file.raw, buffer.baseAddress, buffer.count)
    }
    guard count >= 0 else { throw CommandFailure(.refused, ItemUseText.noEditing(errno)) }
    guard count <= ItemLimit.value || (count == ItemLimit.value + 1 && bytes.last == UInt8(ascii: "\n")) else {
      throw CommandFailure(.refused, ObstacleText.secretTooLong)
    }
    return bytes
  }

  /// Overwrites and removes all that the editor left there: its file, and copies beside it.
  private static func wipe(_ folder: String) {
    if let entries = unsafe opendir(folder) {
      defer { unsafe closedir(entries) }
      while let entry = unsafe readdir(entries) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
          unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
        }
        if name != ".", name != ".." { wipe(file: "\(folder)/\(name)") }
      }
    }
    _ = unsafe rmdir(folder)
  }

  private static func wipe(file path: String) {
    let file = Descriptor(unsafe clinux_open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0))
    var status = stat()
    if file.raw >= 0, unsafe fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      let zeros = [UInt8](repeating: 0, count: 4096)
      var rest = Int(status.st_size)
      while rest > 0 {
        let count = unsafe Glibc.write(file.raw, zeros, min(rest, zeros.count))
        if count <= 0 { break }
        rest -= count
      }
    }
    _ = unsafe unlink(path)
  }
}

/// While an editor has the terminal: its keys are not ours, and what would end the command waits until the file is wiped.
private struct Patience {
  private var before = sigset_t()

  init() {
    var ending = sigset_t()
    unsafe sigemptyset(&ending)
    for signal in [SIGTERM, SIGHUP] { unsafe sigaddset(&ending, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &ending, &before)
    for key in [SIGINT, SIGQUIT] { _ = signal(key, SIG_IGN) }
  }

  func end() {
    for key in [SIGINT, SIGQUIT] { _ = signal(key, SIG_DFL) }
    var mask = before
    unsafe pthread_sigmask(SIG_SETMASK, &mask, nil)
  }
}
