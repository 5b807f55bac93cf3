import CLinux
import Dispatch
import Glibc
import SignetAgentProtocol
import SignetTokenServices
import SignetSessionTokens
import SignetFiles
import SignetLanguage
import SignetVocabulary

/// signet-agent's whole life: it listens, watches for locks, and ends by a signal.
public enum AgentServer {
  /// How it is started.
  public struct Options: Sendable {
    /// Where it listens; `nil` for the user's runtime directory.
    public var path: String?
    /// signetd's socket.
    public var socket = "/run/signet/socket"
    /// The folder of the bindings; `nil` for the user's state.
    public var state: String?
    /// More roots of TLS, each a file in PEM.
    public var roots: [String] = []

    public init() {}
  }

  /// Why it does not start.
  public struct StartFailure: Error, Sendable {
    public var message: String
  }

  /// How long providers may take for what they were asked before the agent's end, in seconds. What was not answered by then the next
  /// agent finds on record in the vault.
  private static let endTimeout: UInt64 = 10
  /// How long a signetd that takes no watch is left alone, in milliseconds.
  private static let watchPause: Int32 = 5_000
  /// How long an asker may take to say what it wants, in milliseconds.
  private static let requestTimeout: Int32 = 2_000

  /// Serves for as long as the process lives.
  public static func run(_ options: Options) throws(StartFailure) -> Never {
    _ = signal(SIGPIPE, SIG_IGN)
    // The terminal of whoever started it is not its own; where it leads a session already, that stays.
    _ = setsid()
    // Nothing of the user's tokens is for a debugger or a core dump.
    _ = clinux_prctl(PR_SET_DUMPABLE, 0)
    let agent: Agent
    do {
      let network = RetryingNetworkClient(try HTTPNetworkClient(trust: ServerTrust(additionalRoots: options.roots)))
      agent = try Agent(socket: options.socket, state: try options.state ?? standardState(), network: network)
    } catch let error as SystemError { throw StartFailure(message: error.description + ".") } catch let error as StartFailure {
      throw error
    } catch { throw StartFailure(message: "\(error)") }
    let listener = try listen(at: options.path)
    // Started at a login, and not by somebody who asks: without bindings there is nothing to do.
    if AgentSocket.passed() != nil, !AgentSocket.isAsked(listener), agent.beganWithout { exit(0) }
    let isOurOwnMaster = AgentSocket.passed() == nil
    watch(agent, options.socket, endsWithSession: isOurOwnMaster)
    let signals = endBySignal(agent)
    withExtendedLifetime(signals) { accept(listener, agent, endsWithSession: isOurOwnMaster) }
  }

  private static func listen(at path: String?) throws(StartFailure) -> Int32 {
    if let passed = AgentSocket.passed() { return passed }
    let named: String
    do throws(RuntimeFolder.Failure) { named = try AgentSocket.path(path) } catch {
      throw StartFailure(message: error.sentence)
    }
    do throws(AgentConnection.Failure) {
      // Two were started at once: the other one serves.
      guard let listener = try AgentSocket.listen(at: named) else { exit(0) }
      return listener
    } catch { throw StartFailure(message: say("\(named) cannot be listened at: \(error).")) }
  }

  private static func standardState() throws(StartFailure) -> String {
    let named = unsafe getenv("XDG_STATE_HOME").map { unsafe String(cString: $0) }
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) + "/.local/state" }
    guard let base = [named, home].lazy.compactMap({ $0 }).first(where: { $0.hasPrefix("/") }) else {
      throw StartFailure(message: say("neither XDG_STATE_HOME nor HOME names a folder; say one by --state."))
    }
    return base + "/signet"
  }

  private static func accept(_ listener: Int32, _ agent: Agent, endsWithSession: Bool) -> Never {
    while true {
      let raw = clinux_accept(listener, Int32(SOCK_CLOEXEC.rawValue))
      guard raw >= 0 else {
        // No descriptor left: others end soon, and nothing tells when.
        if errno != EINTR { _ = poll(nil, 0, 50) }
        continue
      }
      guard AgentSocket.peer(of: raw) == geteuid() else {
        close(raw)
        continue
      }
      DispatchQueue.global().async { serve(AgentConnection(Descriptor(raw)), agent, endsWithSession) }
    }
  }

  /// One connection: its request, then its answers. Who goes away is not worked for any more.
  private static func serve(_ connection: consuming AgentConnection, _ agent: Agent, _ endsWithSession: Bool) {
    guard let request = try? connection.receive(AgentRequest.self, within: requestTimeout) else { return }
    let asker = AgentClient(connection)
    let task = Task {
      // One who is in no session may be what is left of the last.
      if await !agent.serve(request, for: asker), endsWithSession { await endIfOver(agent) }
    }
    asker.listen()
    task.cancel()
  }

  /// Follows signetd's word on the vault: tokens are forgotten when it is closed, the user locked or the fingers changed, and while
  /// nobody says whether that happened.
  ///
  /// - Parameter endsWithSession: whether the agent ends with the user's last session; systemd ends its own by itself, and starts none
  ///   anew for a session that begins meanwhile.
  private static func watch(_ agent: Agent, _ socket: String, endsWithSession: Bool) {
    let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    Task {
      for await _ in changes {
        if await agent.look(), endsWithSession { await endIfOver(agent) }
        await agent.tend()
      }
    }
    DispatchQueue.global().async {
      while true {
        if var watch = try? VaultWatch(path: socket) { while (try? watch.next()) != nil { change.yield() } }
        change.yield()
        _ = poll(nil, 0, watchPause)
      }
    }
  }

  /// Ends with the user's last session: nothing of theirs stays in memory.
  private static func endIfOver(_ agent: Agent) async { if await agent.isOver() { await end(agent) } }

  /// Ends by SIGTERM.
  private static func endBySignal(_ agent: Agent) -> any DispatchSourceSignal {
    _ = signal(SIGTERM, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGTERM)
    source.setEventHandler { Task { await end(agent) } }
    source.resume()
    return source
  }

  private static func end(_ agent: Agent) async -> Never {
    Task {
      try? await Task.sleep(nanoseconds: endTimeout * 1_000_000_000)
      exit(0)
    }
    await agent.end()
    exit(0)
  }
}
