import SignetTestKit

/// What somebody does at a host's prompt, and what it leads to. Whatever they type for the prompt has "hunter" in it, unless it is the
/// passcode, and is found by that where it should not be.
struct Scenario: Sendable {
  let name: String
  /// `nil`: the terminal is gone.
  let ending: Host.Ending?
  /// By the host's name, why it has no such scenario.
  let leftOut: [String: String]
  let play: @Sendable (Cell) throws -> Void

  init(
    _ name: String, _ ending: Host.Ending?, leftOut: [String: String] = [:], _ play: @escaping @Sendable (Cell) throws -> Void
  ) { (self.name, self.ending, self.leftOut, self.play) = (name, ending, leftOut, play) }

  private static let untyped = "what is typed before Enter is no part of the passcode"
  private static let paste = String(repeating: "hunter", count: 100)

  static let all: [Scenario] = [
    Scenario("a finger", .granted) { try $0.scan("right") },
    Scenario("the passcode", .granted) { try $0.enter(World.passcode) },
    Scenario("half a passcode, then a finger", .granted) {
      $0.terminal.type("hunter")
      try $0.scan("right")
    },
    Scenario("a wrong passcode", .refused) { try $0.enter("hunter") },
    Scenario("a finger while a wrong passcode is checked", .refused) {
      try $0.enter("hunter")
      try $0.awaitPasscodeCheck()
      // Where the reader is closed by then, nobody sees it.
      try? $0.scan("right")
    },
    Scenario("a miss while typing", .granted, leftOut: ["pkexec with pkttyagent": untyped]) {
      $0.terminal.type("right ")
      try $0.scan("wrong")
      try $0.terminal.read(until: "Fingerprint not recognised, 2 attempts left")
      $0.terminal.type("horse\n")
    },
    Scenario("a miss, then the passcode", .granted) {
      $0.terminal.type("hunter")
      try $0.scan("wrong")
      try $0.terminal.read(until: "Fingerprint not recognised, 2 attempts left")
      // As one does who begins anew.
      $0.terminal.type("\u{15}")
      try $0.enter(World.passcode)
    },
    Scenario("three misses, then the passcode", .granted) {
      for left in ["2 attempts", "1 attempt", "No fingerprint attempts"] {
        try $0.scan("wrong")
        try $0.terminal.read(until: left)
      }
      try $0.answerPasscodePrompt(World.passcode)
    },
    Scenario("Enter, then the passcode", .granted) {
      $0.terminal.type("\n")
      try $0.answerPasscodePrompt(World.passcode)
    },
    Scenario("600 bytes pasted", .refused) { try $0.enter(paste) },
    Scenario("600 bytes pasted without an end, then a finger", .granted) {
      $0.terminal.type(paste)
      try $0.scan("right")
    },
    Scenario("600 bytes pasted of several lines", .refused, leftOut: ["pkexec with pkttyagent": untyped]) {
      $0.terminal.type(paste + "\nhunter\nhunter\n")
    },
    Scenario("Ctrl-C", .interrupted) { $0.terminal.type("hunter\u{3}") },
    Scenario("Ctrl-C at the prompt for the passcode alone", .interrupted) {
      $0.terminal.type("\n")
      try $0.answerPasscodePrompt("hunter\u{3}", end: "")
    },
    Scenario("Ctrl-C while a wrong passcode is checked", .interrupted) {
      try $0.enter("hunter")
      try $0.awaitPasscodeCheck()
      $0.terminal.type("\u{3}")
    },
    Scenario("Ctrl-backslash", .quit) { $0.terminal.type("hunter\u{1C}") },
    Scenario("Ctrl-D", .ended, leftOut: ["pkexec with pkttyagent": "there it asks for the passcode, as Enter does"]) {
      $0.terminal.type("\u{4}")
    },
    Scenario("Ctrl-D twice, behind a half-typed passcode", .ended, leftOut: ["pkexec with pkttyagent": untyped]) {
      $0.terminal.type("hunter\u{4}\u{4}")
    },
    Scenario(
      "Ctrl-Z and back, then a finger", .granted,
      leftOut: ["sudo": "after a stop it takes the passcode alone", "login": "nobody is there to continue it"]
    ) {
      $0.terminal.type("hunter")
      try $0.stopAndGoOn()
      try $0.scan("right")
    },
    Scenario("Ctrl-Z and back, then the passcode", .granted, leftOut: ["login": "nobody is there to continue it"]) {
      $0.terminal.type("hunter")
      try $0.stopAndGoOn()
      try $0.enter(World.passcode)
    },
    Scenario(
      "Ctrl-Z in a session's first program", .granted,
      leftOut: ["sudo": "it stops", "su": "it stops", "pkexec with pkttyagent": "it stops"]
    ) {
      $0.terminal.type("hunter\u{1A}")
      try $0.awaitQuestion()
      try $0.scan("right")
    },
    Scenario("resized, then a finger", .granted) {
      $0.terminal.type("hunter")
      try $0.resize()
      try $0.scan("right")
    },
    Scenario("resized while typing", .granted, leftOut: ["pkexec with pkttyagent": untyped]) {
      $0.terminal.type("right ")
      try $0.resize()
      $0.terminal.type("horse\n")
    },
    Scenario("the window closed", nil) {
      $0.terminal.type("hunter")
      $0.terminal.hangUp()
    },
    Scenario("the window closed while the passcode is checked", nil) {
      try $0.enter("hunter")
      try $0.awaitPasscodeCheck()
      $0.terminal.hangUp()
    },
  ]
}
