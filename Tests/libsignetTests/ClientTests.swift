import SignetBytes
import SignetTestKit
import SignetTokens
import SignetVocabulary
import SignetWire
import Testing

/// The C API on a real signetd with a virtual reader.
@Suite(.serialized) struct ClientTests {
  private func run(_ scene: Scene, _ words: String...) throws -> [String] { try CProgram.client(words, at: scene.daemon.socket) }

  @Test func `a finger proves, and an item is released to what was proved`() throws {
    let scene = try Scene()
    let touch = { try scene.reader.scan("right") }
    let lines = try CProgram.client(
      [
        "can", "1", "evaluate", "1", "passcode", RunningDaemon.passcode, "add", "mail", "horse", "2", "copy", "mail", "list",
        "delete", "mail", "copy", "mail",
      ], at: scene.daemon.socket, whenever: [("prompt 1 ", touch)])
    #expect(Array(lines[..<2]) == ["can ok", "biometry 1 1"])
    #expect(lines.contains("evaluate ok") && lines.contains("method 1"))
    #expect(lines.contains("value 5 horse"))
    #expect(lines.contains { $0.hasPrefix("item 0 mail me L C 2 1 abc lost=0 creator=") && $0.hasSuffix("/client") })
    #expect(lines.filter { $0.hasPrefix("prompt 1 ") }.count == 1)
    #expect(lines.last?.hasPrefix("copy error 2 -25300 ") == true)
  }

  @Test func `three misses fail, two more lock, and the passcode is then all that helps`() throws {
    let scene = try Scene()
    let miss = { try scene.reader.scan("wrong") }
    let first = try CProgram.client(
      ["evaluate", "1"], at: scene.daemon.socket,
      whenever: [("prompt 1 ", miss), ("prompt 2 2 1 ", miss), ("prompt 2 1 1 ", miss)])
    #expect(first.contains { $0.hasPrefix("evaluate error 1 -1 ") })
    let second = try CProgram.client(
      ["steps", "1", "can", "1", "can", "2", "passcode", "wrong", "passcode", RunningDaemon.passcode, "steps", "2", "can", "1"],
      at: scene.daemon.socket, whenever: [("prompt 1 ", miss), ("prompt 2 ", miss)])
    #expect(second.contains { $0.hasPrefix("steps error 1 -8 ") })
    #expect(second.contains { $0.hasPrefix("can error 1 -8 ") })
    #expect(second.contains { $0.hasPrefix("prompt 10 2 ") })
    #expect(second.contains("steps ok"))
    #expect(second.filter { $0 == "can ok" }.count == 2)
  }

  @Test func `the steps of a main loop do what the blocking call does`() throws {
    let scene = try Scene()
    let lines = try CProgram.client(
      ["steps", "2"], at: scene.daemon.socket, whenever: [("prompt 1 ", { try scene.reader.scan("right") })])
    #expect(lines.last == "steps ok")
  }

  @Test func `whoever gives up says so, by each way there is`() throws {
    let scene = try Scene()
    for (action, code) in [("cancel", -9), ("system", -4), ("decline", -2), ("alarm", -2), ("invalidate", -9)] {
      for form in ["evaluate", "steps"] {
        let lines = try run(scene, "at", "1", action, form, "2", "at", "0", "none", "can", "2")
        #expect(lines.contains { $0.hasPrefix("\(form) error 1 \(code) ") }, "\(lines)")
        let after = action == "invalidate" ? "can error 1 -10 " : "can ok"
        #expect(lines.contains { $0.hasPrefix(after) }, "\(lines)")
      }
    }
    try scene.daemon.awaitStrikes(0)
  }

  @Test func `the passcode is offered after the first miss, and the policy says what becomes of it`() throws {
    let scene = try Scene()
    let miss = { try scene.reader.scan("wrong") }
    let lines = try CProgram.client(
      ["at", "2", "fallback", "evaluate", "1", "passcode", RunningDaemon.passcode, "evaluate", "2"], at: scene.daemon.socket,
      whenever: [("prompt 1 ", miss), ("prompt 1 ", miss)])
    #expect(lines.contains { $0.hasPrefix("evaluate error 1 -3 ") }, "\(lines)")
    #expect(lines.contains("evaluate ok") && lines.contains("method 2"))
  }

  @Test func `without a finger, a passcode, a reason, a user to ask or a signetd each has its number`() throws {
    let bare = try Scene(enrolls: false)
    #expect(try run(bare, "can", "1").first?.hasPrefix("can error 1 -7 ") == true)
    #expect(try run(bare, "evaluate", "1").first?.hasPrefix("evaluate error 1 -7 ") == true)
    #expect(try run(bare, "can", "2").first == "can ok")
    #expect(try run(bare, "silent", "evaluate", "2").first?.hasPrefix("evaluate error 1 -1004 ") == true)
    let nobody = try CProgram.client(["default", "evaluate", "2"], at: bare.daemon.socket, launcher: ["setsid", "-w"])
    #expect(nobody.first?.hasPrefix("evaluate error 1 -1004 ") == true)
    #expect(try run(bare, "no-reason").first?.hasPrefix("no-reason error 3 22 ") == true)
    #expect(try run(bare, "invalidate", "evaluate", "2").first?.hasPrefix("evaluate error 1 -10 ") == true)
    let lost = try CProgram.client(["can", "2", "evaluate", "2", "list"], at: "/nowhere")
    #expect(lost[0].hasPrefix("can error 1 -6 ") && lost[0].contains("systemctl start"))
    #expect(lost[2].hasPrefix("evaluate error 1 -6 "))
    #expect(lost[4].hasPrefix("list error 2 -25291 "))
  }

