import SignetTestKit
import SignetVocabulary
import Testing

/// fprintd's own programs, unmodified, with Signet behind the name that they ask for.
@Suite(
  .enabled(if: PrivateBus.isAvailable, "needs dbus-daemon and python3-gi, which `make deps` installs"),
  .enabled(if: PrivateBus.hasFprintd, "needs fprintd's programs, which `make fprintd` unpacks"))
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
    let match = try world.verify(by: "right")
    #expect(match.text.contains("Verify result: verify-match (done)") && match.status == 0)
    let miss = try world.verify(by: "wrong")
    #expect(miss.text.contains("Verify result: verify-no-match (done)"))
    #expect(world.scene.daemon.strikesOnDisk == 1)
  }

  @Test func `fprintd-verify gets five looks, and is told of the passcode at the sixth`() throws {
    let world = try FprintWorld()
    _ = try world.client()
    for _ in 1...5 {
      #expect(try world.verify(by: "wrong").text.contains("verify-no-match (done)"))
    }
    #expect(world.scene.daemon.strikesOnDisk == 5)
    let sixth = try world.fprintd("fprintd-verify")
    #expect(sixth.text.contains("Error.Internal: The passcode is required") && sixth.status != 0)
  }

  @Test func `fprintd-enroll enrolls a finger with the passcode, and fprintd-delete deletes it`() throws {
    let world = try FprintWorld()
    let polkit = try world.polkit()
    let enrolled = try world.fprintd("fprintd-enroll", "-f", "left-thumb") { lines in
      try polkit.line(with: "polkit asked net.reactivated.fprint.device.enroll")
      #expect(try world.proveToPolkit().isSuccess)
      try polkit.say("consent")
      try polkit.line(with: "{'finger-needed': True}")
      for stage in 1...5 {
        try world.scene.reader.scan("left")
        try lines.read(until: stage < 5 ? "Enroll result: enroll-stage-passed" : "enroll-completed", times: stage < 5 ? stage : 1)
      }
    }
    #expect(enrolled.status == 0, "\(enrolled.text)")
    let user = world.scene.daemon.user
    #expect(try world.fprintd("fprintd-list", user).text.contains("left-thumb"))
    #expect(try world.verify(by: "left").text.contains("verify-match"))

    let deleted = try world.fprintd("fprintd-delete", user, "-f", "left-thumb") { _ in
      try polkit.line(with: "polkit asked net.reactivated.fprint.device.enroll")
      #expect(try world.proveToPolkit().isSuccess)
      try polkit.say("consent")
    }
    #expect(deleted.status == 0, "\(deleted.text)")
    let listed = try world.fprintd("fprintd-list", user).text
    #expect(listed.contains("right-index-finger") && !listed.contains("left-thumb"))
  }

  @Test func `without the passcode fprintd-enroll enrolls nothing, and fprintd-delete deletes nothing`() throws {
    let world = try FprintWorld()
    let polkit = try world.polkit()
    for words in [["fprintd-enroll", "-f", "left-thumb"], ["fprintd-delete", world.scene.daemon.user]] {
      let refused = try world.fprintd(words) { _ in
        try polkit.line(with: "polkit asked")
        #expect(try !world.proveToPolkit("wrong").isSuccess)
        try polkit.say("consent")
      }
      #expect(refused.status != 0 && refused.text.contains("PermissionDenied"), "\(refused.text)")
    }
    #expect(try world.fprintd("fprintd-list", world.scene.daemon.user).text.contains("right-index-finger"))
  }
}
