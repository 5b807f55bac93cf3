import Glibc
import SignetTestKit
import SignetTokens
import SignetVocabulary
import Testing

/// Each function of the module, as a program calls it that means well or not.
@Suite(.serialized) struct FunctionTests {
  /// The call went through, and nothing was answered that is not the standard's.
  private func expectNothingWrong(_ lines: [String]) {
    #expect(lines.last?.hasPrefix("checked ") == true && !lines.contains { $0.hasPrefix("line ") }, "\(lines)")
  }

  @Test func `what no program should do is answered by the standard's codes, and nobody is asked for anything`() throws {
    let token = try TokenScene()
    let lines = try token.call("arguments", "laptop").lines()
    #expect(lines.count == 1, "\(lines)")
    expectNothingWrong(lines)
  }

  @Test func `a key is made, signs by a touch each time, is listed, and is destroyed`() throws {
    let token = try TokenScene()
    let program = try token.call("make", "ssh", "sign", "ssh", "parts", "ssh", "list", "delete", "ssh", "list")
    for _ in 0..<2 { try program.touch("right", token.scene.reader) }
    let lines = try program.lines()
    expectNothingWrong(lines)
    #expect(lines.contains("make 0x0") && lines.bytes("id") == [0xAB, 1], "\(lines)")
    #expect(program.terminal.screen.contains("module: sign with the key ssh"))
    let point = lines.bytes("point")
    #expect(point.starts(with: [4, 65, 4]))
    // What openssl writes before the point of such a key.
    let start = "3059301306072a8648ce3d020106082a8648ce3d030107034200"
    #expect(lines.bytes("info") == ["start \(start)"].bytes("start") + point.dropFirst(2))
    let key = try #require(ES256PublicKey(Array(point.dropFirst(3))))
    let signatures = lines.filter { $0.hasPrefix("signature ") }
    #expect(signatures.count == 2 && signatures[0] != signatures[1])
    for signature in signatures { #expect(key.verifies([signature].bytes("signature"), of: Array("to sign".utf8))) }
    #expect(lines.filter { $0.hasPrefix("objects ") } == ["objects 4", "objects 2"])
    #expect(lines.contains("object 3 ssh id ab01") && lines.contains("object 2 ssh id ab01"))
  }

  @Test func `threads have their sessions, and a child of fork begins anew`() throws {
    let token = try TokenScene()
    let lines = try token.call("threads", "laptop", "fork", "laptop").lines()
    expectNothingWrong(lines)
    #expect(lines.contains("child 0"))
  }

  /// Embedded Swift, which no sanitizer of the compiler instruments. Debian's valgrind cannot read what debuggers are told of it.
  @Test func `threads do not race`() throws {
    let token = try TokenScene()
    try TokenScene.compile(["-gdwarf-4"], to: "\(token.folder.path)/plain")
    let valgrind = "valgrind -q --tool=helgrind --error-exitcode=9 --log-file=log"
    let end = try token.run("strip -o stripped.so $MODULE && \(valgrind) ./plain ./stripped.so threads laptop")
    #expect(end.status == 0 && end.screen.hasPrefix("checked "), "\(end)")
  }

  @Test func `a child that is made while a finger is waited for waits for nobody`() throws {
    let token = try TokenScene()
    let program = try token.call("meanwhile", "laptop")
    try program.terminal.read(until: "the fingerprint reader")
    kill(program.terminal.pid, SIGUSR1)
    try program.terminal.read(until: "child 0")
    try token.scene.reader.scan("right")
    let lines = try program.lines()
    expectNothingWrong(lines)
    #expect(lines.contains("sign 0x0"), "\(lines)")
  }

  @Test func `who gives up says so, and the key signs the next time`() throws {
    let token = try TokenScene()
    let program = try token.call("sign", "laptop", "sign", "laptop")
    try program.touch("wrong", token.scene.reader)
    try program.terminal.read(until: "not recognised")
    program.terminal.type("\u{1B}")
    try program.touch("right", token.scene.reader)
    let lines = try program.lines()
    expectNothingWrong(lines)
    #expect(lines.filter { $0.hasPrefix("sign ") } == ["sign 0x50", "sign 0x0"], "\(lines)")
  }

  @Test func `three misses are a wrong PIN, two more lock it, and then the passcode comes before the finger`() throws {
    let token = try TokenScene(access: AccessControl(.biometryAny))
    let program = try token.call("sign", "laptop", "sign", "laptop", "sign", "laptop")
    try program.miss(3, token.scene.reader)
    try program.miss(2, token.scene.reader)
    try program.terminal.read(until: "sign 0xa4")
    try token.scene.daemon.awaitStrikes(5)
    try program.enterPasscode()
    try program.touch("right", token.scene.reader)
    let lines = try program.lines()
    expectNothingWrong(lines)
    #expect(lines.filter { $0.hasPrefix("sign ") } == ["sign 0xa0", "sign 0xa4", "sign 0x0"], "\(lines)")
  }

  @Test func `the passcode is the other way to a signature`() throws {
    let token = try TokenScene()
    try token.lock()
    let program = try token.call("sign", "laptop")
    try program.enterPasscode()
    let lines = try program.lines()
    #expect(lines.contains("sign 0x0"), "\(lines)")
  }

  @Test func `without a terminal the desktop's prompt that was installed with the module asks`() throws {
    let token = try TokenScene()
    try token.lock()
    let prefix = token.folder.path + "/prefix"
    let (place, helper) = (prefix + "/lib/x/pkcs11", prefix + "/libexec/signet")
    try token.run(
      "mkdir -p \(place) \(helper) && cp $MODULE \(place)/signet-pkcs11.so && install \(TokenScene.prompt) \(helper)/signet-prompt"
    )
    let call = "\(try TokenScene.caller.get()) \(place)/signet-pkcs11.so sign laptop"
    let end = try token.run("setsid -w \(call) < /dev/null", try token.desktop())
    #expect(end.screen.contains("sign 0x0"), "\(end)")
    #expect(try token.told.contains("'--application', 'module', '--reason', 'sign with the key laptop'"))
  }

  @Test func `where nobody can be asked a login is missing, and without signetd the token`() throws {
    let token = try TokenScene()
    let alone = try token.run("setsid -w \(try TokenScene.caller.get()) $MODULE sign laptop < /dev/null")
    #expect(alone.status == 0 && alone.screen.contains("sign 0x101"), "\(alone)")
    token.scene.daemon.end(SIGKILL)
    #expect(try token.call("find", "laptop").lines().contains("search 0x32"))
  }

  @Test func `a signetd that says nothing is a broken device, and nobody waits for it`() throws {
    let token = try TokenScene()
    kill(token.scene.daemon.pid, SIGSTOP)
    let lines = try token.call("find", "laptop").lines()
    kill(token.scene.daemon.pid, SIGCONT)
    #expect(lines.contains("search 0x30"), "\(lines)")
  }

  @Test func `a key that the fingers took with them is not among the keys`() throws {
    let token = try TokenScene(access: AccessControl(.biometryCurrentSet))
    #expect(try token.call("find", "laptop").lines().contains("found 1"))
    #expect(try token.scene.enroll(.leftIndexFinger, as: "left").last == .done)
    #expect(try token.call("find", "laptop").lines().contains("found 0"))
  }
}
