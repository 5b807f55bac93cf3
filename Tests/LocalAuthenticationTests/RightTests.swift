import SignetTestKit
import Testing

/// Rights: what the owner allows, for as long as the program runs or kept in the vault.
@Suite(.serialized) struct RightTests {
  @Test(arguments: languageModes) func `a right is the owner's to allow, and what is kept with it is released then`(mode: Int)
    throws
  {
    let scene = try Scene()
    try scene.openSession()
    let program = try scene.start("rights", mode: mode)
    // The right that lasts as long as its object.
    try program.touch("right", scene.reader)
    // The one that is kept: three misses fail, and then a finger allows it.
    try program.miss(3, scene.reader)
    _ = try program.line(beginning: "authorize -1")
    try program.touch("right", scene.reader)
    let words = [
      "plain", "allow", "again", "none", "save", "load", "authorize", "right", "secret", "key", "signed", "wrong",
      "decrypted", "shared", "sign", "remove", "gone", "all", "end",
    ]
    let told = try program.lines().filter { line in words.contains { line == $0 || line.hasPrefix($0 + " ") } }
    #expect(
      told == [
        "plain unknown", "allow done", "plain authorized", "again done", "plain notAuthorized", "none -25300", "save done",
        "save -25299", "load -1004", "authorize -1", "authorize done", "right authorized", "secret s3cret", "load done",
        "signed true 65", "wrong -67808", "decrypted true", "shared 32", "key done", "load -1004", "sign -1004", "remove done",
        "gone -25300", "all done", "end",
      ])
  }
}
