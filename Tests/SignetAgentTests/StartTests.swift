import Glibc
import SignetTestKit
import Testing

/// Where the agent listens, and what is said where it does not.
@Suite(.enabled(if: geteuid() == 0, "needs root, to be several users")) struct StartTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a program that is expected to end: an agent that serves would not.
  private func run(_ words: [String], input: String = "") throws -> (status: Int32, text: String) {
    let lines = try Lines()
    let shell = "printf '\(input)' | timeout 20 " + words.map { "'\($0)'" }.joined(separator: " ")
    let program = try Program(
      ["sh", "-c", shell], environment: ["PATH=/usr/bin:/bin", "HOME=\(folder.path)", "XDG_RUNTIME_DIR=\(folder.path)"],
      descriptors: [1: lines.writer, 2: lines.writer])
    lines.readToEnd()
    return (try program.waitForExit(), lines.text)
  }

  @Test func `a runtime directory that is open to others is not used, and each program says so`() throws {
    chmod(folder.path, 0o1777)
    let agent = try run([ReaderChannel.program("signet-agent")])
    let helper = try run(
      [ReaderChannel.program("signet-credential"), "git", "--server", "git.example", "--issuer", "https://id.example", "get"],
      input: "protocol=https\\nhost=git.example\\n")
    let signet = try SessionKeyring.with(token: String(repeating: "0", count: 64)) { _ in
      try run([ReaderChannel.program("signet"), "bindings"])
    }
    for answer in [agent, helper, signet] {
      #expect(answer.status != 0 && answer.text.contains("\(folder.path), which is not yours alone"), "\(answer)")
    }
  }

  @Test func `a lock that another user holds keeps the agent from starting no more without a word`() throws {
    chmod(folder.path, 0o1777)
    let lock = folder.path + "/signet-agent.lock"
    try RawFile.create(lock, [])
    chmod(lock, 0o666)
    chown(lock, 65534, 65534)
    let held = open(lock, O_RDWR | O_CLOEXEC)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    let agent = try run([ReaderChannel.program("signet-agent"), "--listen", folder.path + "/signet-agent"])
    #expect(agent.status == 1 && agent.text.contains("signet-agent cannot be listened at"), "\(agent)")
  }

  @Test func `an address that another user took is said`() throws {
    chmod(folder.path, 0o1777)
    mkdir(folder.path + "/signet-agent", 0o700)
    let agent = try run([ReaderChannel.program("signet-agent"), "--listen", folder.path + "/signet-agent"])
    #expect(agent.status == 1 && agent.text.contains("signet-agent cannot be listened at"), "\(agent)")
  }
}
