import CLinux
import Foundation
import Glibc
import SignetBytes
import SignetVocabulary

/// A user with a finger, an agent, a provider and a browser.
public final class AgentWorld {
  public let scene: Scene
  public let rig: ProviderRig
  /// What a provider of its own writes is here, in `providers`.
  public let folder: TemporaryFolder
  public private(set) var agent: Program
  /// What the next agent's command begins with.
  public var agentLauncher: [String] = []
  private let network: Network?
  private var session: KeyedSession?
  /// The session's token.
  public private(set) var token: [UInt8] = []

  /// - Parameters:
  ///   - shared: providers that it shares with others; else it has its own.
  ///   - network: where the agent and the commands are; the machine's own where none is given.
  ///   - isNew: whether the user has neither finger nor vault yet.
  ///   - options: of the providers of its own.
  ///   - kind: of the reader. One with a storage forgets its fingers five seconds after it was used last.
  ///   - launcher: of signetd.
  ///   - configuration: more of signet.conf.
  public init(
    only providers: String = "django", at shared: ProviderRig? = nil, network: Network? = nil, isNew: Bool = false,
    options: [String] = [], reader kind: VirtualReader.Kind = .storage, launcher: [String] = [], configuration: String = ""
  ) throws {
    self.network = network
    // First, because it takes seconds: a reader that nobody uses for so long ends, and the virtual one's prints with it.
    folder = try TemporaryFolder()
    rig = try shared ?? ProviderRig(only: providers, options: options, in: folder.path)
    scene = try Scene(kind, launcher: launcher, enrolls: !isNew, configuration: configuration)
    if !isNew { try scene.loginByPasscode(until: "vault made") }
    try rig.writeBrowser(to: scene.daemon.folder)
    agent = try AgentWorld.agent(scene, rig, network?.prefix ?? [])
    try awaitAgent("\(scene.daemon.folder)/signet-agent")
  }

  private static func agent(_ scene: Scene, _ rig: ProviderRig, _ launcher: [String]) throws -> Program {
    let folder = scene.daemon.folder
    return try Program(
      launcher + [
        try ReaderChannel.program("signet-agent"), "--listen", "\(folder)/signet-agent", "--socket", scene.daemon.socket,
        "--state", "\(folder)/bindings", "--trust", try rig.authority,
      ], environment: ["PATH=/usr/bin:/bin", "HOME=\(folder)"] + AgentWorld.temptations(folder))
  }

  /// Starts the agent anew, once it has ended.
  public func startAgentAnew() throws {
    _ = try agent.waitForExit()
    agent = try AgentWorld.agent(scene, rig, (network?.prefix ?? []) + agentLauncher)
    try awaitAgent("\(scene.daemon.folder)/signet-agent")
  }

