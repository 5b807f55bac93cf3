import Glibc
import SignetTestKit
import Testing

/// What can be read of tokens in signet-agent's memory, by who may read all of it.
@Suite(
  .enabled(if: ProviderRig.environment != nil, Comment(rawValue: ProviderRig.reasonToSkip)),
  .enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"),
  .serialized)
struct AgentMemoryTests {
  @Test func `after a lock no token is in the agent's memory, whatever it went through`() throws {
    let world = try AgentWorld()
    let issuer = try world.issuer
    try world.openSession()
    #expect(try world.bind().status == 0)
    let tokens = try [["token", "--issuer", issuer], ["token", "--issuer", issuer, "--id"]].map { words in
      for _ in 1...5 { _ = try world.end(world.start(words)) }
      return try world.end(world.start(words)).screen.split(separator: "\r\n")[0]
    }
    let secrets = (tokens + [try refreshToken(world)[...]]).map { Array($0.utf8) }
    let before = try ProcessMemory(of: world.agent.pid)
    try #require(secrets.allSatisfy { $0.count >= 30 } && secrets.allSatisfy(before.holds), "what is searched for can be found")
    let client = try world.scene.daemon.connect()
    try client.send(.lock(user: ""))
    #expect(try client.nextAdministration() == .done)
    try world.awaitRefusal(of: ["token", "--issuer", issuer], "signet login")
    // A connection to the provider is kept for some seconds, with what was sent on it last.
    try wait(for: "the memory to be wiped") {
      let memory = try ProcessMemory(of: world.agent.pid)
      return !secrets.contains(where: memory.holds)
    }
  }

  /// The provider has its hash only: the words of the agent's memory are looked through for the one that has that.
  private func refreshToken(_ world: AgentWorld) throws -> String {
    let script = #"""
      import hashlib, re, sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute("select token_checksum from oauth2_provider_refreshtoken where revoked is null")
      wanted = {row[0] for row in rows}
      memory = open(f"/proc/{sys.argv[2]}/mem", "rb", buffering=0)
      for line in open(f"/proc/{sys.argv[2]}/maps"):
          start, end = (int(number, 16) for number in line.split()[0].split("-"))
          if "rw-p" not in line or end - start > 1 << 27:
              continue
          memory.seek(start)
          for word in re.findall(rb"(?<![A-Za-z0-9])[A-Za-z0-9]{30}(?![A-Za-z0-9])", memory.read(end - start)):
              if hashlib.sha256(word).hexdigest() in wanted:
                  sys.exit(print(word.decode(), end=""))
      """#
    let database = "\(world.folder.path)/providers/django/database"
    return try Program.output(["\(ProviderRig.environment ?? "")/bin/python", "-c", script, database, "\(world.agent.pid)"])
  }
}