  @Test func `a second request in the same context is refused, also from its own callback`() throws {
    let scene = try Scene()
    let lines = try CProgram.client(
      ["at", "1", "nested", "evaluate", "1"], at: scene.daemon.socket,
      whenever: [("nested-item", { try scene.reader.scan("right") })])
    #expect(lines.contains { $0.hasPrefix("nested error 1 -4 ") }, "\(lines)")
    #expect(lines.contains { $0.hasPrefix("nested-item error 2 -25293 ") }, "\(lines)")
    #expect(lines.contains("evaluate ok"))
  }

  @Test func `items have their errors`() throws {
    let scene = try Scene()
    let lines = try run(
      scene, "passcode", RunningDaemon.passcode, "add", "a", "one", "0", "add", "a", "two", "0", "update", "a", "two", "0",
      "copy", "a", "update", "b", "x", "0", "add", "c", "x", "3", "add", "d", "x", "0x40000000", "add", "e", "x", "1", "silent",
      "forget", "copy", "e", "delete", "zz")
    func has(_ start: String) -> Bool { lines.contains { $0.hasPrefix(start) } }
    #expect(has("add ok") && has("add error 2 -25299 ") && has("update ok") && has("value 3 two"), "\(lines)")
    #expect(has("update error 2 -25300 ") && has("delete error 2 -25300 "), "\(lines)")
    #expect(lines.filter { $0.hasPrefix("add error 2 -50 ") }.count == 2, "\(lines)")
    #expect(has("copy error 2 -25308 "), "\(lines)")
  }

  @Test func `a key signs for a finger, is listed by its public half, and is no other item`() throws {
    let scene = try Scene()
    let touch = { try scene.reader.scan("right") }
    let lines = try CProgram.client(
      [
        "passcode", RunningDaemon.passcode, "key", "ssh", "2", "sign", "ssh", "list", "key", "ssh", "2", "copy", "ssh", "forget",
        "silent",
        "sign", "ssh", "delete-key", "ssh", "sign", "ssh",
      ], at: scene.daemon.socket, whenever: [("prompt 1 ", touch)])
    let point = bytes("point", in: lines)
    #expect(lines.contains("key ok") && lines.contains("sign ok") && point.first == 4, "\(lines)")
    let key = try #require(ES256PublicKey(Array(point.dropFirst())))
    #expect(key.verifies(bytes("signature", in: lines), of: Array("to sign".utf8)))
    #expect(bytes("ssh", in: lines) == point)
    #expect(lines.contains { $0.hasPrefix("key error 2 -25299 ") })
    // The name of a key is another one than that of a password.
    #expect(lines.contains { $0.hasPrefix("copy error 2 -25300 ") })
    #expect(lines.contains { $0.hasPrefix("sign error 2 -25308 ") })
    #expect(lines.contains("delete-key ok") && lines.contains { $0.hasPrefix("sign error 2 -25300 ") })
  }

