import Foundation
import SignetTestKit
import SignetVocabulary
import Testing

/// Keys that signetd holds for programs written as for the Secure Enclave.
@Suite(.serialized) struct SecKeyTests {
  /// `SecAccessControlCreateFlags` of a key.
  private static let ofFingers = "\(1 << 30 | 1 << 3)"
  private static let ofPresence = "\(1 << 30 | 1)"

  private let scene: Scene

  /// The vault is open.
  init() throws {
    scene = try Scene()
    try scene.openSession()
  }

  private func start(_ words: String..., tag: String = "org.example.key", mode: Int = 6) throws -> AppleProgram {
    try AppleProgram(["keys", tag] + words, mode: mode, socket: scene.daemon.socket)
  }

  /// The bytes behind the words of a line.
  private func bytes(_ program: AppleProgram, after words: String) throws -> Data {
    let line = try program.line(beginning: words)
    return try #require(Data(base64Encoded: String(line.dropFirst(words.count))), "\(line)")
  }

  /// What OpenSSL says of a signature of "what is signed", by a point of P-256.
  private func openSSL(_ signature: Data, _ point: Data) throws -> String {
    let folder = try TemporaryFolder()
    // SubjectPublicKeyInfo of RFC 5480, as far as it is the same for every point.
    let head = Data([
      0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D,
      0x03, 0x01, 0x07,
      0x03, 0x42, 0x00,
    ])
    for (name, data) in [("key", head + point), ("signature", signature), ("message", Data("what is signed".utf8))] {
      try data.write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
    }
    let command = Process()
    command.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    command.arguments = [
      "openssl", "dgst", "-sha256", "-verify", "\(folder.path)/key", "-keyform", "DER", "-signature", "\(folder.path)/signature",
      "\(folder.path)/message",
    ]
    let pipe = Pipe()
    (command.standardOutput, command.standardError) = (pipe, pipe)
    try command.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    command.waitUntilExit()
    return said
  }

  @Test(arguments: languageModes) func `a finger signs, OpenSSL verifies it, and the private half is not told`(mode: Int) throws {
    let program = try start("make", Self.ofFingers, "sign", "export", "delete", "find", mode: mode)
    let point = try bytes(program, after: "make ")
    try program.touch("right", scene.reader)
    let signature = try bytes(program, after: "sign true ")
    #expect(try openSSL(signature, point) == "Verified OK\n")
    #expect(try openSSL(signature, Data(point.reversed())) != "Verified OK\n")
    #expect(try program.line(beginning: "export ") == "export NSOSStatusErrorDomain -4")
    #expect(try program.line(beginning: "delete ") == "delete 0")
    #expect(try program.line(beginning: "find ") == "find NSOSStatusErrorDomain -25300")
  }

  @Test(arguments: languageModes) func `a finger decrypts and agrees, each time anew, and a label changes without one`(mode: Int)
    throws
  {
    let program = try start(
      "make", Self.ofFingers, "open", "agree", "rename", "context", "sign", "silent", "open", "agree", mode: mode)
    for word in ["open", "agree"] {
      try program.touch("right", scene.reader)
      #expect(try program.line(beginning: "\(word) ") == "\(word) true")
    }
    #expect(try program.line(beginning: "rename ") == "rename 0")
    #expect(try program.line(beginning: "label ") == "label Renamed")
    try program.terminal.read(until: "Sign the order")
    try program.touch("right", scene.reader)
    _ = try bytes(program, after: "sign true ")
    for word in ["open", "agree"] { #expect(try program.line(beginning: "\(word) ") == "\(word) true") }
  }

  @Test(arguments: languageModes) func `a public half is kept beside its key`(mode: Int) throws {
    let program = try start("make", Self.ofFingers, "keep", "keep", "delete", "find", mode: mode)
    for _ in 1...2 { #expect(try program.line(beginning: "keep ") == "keep true") }
    #expect(try program.line(beginning: "delete ") == "delete 0")
    #expect(try program.line(beginning: "find ") == "find NSOSStatusErrorDomain -25300")
  }

  @Test func `a context signs again without a touch, and no more once it is invalidated`() throws {
    let program = try start("make", Self.ofFingers, "context", "sign", "silent", "sign", "sign", "invalidate", "sign")
    try program.terminal.read(until: "Sign the order")
    try program.touch("right", scene.reader)
    for _ in 1...3 { _ = try bytes(program, after: "sign true ") }
    // The context finds nothing any more either.
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -25293")
  }

  @Test(arguments: languageModes) func `what was proved before for a key signs without a touch`(mode: Int) throws {
    let program = try start("make", Self.ofFingers, "evaluate", "silent", "sign", mode: mode)
    try program.terminal.read(until: "Sign the order")
    try program.touch("right", scene.reader)
    _ = try bytes(program, after: "sign true ")
  }

  @Test(arguments: [("evaluate-decrypt", "open"), ("evaluate-exchange", "agree")])
  func `what was proved before for another use of a key is good for that`(evaluation: String, use: String) throws {
    let program = try start("make", Self.ofFingers, evaluation, "silent", use)
    try program.terminal.read(until: "Sign the order")
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "\(use) ") == "\(use) true")
  }

