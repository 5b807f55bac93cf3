import SignetTestKit
import SignetVocabulary
import Testing

/// fprintd's own programs, unmodified, with Signet behind the name that they ask for.
@Suite(
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"),
  .enabled(if: FprintWorld.hasPrograms, "needs fprintd's programs, which `make fprintd` unpacks"))
struct FprintdProgramTests {
  @Test func `fprintd-list lists the user's fingers, and says so where there is none`() throws {
    let world = try FprintWorld(enrolls: false)
    _ = try world.client()
    let user = world.scene.daemon.user
    #expect(try world.fprintd("fprintd-list", user).text.contains("User \(user) has no fingers enrolled"))
    try world.scene.daemon.enroll(.rightIndexFinger, as: "right", on: world.scene.reader)
    let listed = try world.fprintd("fprintd-list", user)
    #expect(listed.text.contains("found 1 devices") && listed.text.contains("right-index-finger") && listed.status == 0)
  }

  @Test func `fprintd-verify matches the enrolled finger, and no other`() throws {
    let world = try FprintWorld()
    _ = try world.client()
    let match = try world.fprintd("fprintd-verify", touches: ["right"])
    #expect(match.text.contains("Verify result: verify-match (done)") && match.status == 0)
    let miss = try world.fprintd("fprintd-verify", touches: ["wrong"])
    #expect(miss.text.contains("Verify result: verify-no-match (done)"))
    #expect(world.scene.daemon.strikesOnDisk == 1)
  }

  @Test func `fprintd-verify gets five looks, and is told of the passcode at the sixth`() throws {
    let world = try FprintWorld()
    _ = try world.client()
    for _ in 1...5 {
      #expect(try world.fprintd("fprintd-verify", touches: ["wrong"]).text.contains("verify-no-match (done)"))
    }
    #expect(world.scene.daemon.strikesOnDisk == 5)
    let sixth = try world.fprintd("fprintd-verify")
    #expect(sixth.text.contains("Error.Internal: The passcode is required") && sixth.status != 0)
  }
}
