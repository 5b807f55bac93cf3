import Glibc
import SignetBytes
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// What signetd believes of signet-fprint, and what not. Root may ask as signet-fprint does.
@Suite struct OnBehalfTests {
  private func answer(_ scene: Scene, _ request: AdministrationRequest, of sender: BusSender) throws -> AdministrationReply? {
    let client = try scene.daemon.connect()
    guard var inner = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    try request.write(into: &inner)
    try client.send(raw: OnBehalfTests.packet(sender, inner))
    return try? client.nextAdministration()
  }

  private static func packet(_ sender: BusSender, _ inner: borrowing SecretBytes) throws -> [UInt8] {
    guard var packet = SecretBytes(capacity: PacketLimit.packet) else { throw TestKitError("no memory") }
    try OnBehalfRequest(of: sender, inner.span).write(into: &packet)
    return Array(copying: packet.span)
  }

  private var me: BusSender { BusSender(uid: geteuid(), pid: UInt32(getpid()), seen: .max) }

  @Test func `a process that is there, and runs as that user, is answered`() throws {
    let scene = try Scene()
    #expect(try answer(scene, .list(user: ""), of: me) != nil)
  }

  @Test func `another uid than the process has, a process that is gone or is younger, is not`() throws {
    let scene = try Scene()
    var other = me
    other.uid = 65534
    #expect(try answer(scene, .list(user: ""), of: other) == nil)
    let gone = try Program(["/bin/true"])
    let pid = UInt32(gone.pid)
    _ = try gone.waitForExit()
    #expect(try answer(scene, .list(user: ""), of: BusSender(uid: geteuid(), pid: pid, seen: .max)) == nil)
    var younger = me
    younger.seen = 1
    #expect(try answer(scene, .list(user: ""), of: younger) == nil)
    for pid: UInt32 in [0, .max] {
      #expect(try answer(scene, .list(user: ""), of: BusSender(uid: geteuid(), pid: pid, seen: .max)) == nil)
    }
  }

  @Test(arguments: [AdministrationRequest.reset(user: ""), .lock(user: ""), .history(user: "", limit: 1)])
  func `nothing else is asked in anybody's name, be it root's`(request: AdministrationRequest) throws {
    let scene = try Scene()
    #expect(try answer(scene, request, of: me) == nil)
  }
}
