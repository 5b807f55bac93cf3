import CLinux
import Foundation
import Glibc
import SignetTestKit

/// A user's own bus that starts signet-secrets as the manual says, a real signetd with an open vault and a virtual reader behind it,
/// and programs that know libsecret.
final class SecretsWorld {
  let scene: Scene
  let bus: PrivateBus
  private let home: TemporaryFolder

  /// - Parameters:
  ///   - prompt: what stands for signet-prompt does, see prompt.py; `nil` for signet-prompt itself.
  ///   - isEnabled: whether the user has turned it on.
  init(prompt mode: String? = "obey", isEnabled: Bool = true, isNew: Bool = false, idleExit: Int = 60) throws {
    home = try TemporaryFolder()
    scene = try Scene(enrolls: !isNew)
    if !isNew { try scene.loginByPasscode(until: "vault made") }
    try scene.daemon.write("passcode", RunningDaemon.passcode)
    let tests = #filePath.dropLast("SignetSecretsTests/SecretsWorld.swift".count)
    bus = try PrivateBus(
      start: false,
      startsServices: [
        "PATH=/usr/bin:/bin", "HOME=\(home.path)", "XDG_DATA_HOME=\(home.path)/.local/share", "DISPLAY=:77",
        "SIGNET_PROMPT=\(mode == nil ? try ReaderChannel.program("signet-prompt") : tests + "libsignetTests/prompt.py")",
        "SIGNET_TEST_FOLDER=\(scene.daemon.folder)", "SIGNET_TEST_MODE=\(mode ?? "")",
      ])
    try SecretsWorld.install(String(tests), into: home.path, socket: scene.daemon.socket, idleExit)
    mkdir(home.path + "/.local", 0o755)
    if isEnabled { try enable() }
    try bus.start()
  }

  /// What a package has, but for where things are.
  private static func install(_ tests: String, into folder: String, socket: String, _ idleExit: Int) throws {
    let place = folder + "/share/dbus-1/services"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let name = "org.freedesktop.secrets.service"
    let file = try String(contentsOfFile: tests + "../Sources/helpers/signet-secrets/bus/" + name, encoding: .utf8)
    let program = try ReaderChannel.program("signet-secrets")
    let own = file.replacingOccurrences(
      of: "/usr/libexec/signet/signet-secrets", with: "\(program) --socket \(socket) --idle-exit \(idleExit)")
    guard own != file else { throw TestKitError("\(file) names another program") }
    try own.write(toFile: place + "/" + name, atomically: true, encoding: .utf8)
  }

  /// The manual's command.
  func enable() throws {
    guard try Program(["/bin/cp", "-rs", home.path + "/share/.", home.path + "/.local/share"]).waitForExit() == 0 else {
      throw TestKitError("not turned on")
    }
  }

  func client(as launcher: [String] = []) throws -> SecretsClient { try SecretsClient(at: bus.address, launcher) }

  /// A program of the user's on the bus: what it says, and its exit status.
  func run(_ words: [String], while act: () throws -> Void = {}) throws -> (text: String, status: Int32) {
    let lines = try Lines()
    let program = try Program(
      words,
      environment: [
        "PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=\(home.path)", "DBUS_SESSION_BUS_ADDRESS=" + bus.address,
      ], descriptors: [1: lines.writer, 2: lines.writer])
    try act()
    lines.readToEnd()
    return (lines.text, try program.waitForExit())
  }

  func tool(_ words: String..., while act: () throws -> Void = {}) throws -> (text: String, status: Int32) {
    try run(["secret-tool"] + words, while: act)
  }

  /// Stores a secret by secret-tool, which asks for it where it is not piped.
  func store(_ secret: String, label: String = "mail", _ attributes: String...) throws -> Int32 {
    try run(["sh", "-c", "printf %s \"$0\" | exec secret-tool \"$@\"", secret, "store", "--label", label] + attributes).status
  }

  /// Has everything locked. Debian 12's secret-tool then frees its answer twice, with GNOME's keyring too, so that its status says nothing.
  func lock() throws { _ = try tool("lock") }

  // MARK: The prompt

  private var shown: String { (try? String(contentsOfFile: scene.daemon.folder + "/prompt.log", encoding: .utf8)) ?? "" }

  /// How often the owner was asked.
  var prompts: Int { shown.components(separatedBy: "started ").count - 1 }

  func awaitShown(_ words: String) throws { try wait(for: "the prompt to say \(words)") { shown.contains(words) } }

  /// Waits until the reader is armed, and touches it.
  func touch(_ finger: String = "right") throws {
    try awaitShown("show 1")
    try scene.reader.scan(finger)
  }

  /// What `signet lock` does.
  func closeVault() throws {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
  }

  static let isAvailable = PrivateBus.isAvailable && access("/usr/bin/secret-tool", X_OK) == 0
}

/// secrets_client.py.
final class SecretsClient {
  let talker: Talker

  init(at address: String, _ launcher: [String] = []) throws {
    let script = #filePath.dropLast("SecretsWorld.swift".count) + "secrets_client.py"
    talker = try Talker(
      launcher + ["/usr/bin/python3", "-B", String(script), address], environment: ["PATH=/usr/bin:/bin"], talksOn: 1)
    try talker.line(with: "ready")
  }

  /// What comes of a call: `ok` and the values, or `error` and its name.
  @discardableResult
  func call(_ path: String, _ method: String, _ arguments: String = "()") throws -> String {
    let word = method.split(separator: ".").last.map(String.init) ?? method
    try talker.say("\(path) \(method) \(arguments)")
    return try answer(to: word)
  }

  func answer(to word: String) throws -> String {
    while true {
      let line = try talker.line(with: word + " ")
      if line.hasPrefix(word + " ") { return String(line.dropFirst(word.count + 1)) }
    }
  }

  /// A session without ciphers.
  func openSession() throws -> String {
    let answer = try call("@ROOT", "Service.OpenSession", "('plain', <''>)")
    guard let path = answer.split(separator: "'").first(where: { $0.hasPrefix("/org") }) else { throw TestKitError(answer) }
    return String(path)
  }

  /// Stores something, and answers with its path or the error.
  func store(_ session: String, size: Int, attributes: Int = 1) throws -> String {
    try talker.say("store \(session) \(size) \(attributes)")
    let answer = try answer(to: "CreateItem")
    return answer.split(separator: "'").first(where: { $0.hasPrefix("/org") }).map(String.init) ?? answer
  }

  /// A new secret of ten bytes.
  func item(_ session: String) throws -> String {
    let path = try store(session, size: 10)
    guard path.hasPrefix("/org") else { throw TestKitError("not stored: \(path)") }
    return path
  }

  func size(of item: String, _ session: String) throws -> String {
    try talker.say("size \(item) \(session)")
    return try answer(to: "GetSecret")
  }

  /// Of signet-secrets.
  func pid() throws -> pid_t {
    try talker.say("pid")
    let answer = try answer(to: "GetConnectionUnixProcessID")
    guard let pid = pid_t(answer.dropFirst("ok ".count)) else { throw TestKitError(answer) }
    return pid
  }

  static let locked = "error org.freedesktop.Secret.Error.IsLocked"
  static let noSession = "error org.freedesktop.Secret.Error.NoSession"
  static let noObject = "error org.freedesktop.Secret.Error.NoSuchObject"
  static let badArguments = "error org.freedesktop.DBus.Error.InvalidArgs"
  static let tooMuch = "error org.freedesktop.DBus.Error.LimitsExceeded"
}