  @Test func `who must not ask is told so`() throws {
    let program = try start("make", Self.ofPresence, "context", "silent", "sign")
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -25308")
  }

  @Test func `a cancel, and misses with a wrong passcode, sign nothing and say what it was`() throws {
    let program = try start("make", Self.ofPresence, "sign", "sign", "sign")
    try program.touch("wrong", scene.reader)
    try program.askPasscode()
    try program.enterPasscode("")
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -128")
    try program.miss(3, scene.reader)
    try program.enterPasscode("wrong")
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -25293")
    try program.touch("right", scene.reader)
    _ = try bytes(program, after: "sign true ")
  }

  @Test func `five misses lock the keys until the passcode comes`() throws {
    let program = try start("make", Self.ofFingers, "sign", "sign", "sign", "sign")
    try program.miss(3, scene.reader)
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -25293")
    try program.miss(2, scene.reader)
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -25293")
    try program.enterPasscode("")
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -128")
    try program.enterPasscode()
    try program.touch("right", scene.reader)
    _ = try bytes(program, after: "sign true ")
  }

  @Test func `another finger ends a key that was for those before, which can be deleted and made anew`() throws {
    let program = try start("make", Self.ofFingers, "typed", "sign", "delete", "make", Self.ofFingers, "sign")
    let first = try bytes(program, after: "make ")
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    program.terminal.type("\n")
    #expect(try program.line(beginning: "sign ") == "sign NSOSStatusErrorDomain -25293")
    #expect(try bytes(program, after: "make ") != first)
    try program.touch("left", scene.reader)
    _ = try bytes(program, after: "sign true ")
  }

  @Test func `another program does not find a key, but by the name of the one that made it`() throws {
    // One that asks for nothing: the owner is asked all the same.
    let making = try start("make", "\(1 << 30)", mode: 5)
    _ = try making.lines()
    let other = try start("find", "delete", "of", try ReaderChannel.program("apple-style-5"))
    #expect(try other.line(beginning: "find ") == "find NSOSStatusErrorDomain -25300")
    #expect(try other.line(beginning: "delete ") == "delete -25300")
    try other.touch("right", scene.reader)
    #expect(other.terminal.screen.contains("apple-style-5"))
    #expect(try other.line(beginning: "of ") == "of true")
    #expect(try start("find", mode: 5).line(beginning: "find ") == "find 0")
  }

  @Test func `without signetd no permanent key is made`() throws {
    let program = try AppleProgram(["keys", "tag", "make", Self.ofPresence, "find"], socket: "/nonexistent/socket")
    #expect(try program.line(beginning: "make ") == "make NSOSStatusErrorDomain -25291")
    #expect(try program.line(beginning: "find ") == "find NSOSStatusErrorDomain -25291")
  }
}
