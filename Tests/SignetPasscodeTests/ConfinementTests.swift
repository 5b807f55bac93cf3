import Glibc
import SignetTestKit
import Testing

/// What surrounds the check: the process's own limits, and packets that are none.
@Suite struct ConfinementTests {
  private let process: PasscodeProcess
  init() throws { process = try PasscodeProcess() }

  private var good: [UInt8] {
    get throws { try PasscodeProcess.packet("tester", "signet-passcode", process.confdir, Array("right".utf8)) }
  }

  @Test func `modules see no environment, no channel and no tracer`() throws {
    try process.script("silent no-environment descriptors confined hidden")
    try process.start(environment: ["LD_DEBUG_OUTPUT=/tmp/x", "SECRET=1"])
    process.send(try good)
    #expect(try process.answer()?.outcome == .verified)
  }

  @Test func `a module that crashes leaves no answer`() throws {
    try process.script("hidden crash")
    try process.start()
    process.send(try good)
    #expect(try process.answer() == nil)
    #expect(try process.exitStatus() == -SIGABRT)
  }

  @Test func `the deadline ends a module that hangs, even where the signal was ignored before`() throws {
    let pipe = try process.makePipe("pipe")
    try process.script("hidden hang=\(pipe)")
    // dash keeps an ignored signal over exec.
    try process.start(launcher: ["/bin/sh", "-c", "trap '' ALRM CHLD; exec \"$0\""])
    process.send(try good)
    // This open returns once the module has opened its end, so now the module hangs.
    let writer = Glibc.open(pipe, O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    process.signal(SIGALRM)
    #expect(try process.answer() == nil)
    #expect(try process.exitStatus() == -SIGALRM)
    close(writer)
  }

  @Test(
    arguments: [
      [], [1], [1, 2, 0xA5, 0, 0, 0, 0], [2, 1], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 1, count: 5000),
    ] as [[UInt8]])
  func `a packet that is no check gets no answer`(bytes: [UInt8]) throws {
    try process.script("hidden")
    try process.start()
    process.send(bytes)
    #expect(try process.answer() == nil)
    #expect(try process.exitStatus() == 1)
  }

  @Test func `a check cut anywhere gets no answer`() throws {
    try process.script("hidden")
    let whole = try good
    for count in stride(from: 1, to: whole.count, by: 7) {
      try process.start()
      process.send(Array(whole.prefix(count)))
      #expect(try process.answer() == nil, "of \(count) bytes")
      #expect(try process.exitStatus() == 1)
      process.hangUp()
    }
  }

  @Test func `a channel that is closed ends it`() throws {
    try process.start()
    process.hangUp()
    #expect(try process.exitStatus() == 1)
  }

  @Test func `it does nothing without a channel`() throws {
    let program = try Program([try ReaderChannel.program("signet-passcode")])
    #expect(try program.waitForExit() == 1)
  }
}
