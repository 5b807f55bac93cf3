import Glibc
import SignetTestKit
import Testing

/// What surrounds the check: the process's own limits, and packets that are none.
@Suite struct ConfinementTests {
  private let process: PasscodeProcess
  init() throws { process = try PasscodeProcess() }

  private var good: [[UInt8]] {
    get throws { try PasscodeProcess.packets("tester", "signet-passcode", process.confdir, Array("right".utf8)) }
  }

  @Test func `modules see no environment, no channel and no tracer`() throws {
    try process.script("silent no-environment descriptors confined hidden")
    try process.start(environment: ["LD_DEBUG_OUTPUT=/tmp/x", "SECRET=1"])
    for packet in try good { process.send(packet) }
    #expect(try process.answer()?.outcome == .verified)
  }

  @Test func `a module that crashes leaves no answer`() throws {
    try process.script("hidden crash")
    try process.start()
    for packet in try good { process.send(packet) }
    #expect(try process.answer() == nil)
    #expect(try process.exitStatus() == -SIGABRT)
  }

  @Test func `the deadline ends a module that hangs, even where the signal was ignored before`() throws {
    let pipe = try process.makePipe("pipe")
    try process.script("hidden hang=\(pipe)")
    // dash keeps an ignored signal over exec.
    try process.start(launcher: ["/bin/sh", "-c", "trap '' ALRM CHLD; exec \"$0\""])
    for packet in try good { process.send(packet) }
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

  @Test func `a stack or a check that is cut anywhere gets no answer`() throws {
    try process.script("hidden")
    let whole = try good
    for (index, packet) in whole.enumerated() {
      for count in stride(from: 1, to: packet.count, by: 3) {
        try process.start()
        for before in whole.prefix(index) { process.send(before) }
        process.send(Array(packet.prefix(count)))
        #expect(try process.answer() == nil, "of \(count) bytes of packet \(index)")
        #expect(try process.exitStatus() == 1)
        process.hangUp()
      }
    }
  }

  @Test func `a check without a stack gets no answer`() throws {
    try process.script("hidden")
    try process.start()
    process.send(try good[1])
    #expect(try process.answer() == nil)
    #expect(try process.exitStatus() == 1)
  }

  @Test func `the stack is read before the passcode is there`() throws {
    let pipe = try process.makePipe("more")
    try process.write("signet-passcode", "auth include \(pipe)\n")
    try process.start()
    process.send(try good[0])
    // A pipe cannot be opened like this before libpam has its end.
    var writer: Int32 = -1
    try wait(for: "libpam to read the stack") {
      writer = Glibc.open(pipe, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      return writer >= 0
    }
    let line = "auth required \(try ScriptedModule.path.get()) hidden\n"
    #expect(Glibc.write(writer, line, line.utf8.count) == line.utf8.count)
    close(writer)
    process.send(try good[1])
    #expect(try process.answer()?.outcome == .verified)
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
