import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// `signet token` in a session as a login by finger opens it, with the real signetd.
@Suite(.enabled(if: SessionKeyring.isAvailable && geteuid() == 0, "needs root and keyctl(2): a session's key is root's"))
struct TokenCommandTests {
  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Runs a script in a session that a finger has opened; in it `signet` is the command, and `$token` the session's token.
  private func session(_ scene: Scene, _ script: String) throws -> String {
    guard case .verdict(.success, _, let token) = try scene.attempt("right") else { throw TestKitError("no success") }
    let digits = hexadecimal(token)
    return try SessionKeyring.with(token: digits) { key in
      let client = try scene.daemon.connect()
      try client.openSession(token: token, key: key)
      guard try client.nextAdministration() == .done else { throw TestKitError("no session") }
      let command = "signet() { \"\(try ReaderChannel.program("signet"))\" \"$@\" --socket \(scene.daemon.socket); }\n"
      return try Program.output(
        ["/bin/bash", "-c", "exec 2>&1\ncd \(scene.daemon.folder)\n" + command + script],
        environment: ["PATH=/usr/bin:/bin", "token=\(digits)"])
    }
  }

  @Test func `what is sealed is unsealed, whatever its length`() throws {
    let script = """
      for length in 0 1 65535 65536 65537 131072 1000000; do
        head -c $length /dev/urandom > plain
        signet token seal < plain > sealed && signet token unseal < sealed | cmp - plain && echo same
        cmp -s plain sealed && echo "not sealed"
      done
      true
      """
    #expect(try session(try Scene(), script) == String(repeating: "same\n", count: 7))
  }

  @Test func `what was sealed and then cut, changed or continued is not taken`() throws {
    let script = """
      head -c 100000 /dev/zero | signet token seal > sealed
      length=$(stat -c %s sealed)
      head -c 70000 sealed | signet token unseal > /dev/null || echo cut
      head -c $((length - 1)) sealed | signet token unseal > /dev/null || echo cut
      { cat sealed; echo more; } | signet token unseal > /dev/null || echo continued
      { head -c 1000 sealed; printf x; tail -c +1002 sealed; } | signet token unseal > /dev/null || echo changed
      echo nothing | signet token unseal || echo foreign
      """
    let output = try session(try Scene(), script)
    let words = output.split(separator: "\n").filter { ["cut", "continued", "changed", "foreign"].contains($0) }
    #expect(words == ["cut", "cut", "continued", "changed", "foreign"])
    #expect(output.contains("is nothing that `signet token seal` wrote"))
  }

  @Test func `another session does not unseal it`() throws {
    let scene = try Scene()
    _ = try session(scene, "echo secret | signet token seal > sealed")
    #expect(try session(scene, "signet token unseal < sealed || echo $?").hasSuffix("since.\n1\n"))
  }

  @Test func `a refresh token goes from one command to the next, and an old one is refused`() throws {
    let script = """
      signet token jwt --audience mail --refreshable > first
      tail -n 1 first | signet token refresh > second && wc -l < second
      tail -n 1 first | signet token refresh || echo $?
      tail -n 1 second | signet token refresh || echo $?
      signet token jwt --audience mail --refreshable | tail -n 1 > third
      signet token revoke < third
      signet token refresh < third || echo $?
      """
    let lines = try session(try Scene(), script).split(separator: "\n")
    #expect(lines.filter { $0.count <= 2 } == ["2", "1", "1", "1"])
    #expect(lines.contains { $0.contains("was used before") })
  }

  @Test func `a service learns whose session a token is, and that another is nobody's`() throws {
    let script = """
      echo $token | signet token introspect
      echo ${token//[0-9]/0} | signet token introspect || echo $?
      echo short | signet token introspect || echo $?
      signet token introspect </dev/null 2>&1 || echo $?
      """
    let output = try session(try Scene(), script)
    #expect(output.contains("\"active\" : true") && output.contains("\"fpt\""))
    #expect(output.contains("\"active\" : false") && output.contains("}\n1\n"))
    #expect(output.hasSuffix("\n2\nsignet: standard input has no token of Signet, which is hexadecimal digits on one line.\n2\n"))
  }

  @Test func `the keys are for everybody, and one session ends all others`() throws {
    let scene = try Scene()
    let output = try session(scene, "signet token jwks; signet token jwks --with-issuer; signet sessions revoke --others")
    let lines = output.split(separator: "\n")
    #expect(lines[0].hasPrefix("{\"keys\":[") && lines[0].contains("\"alg\":\"ES256\""))
    #expect(lines[1].hasPrefix("{\"issuer\":\"urn:uuid:") && lines[1].contains("\"jwks\":{\"keys\":["))
    #expect(output.hasSuffix("All other sessions are revoked.\n"))
  }
}
