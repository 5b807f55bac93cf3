import CPAM
import Glibc
import SignetTestKit
import Testing

private typealias EntryPoint =
  @convention(c) (OpaquePointer?, Int32, Int32, UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> Int32

@Suite struct EntryPointTests {
  @Test(arguments: ["authenticate", "setcred", "acct_mgmt", "open_session", "close_session", "chauthtok"])
  func `each can be called with nothing`(name: String) throws {
    let module = try #require(dlopen(try ReaderChannel.program("libpam_signet.so"), RTLD_NOW | RTLD_LOCAL))
    let symbol = try #require(dlsym(module, "pam_sm_\(name)"))
    let call = unsafeBitCast(symbol, to: EntryPoint.self)
    for count in [0, 1, -1, Int32.max, Int32.min] { #expect(call(nil, 0, count, nil) == PAM_SYSTEM_ERR) }
  }

  @Test func `random packets are never success and never hang`() throws {
    var numbers = SeededGenerator(seed: 7)
    let configuration = try PAMConfiguration()
    for _ in 0..<50 {
      let script: [[ScriptedDaemon.Step]] = (0..<10).map { _ in
        // Mostly of a known version and kind, so that the fields are reached.
        let head: [UInt8] = [1, [64, 65, 66, 67, 82, 83].randomElement(using: &numbers) ?? 0]
        let rest = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in UInt8.random(in: 0...8, using: &numbers) }
        return [.expect(.authenticate), .send(head + rest)]
      }
      let daemon = try ScriptedDaemon(script)
      try configuration.add("signet-test", options: "socket=\(daemon.path)")
      for _ in script {
        let host = try PAMHost(service: "signet-test", user: "alice", confdir: configuration.path)
        #expect(host.authenticate() != PAM_SUCCESS)
      }
      try daemon.finish()
    }
  }
}