  @Test func `a key and another's agree for a finger, and a point that is none asks nobody`() throws {
    let scene = try Scene()
    let other = try ES256Key(random: ())
    let digits = ([4] + other.publicKey.point).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let lines = try CProgram.client(
      [
        "passcode", RunningDaemon.passcode, "key", "box", "2", "forget", "agree", "box", digits, "silent",
        "agree", "none", digits, "agree", "box", "02" + digits.dropFirst(2), "agree", "box", digits.dropLast() + "g",
      ], at: scene.daemon.socket, whenever: [("prompt 1 ", { try scene.reader.scan("right") })])
    let shared = try other.agree(with: try #require(ES256PublicKey(Array(bytes("point", in: lines).dropFirst()))))
    #expect(lines.contains("agree ok") && bytes("secret", in: lines) == shared.span.indices.map { shared.span[$0] }, "\(lines)")
    #expect(lines.filter { $0.hasPrefix("prompt 1 ") }.count == 1)
    let errors = lines.filter { $0.hasPrefix("agree error 2 ") }.map { $0.split(separator: " ")[3] }
    #expect(errors == ["-25300", "-50", "-25291"], "\(lines)")
  }

  /// What the program told in hexadecimal digits.
  private func bytes(_ what: String, in lines: [String]) -> [UInt8] {
    let text = lines.first { $0.hasPrefix(what + " ") }?.dropFirst(what.count + 1) ?? ""
    return stride(from: 0, to: text.count, by: 2).map { UInt8(text.dropFirst($0).prefix(2), radix: 16) ?? 0 }
  }

  @Test func `a child of fork goes on alone`() throws {
    let scene = try Scene()
    let lines = try CProgram.client(
      ["evaluate", "1", "fork", "can", "2", "silent", "can", "1"], at: scene.daemon.socket,
      whenever: [("prompt 1 ", { try scene.reader.scan("right") })])
    #expect(lines.filter { $0 == "can ok" }.count == 4, "\(lines)")
    #expect(lines.contains("child 0"))
  }

  @Test func `a watch sees the lock and its end`() throws {
    let scene = try Scene()
    let lock = {
      let client = try scene.daemon.connect()
      try client.send(.lock(user: ""))
      _ = try client.nextAdministration()
    }
    let lines = try CProgram.client(["watch", "2"], at: scene.daemon.socket, whenever: [("state 1 ", lock)])
    #expect(lines[0] == "state 1 0 0 1")
    #expect(lines[1].hasPrefix("state 2 6 -8 "))
    #expect(lines[2].hasPrefix("watch error 1 -9 "))
  }

  @Test func `whoever has just typed the passcode stores the first item without it`() throws {
    let bare = try Scene(enrolls: false)
    let lines = try run(bare, "passcode", RunningDaemon.passcode, "evaluate", "2", "add", "mail", "horse", "0")
    #expect(lines.contains("evaluate ok") && lines.last == "add ok", "\(lines)")
  }

  @Test func `the domain state changes with the enrolled set`() throws {
    let scene = try Scene()
    let before = try run(scene, "domain", "domain")
    #expect(before.count == 2 && before[0] == before[1])
    #expect(try scene.enroll(.leftIndexFinger, as: "left").last == .done)
    #expect(try run(scene, "domain") != [before[0]])
  }

  @Test func `a thousand contexts and a hundred threads leave nothing behind`() throws {
    let daemon = try RunningDaemon()
    let lines = try Program.output([try CProgram.folder.get() + "/crowd"], environment: try CProgram.environment(daemon.socket))
    let left = lines.split(separator: " ").compactMap { Int($0.trimmingPrefix("\n").split(separator: "\n").first ?? "") }
    #expect(left.count == 3 && left[0] == 0 && left[2] == 0, "\(lines)")
    // Of libc's own, for threads; 16 bytes for each context would be 90 KiB.
    #expect(abs(left[1]) < 8_192, "\(lines)")
  }

  /// The library is Embedded Swift, which no sanitizer of the compiler instruments: the address sanitizer sees what it allocates
  /// and frees, and only valgrind what its threads read and write.
  @Test(.timeLimit(.minutes(3)), arguments: [true, false])
  func `the crowd leaves no memory behind, and its threads do not race`(isRace: Bool) throws {
    let daemon = try RunningDaemon()
    let program = "\(daemon.folder)/crowd"
    let options = isRace ? ["-gdwarf-4"] : ["-fsanitize=address,undefined"]
    try CProgram.compile(
      ["clang", "-std=c11", "-D_GNU_SOURCE", CProgram.source + "crowd.c"] + options, to: program, in: try CProgram.folder.get())
    let valgrind = ["valgrind", "-q", "--tool=helgrind", "--error-exitcode=9", "--log-file=\(daemon.folder)/valgrind"]
    let lines = try Program.output(
      (isRace ? valgrind : []) + [program, "2"], environment: try CProgram.environment(daemon.socket))
    #expect(lines.hasPrefix("descriptors 0 "), "\(lines)")
  }

  /// All that needs nobody at the reader; what is not freed or not the library's own is an error.
  @Test(arguments: [true, false]) func `valgrind and the address sanitizer find nothing`(isValgrind: Bool) throws {
    let scene = try Scene()
    let folder = try CProgram.folder.get()
    let program = "\(scene.daemon.folder)/client"
    let options = isValgrind ? ["-gdwarf-4"] : ["-fsanitize=address,undefined"]
    try CProgram.compile(["clang", "-std=c11", "-D_GNU_SOURCE", CProgram.source + "client.c"] + options, to: program, in: folder)
    let valgrind = ["valgrind", "-q", "--leak-check=full", "--error-exitcode=9", "--log-file=\(scene.daemon.folder)/valgrind"]
    let words = [
      "can", "1", "passcode", RunningDaemon.passcode, "add", "a", "one", "0", "copy", "a", "list", "sessions", "token", "steps",
      "9", "at", "1", "cancel", "evaluate", "2", "steps", "2", "forget", "watch", "1", "delete", "a", "invalidate", "can", "1",
    ]
    let lines = try Program.output(
      (isValgrind ? valgrind : []) + [program] + words, environment: try CProgram.environment(scene.daemon.socket))
    #expect(lines.contains("value 3 one") && lines.contains("evaluate error 1 -9 "), "\(lines)")
  }
}
