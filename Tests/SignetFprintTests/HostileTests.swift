import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Clients that mean harm, and crowds that mean none.
@Suite(.enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"))
struct HostileTests {
  @Test(arguments: ["VerifyStop", "Release", "leave"])
  func `no order of calls, and no end in the midst, buys a sixth look`(end: String) throws {
    let world = try FprintWorld()
    var looks = 0
    while true {
      let client = try world.client()
      try wait(for: "the claim") { try client.call("Claim") == "ok" }
      let start = try client.call("VerifyStart any")
      if start != "ok" {
        #expect(start == "error Internal")
        break
      }
      looks += 1
      try #require(looks <= 5)
      try world.scene.reader.scan("wrong")
      try client.line(with: "signal VerifyStatus verify-no-match True")
      if end == "leave" { client.program.signal(SIGKILL) } else { #expect(try client.call(end) == "ok") }
    }
    #expect(looks == 5)
    #expect(world.scene.daemon.strikesOnDisk == 5)
  }

  @Test func `looks on the bus and looks of logins are the same five`() throws {
    let world = try FprintWorld()
    let client = try world.client()
    #expect(try client.call("Claim") == "ok")
    for look in 1...5 {
      if look.isMultiple(of: 2) {
        try world.scene.attempt("wrong")
      } else {
        // A login that has gone may hold the reader for a moment.
        try wait(for: "the reader") { try client.call("VerifyStart any") == "ok" }
        try world.scene.reader.scan("wrong")
        try client.line(with: "signal VerifyStatus verify-no-match True")
        #expect(try client.call("VerifyStop") == "ok")
      }
    }
    #expect(try client.call("VerifyStart any") == "error Internal")
    #expect(world.scene.daemon.strikesOnDisk == 5)
  }

  @Test func `who breaks off before the verdict has had the look`() throws {
    let world = try FprintWorld()
    let client = try world.client()
    // What lies on the reader is seen, however early the client stops; so many looks are more than there are.
    for _ in 1...40 {
      #expect(try client.call("Claim") == "ok")
      let start = try client.call("VerifyStart any")
      if start == "error Internal" { break }
      // The scan before may hold the reader for a moment: that is no look.
      if start == "ok" {
        try world.scene.reader.scan("wrong")
        #expect(try client.call("VerifyStop") == "ok")
      }
      #expect(try client.call("Release") == "ok")
    }
    #expect((world.scene.daemon.strikesOnDisk ?? 0) <= 5)
    #expect(try client.call("VerifyStart any").hasPrefix("error "))
  }

  @Test func `a crowd that calls everything in any order is answered, and changes nothing`() throws {
    let world = try FprintWorld()
    let (stranger, own) = (try world.client(as: FprintWorld.nobody), try world.client())
    try stranger.say("storm 100 \(world.scene.daemon.user)")
    #expect(try own.call("ListEnrolledFingers") == "ok ['right-index-finger']")
    let told = try stranger.answer(to: "storm")
    // Of its own fingers it has none, and of others' it hears nothing.
    #expect(told == "ok 100 []", "\(told)")
    // All have left, and with them their claims.
    try wait(for: "the claims to end") { try own.call("Claim") == "ok" }
    #expect(try own.call("VerifyStart any") == "ok")
    try world.scene.reader.scan("right")
    try own.line(with: "signal VerifyStatus verify-match True")
    #expect(world.scene.daemon.strikesOnDisk(of: 65534) ?? 0 == 0)
  }

  @Test func `of a hundred clients that claim the device at once one has it, and all are answered`() throws {
    let world = try FprintWorld()
    let client = try world.client()
    #expect(try client.call("crowd 100") == "ok 100 1")
  }
}
