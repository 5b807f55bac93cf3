import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// A user with an enrolled finger and the module, by which programs on a terminal of their own use the user's keys.
final class TokenScene {
  let scene: Scene
  let folder: TemporaryFolder
  let module: String

  /// There is the key `laptop`, which a finger or the passcode releases, unless it is said otherwise.
  init(access: AccessControl = AccessControl(.userPresence)) throws {
    scene = try Scene()
    folder = try TemporaryFolder()
    module = try ReaderChannel.program("libsignet-pkcs11.so")
    let key = Item(ItemName(kind: .key, service: "laptop", account: ""), accessControl: access)
    let answer = try scene.daemon.connect().ask(.makeKey(user: "", key), Proving(passcode: RunningDaemon.passcode))
    guard answer.end == .done else { throw TestKitError("no key: \(answer)") }
  }

  var environment: [String] {
    [
      "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "TZ=UTC", "HOME=\(folder.path)", "SIGNET_SOCKET=\(scene.daemon.socket)",
      "MODULE=\(module)",
    ]
  }

  /// Starts a shell's command in the folder, on a terminal.
  func start(_ command: String, _ more: [String] = []) throws -> TerminalProgram {
    try TerminalProgram(["/bin/sh", "-c", "cd \(folder.path) && \(command)"], environment: environment + more)
  }

  /// Runs it to its end and touches the reader as often as is said: its status, and all that came to the screen.
  @discardableResult
  func run(_ command: String, _ more: [String] = [], touches: [String] = []) throws -> (status: Int32, screen: String) {
    let program = try start(command, more)
    for touch in touches { try program.touch(touch, scene.reader) }
    return try end(program)
  }

  func end(_ program: TerminalProgram) throws -> (status: Int32, screen: String) {
    try program.terminal.readToEnd()
    return (try program.terminal.waitForExit(), program.terminal.screen)
  }

  /// From now on the passcode is asked for, and no finger.
  func lock() throws {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
  }

  /// Stands for signet-prompt: knows the passcode, and writes down what it was started with.
  static let prompt = String(#filePath.dropLast("PKCS11Tests/TokenScene.swift".count)) + "libsignetTests/prompt.py"

  /// Variables of a desktop on which it asks.
  func desktop() throws -> [String] {
    try scene.daemon.write("passcode", RunningDaemon.passcode)
    return ["DISPLAY=:77", "SIGNET_TEST_FOLDER=\(scene.daemon.folder)"]
  }

  /// What was asked there.
  var told: String { get throws { try RawFile.text(scene.daemon.folder + "/prompt.log") } }

  /// Starts the program in C that calls the module's functions.
  func call(_ words: String...) throws -> TerminalProgram {
    try TerminalProgram([try TokenScene.caller.get(), module] + words, environment: environment)
  }

  /// `module.c`, once a run.
  static let caller = Result<String, any Error> {
    let folder = try TemporaryFolder()
    kept = folder
    try compile(["-g", "-fsanitize=address,undefined"], to: "\(folder.path)/module")
    return "\(folder.path)/module"
  }

  static func compile(_ options: [String], to program: String) throws {
    let words = ["clang", "-std=c17", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-pthread"] + options
    let source = String(#filePath.dropLast("TokenScene.swift".count)) + "module.c"
    let compiler = try Program(
      words + ["-o", program, source], environment: ["PATH=" + String(cString: getenv("PATH"))], descriptors: [2: 2])
    guard try compiler.waitForExit() == 0 else { throw TestKitError("module.c is not compiled") }
  }

  nonisolated(unsafe) private static var kept: TemporaryFolder?
}

extension [String] {
  /// The bytes in hexadecimal digits behind a word.
  func bytes(_ word: String) -> [UInt8] {
    let text = first { $0.hasPrefix(word + " ") }?.dropFirst(word.count + 1) ?? ""
    return stride(from: 0, to: text.count, by: 2).map { UInt8(text.dropFirst($0).prefix(2), radix: 16) ?? 0 }
  }
}