  /// Variables that libcurl would heed: proxies that are not there, and a file for the keys of TLS.
  private static func temptations(_ folder: String) -> [String] {
    ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].map { $0 + "=http://127.0.0.1:1" }
      + ["SSLKEYLOGFILE=\(keyLog(folder))"]
  }

  private static func keyLog(_ folder: String) -> String { folder + "/tls-keys" }
  /// Whether the agent wrote the keys of its connections.
  public var gaveKeysAway: Bool { access(AgentWorld.keyLog(scene.daemon.folder), F_OK) == 0 }

  /// Waits until the agent listens: a command that found none would start one of its own, without this one's settings.
  private func awaitAgent(_ path: String) throws {
    try wait(for: "signet-agent to listen at \(path)") {
      let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(socket) }
      return clinux_connect_unix(socket, path) == 0
    }
  }

  deinit { session?.end() }

  public var issuer: String { get throws { try rig.fact("django", "issuer") } }

  /// A login by finger at the seat. Its token is what commands in the session have.
  public func openSession() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: "login")
    try client.awaitArmed()
    try scene.reader.scan("right")
    let answer = try client.next()
    guard case .verdict(.success, _, let token) = answer else {
      throw TestKitError("no login: \(answer)\n\(scene.daemon.loggedSoFar)")
    }
    session?.end()
    let opened = try KeyedSession(token: token.hexadecimal)
    session = opened
    let host = try scene.daemon.connect()
    try host.openSession(token: token, key: opened.key)
    guard try host.nextAdministration() == .done else { throw TestKitError("no session") }
    self.token = token
  }

  /// Work of the test's own in the session.
  public func inSession<Value>(_ work: @escaping () throws -> Value) throws -> Value { try session?.run(work) ?? work() }

  /// What pam_close_session(3) does; the terminal and its keyring are still there.
  public func closeSession() throws {
    let host = try scene.daemon.connect()
    try host.closeSession(token: token)
    guard try host.nextAdministration() == .done else { throw TestKitError("not closed") }
  }

  /// `signet` on a terminal, in the session.
  public func start(_ words: [String]) throws -> PseudoTerminal {
    guard let session else {
      return try SessionKeyring.with(token: String(repeating: "0", count: 64)) { _ in try self.begin(words) }
    }
    return try session.run { try self.begin(words) }
  }

  public func run(_ words: String...) throws -> (status: Int32, screen: String) { try end(try start(words)) }

  private func begin(_ words: [String]) throws -> PseudoTerminal {
    let socket = ["bind", "login", "enroll"].contains(words[0]) ? ["--socket", scene.daemon.socket] : []
    let command = (network?.prefix ?? []) + [try ReaderChannel.program("signet")]
    return try PseudoTerminal(command + words + socket, environment: environment)
  }

  public var environment: [String] {
    let folder = scene.daemon.folder
    return [
      "PATH=\(folder):/usr/bin:/bin", "TERM=dumb", "BROWSER=xdg-open", "HOME=\(folder)", "XDG_RUNTIME_DIR=\(folder)",
      "XDG_CONFIG_HOME=\(folder)", "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
    ]
  }

  /// A line of the shell in the session: its status, and what it wrote.
  public func shell(_ line: String) throws -> (status: Int32, text: String) {
    let environment = environment
    func work() throws -> (status: Int32, text: String) {
      let lines = try Lines()
      let program = try Program(["sh", "-c", line], environment: environment, descriptors: [1: lines.writer, 2: lines.writer])
      lines.readToEnd()
      return (try program.waitForExit(), lines.text)
    }
    return try inSession(work)
  }

  public func end(_ terminal: PseudoTerminal) throws -> (status: Int32, screen: String) {
    let status: Int32
    do { status = try terminal.waitForExit() } catch {
      let log = (try? String(contentsOfFile: "\(scene.daemon.folder)/browser.log", encoding: .utf8)) ?? "no browser"
      throw TestKitError("\(error)\n\(terminal.screen)\n\(log)\n\(scene.daemon.loggedSoFar)")
    }
    try terminal.readToEnd()
    return (status, terminal.screen)
  }

  /// Misses until the passcode is asked for.
  public func missThrice() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    while true {
      switch try client.next() {
      case .show(.touchReader, _, _), .show(.notRecognised, _, _): try scene.reader.scan("wrong")
      case .askPasscode: return
      default: continue
      }
    }
  }

  /// Forgets what the agent has, and has it released anew by the passcode and a finger.
  public func lockAndLogIn(at issuer: String) throws -> (status: Int32, screen: String) {
    let client = try scene.daemon.connect()
    try client.send(.lock(user: ""))
    guard try client.nextAdministration() == .done else { throw TestKitError("not locked") }
    try awaitRefusal(of: ["token", "--issuer", issuer], "signet login")
    try scene.loginByPasscode(until: "unlocked")
    let terminal = try start(["login", issuer])
    try terminal.read(until: "Touch the reader")
    try scene.reader.scan("right")
    return try end(terminal)
  }

  /// What the agent has on the disk of a binding.
  public func records() throws -> String {
    try String(contentsOfFile: "\(scene.daemon.folder)/bindings/bindings.json", encoding: .utf8)
  }

  /// Until the agent has heard of a lock, which signetd tells it of.
  public func awaitRefusal(of words: [String], _ text: String) throws {
    var answer = (status: Int32(0), screen: "")
    try wait(for: "a refusal, not \(answer),") {
      answer = try end(try start(words))
      return answer.status == 4 && answer.screen.contains(text)
    }
  }

  public func bind(account: String = "") throws -> (status: Int32, screen: String) {
    try bind([
      try issuer, "--client-id", try rig.fact("django", "clients", "native", "id"), "--account", account,
    ])
  }

  /// - Parameter answer: to the question whose account it was.
  public func bind(_ words: [String], answer: String = "y") throws -> (status: Int32, screen: String) {
    let terminal = try start(["bind"] + words)
    try terminal.read(until: "fingerprint reader")
    try scene.reader.scan("right")
    // Where it does not come so far, the command has ended and says why.
    if (try? terminal.read(until: "[y/N]")) != nil { terminal.type(answer + "\n") }
    return try end(terminal)
  }
}
