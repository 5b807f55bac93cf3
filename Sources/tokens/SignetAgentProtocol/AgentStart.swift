import CLinux
import Glibc

/// Finds the user's agent, and starts it where there is none: it goes on without whoever started it.
public enum AgentStart {
  /// How long a new agent may take until it listens, in milliseconds.
  private static let startTimeout = 5_000

  /// A connection to the agent at `path`. `program` is started where nobody listens there.
  public static func connect(path: String, program: String?) throws(AgentConnection.Failure) -> AgentConnection {
    do throws(AgentConnection.Failure) { return try AgentConnection(path: path) } catch {
      guard let program, error == .closed(ENOENT) || error == .closed(ECONNREFUSED) else { throw error }
      guard start(program, listening: path) else { throw error }
    }
    var waited = 0
    while true {
      do throws(AgentConnection.Failure) { return try AgentConnection(path: path) } catch {
        guard waited < startTimeout else { throw error }
      }
      // Nothing tells of a socket that is about to appear.
      _ = poll(nil, 0, 5)
      waited += 5
    }
  }

  /// Starts the agent, with nothing of the caller's terminal. It keeps the environment, in which the user's folders are named.
  private static func start(_ program: String, listening path: String) -> Bool {
    var actions = unsafe posix_spawn_file_actions_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return false }
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    for number: Int32 in [0, 1, 2] {
      _ = unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    }
    _ = unsafe clinux_spawn_close_from(&actions, 3)
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [strdup(program), strdup("--listen"), strdup(path), nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    var pid: pid_t = 0
    return unsafe posix_spawn(&pid, program, &actions, nil, &arguments, environ) == 0
  }
}
