import CLinux
import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// Programs that want what another one stored, with the real signetd: copies of `signet` store, and the test's own process
/// asks. What a process is taken for is SignetDaemonTests.ProgramIdentityTests' to say.
@Suite(.serialized) struct ProgramConsentTests {
  private let passcode = Proving(passcode: RunningDaemon.passcode)

  /// A copy of `signet` under a path of its own, by which it is known.
  private struct Copy {
    let path: String
    private let scene: Scene

    init(_ scene: Scene, _ name: String, in folder: String? = nil) throws {
      self.scene = scene
      path = "\(folder ?? scene.daemon.folder)/\(name)"
      // By a process of its own: what other tests start at this moment would inherit a file that this one writes, and nothing
      // executes a file that somebody may still write.
      try #require(try Program(["/bin/cp", ReaderChannel.program("signet"), path]).waitForExit() == 0)
      chmod(path, 0o755)
    }

    /// `before`: what happens when the program runs and waits for the value.
    func store(
      _ service: String, _ words: [String] = ["--access", "none"], command: String = "add", value: String = "the value",
      as launcher: [String] = [], before: () throws -> Void = {}
    ) throws {
      var ends: [Int32] = [-1, -1]
      guard clinux_pipe(&ends) == 0 else { throw TestKitError("no pipe") }
      defer { close(ends[0]) }
      let lines = try Lines()
      let words = launcher + [path, "vault", command, service, "--accessible", "afterFirstUnlock"] + words
      let program = try Program(
        words + ["--socket", scene.daemon.socket], environment: ["PATH=/usr/bin:/bin"],
        descriptors: [0: ends[0], 2: lines.writer])
      try waitForStart(of: program)
      try before()
      guard write(ends[1], value, value.utf8.count) == value.utf8.count else { throw TestKitError("not written") }
      close(ends[1])
      lines.readToEnd()
      let status = try program.waitForExit()
      guard status == 0 else { throw TestKitError("\(words): \(status) \(lines.text)") }
    }

    private func waitForStart(of program: Program) throws {
      try wait(for: "the start of \(path)") { (try? RawFile.target(of: "/proc/\(program.pid)/exe")) == path }
    }
  }

  private func name(_ service: String) -> ItemName { ItemName(service: service, account: "") }

  private func scene(_ consent: String? = nil) throws -> Scene {
    let scene = try Scene(configuration: consent.map { "application_consent = \($0)" } ?? "")
    try scene.loginByPasscode(until: "vault made")
    return scene
  }

  private func read(_ service: String, _ scene: Scene, _ proving: Proving? = nil) throws -> VaultAnswer {
    try scene.ask(.read(user: "", name(service)), proving ?? passcode)
  }

  private func programs(of service: String, _ scene: Scene) throws -> ItemRow {
    try #require(try scene.ask(.list(user: "")).items.first { $0.item.name == name(service) })
  }

  @Test func `a program reads what it stored, and another one needs the owner's consent once`() throws {
    let scene = try scene()
    let maker = try Copy(scene, "maker")
    try maker.store("web")
    #expect(try programs(of: "web", scene).creator.hasPrefix(maker.path))
    let asked = try read("web", scene, Proving(touch: scene.touch()))
    #expect(asked.end == .done && asked.value == Array("the value".utf8) && asked.questions == [.finger])
    let names = try #require(asked.consents.first).split(separator: "\n")
    #expect(asked.consents.count == 1 && names.count == 2 && names[1].hasPrefix(maker.path))
    let again = try read("web", scene, Proving())
    #expect(again.value == asked.value && again.questions.isEmpty && again.consents.isEmpty)
    #expect(try programs(of: "web", scene).others.count == 1)
    // For this item alone.
    try maker.store("mail")
    #expect(try read("mail", scene, Proving()).consents.count == 1)
  }

  private static let hasNamespaces =
    (try? Program(["unshare", "--user", "--mount", "true"], environment: ["PATH=/usr/bin:/bin"]).waitForExit()) == 0

  @Test(.enabled(if: hasNamespaces, "needs unshare(1) and namespaces of users"))
  func `a program that comes by another's path, mounted where it may mount, is not that program`() throws {
    let scene = try scene()
    let (maker, evil) = (try Copy(scene, "maker"), try Copy(scene, "evil"))
    try maker.store("web")
    let (ready, lines) = (try Lines(), try Lines())
    let script = "mount --bind \(evil.path) \(maker.path) && echo ready && exec sleep 60"
    let mounting = try Program(
      ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script],
      environment: ["PATH=/usr/bin:/bin"], descriptors: [1: ready.writer])
    try ready.read(until: "ready")
    let path = "/proc/\(mounting.pid)/root\(maker.path)"
    let program = try Program(
      [path, "vault", "get", "web", "--socket", scene.daemon.socket], environment: ["PATH=/usr/bin:/bin"],
      descriptors: [1: lines.writer, 2: lines.writer])
    try lines.read(until: "wants to use what")
    #expect(!lines.text.contains("the value"))
    kill(program.pid, SIGKILL)
  }

  private static let hasSystemsMounts =
    (try? RawFile.text("/proc/1/mountinfo")) == (try? RawFile.text("/proc/self/mountinfo"))

  @Test(
    .enabled(if: geteuid() == 0 && hasSystemsMounts, "needs root, and the namespace of mounts of the first process"))
  func `a program that signetd's unit hides from it, as what is in a home, is known by its path`() throws {
    let home = try TemporaryFolder()
    let scene = try Scene(launcher: ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none \(home.path) && exec \"$@\"", "sh"])
    try scene.loginByPasscode(until: "vault made")
    let maker = try Copy(scene, "maker", in: home.path)
    try maker.store("web")
    #expect(try programs(of: "web", scene).creator.hasPrefix(maker.path))
  }

  @Test func `without consent nothing is released, kept or shown of the value`() throws {
    let scene = try scene()
    try Copy(scene, "maker").store("web")
    for proving in [Proving(), Proving(passcode: "wrong horse")] {
      let answer = try read("web", scene, proving)
      #expect(answer.end != .done && answer.value == nil && answer.consents.count == 1)
    }
    #expect(try programs(of: "web", scene).others.isEmpty)
  }

  @Test func `one proof is enough for the consent and for what the item demands`() throws {
    let scene = try scene()
    let maker = try Copy(scene, "maker")
    for (service, access) in [("presence", "userPresence"), ("passcode", "devicePasscode")] {
      try maker.store(service, ["--access", access])
      let answer = try read(service, scene)
      #expect(answer.value != nil && answer.consents.count == 1, "\(answer)")
      #expect(answer.questions.count { if case .passcode = $0 { true } else { false } } == 1)
    }
  }

  @Test func `what was proved before in a context is no consent, and what is proved for a consent stays`() throws {
    let scene = try scene()
    try Copy(scene, "maker").store("web")
    #expect(try scene.store(Stock.passcode.item, Stock.passcode.value).end == .done)
    let client = try scene.daemon.connect()
    // What it calls itself is only shown.
    try client.openContext("maker")
    #expect(try client.ask(.read(user: "", Stock.passcode.name), passcode).value == Stock.passcode.value)
    #expect(try client.ask(.read(user: "", Stock.passcode.name), Proving()).value == Stock.passcode.value)
    let asked = try client.ask(.read(user: "", name("web")), Proving())
    #expect(asked.value == nil && asked.consents.count == 1)
    try client.forget()
    #expect(try client.ask(.read(user: "", name("web")), passcode).consents.count == 1)
    #expect(try client.ask(.read(user: "", Stock.passcode.name), Proving()).value == Stock.passcode.value)
  }

  @Test func `what was revoked is asked for again`() throws {
    let scene = try scene()
    try Copy(scene, "maker").store("web")
    #expect(try read("web", scene).consents.count == 1)
    #expect(try read("web", scene).consents.isEmpty)
    #expect(try scene.ask(.revoke(user: "", name("web"))).end == .done)
    #expect(try programs(of: "web", scene).others.isEmpty)
    #expect(try read("web", scene).consents.count == 1)
    #expect(try scene.ask(.revoke(user: "", name("other"))).end == .refused(.notFound))
  }

  @Test func `an administrator may have it asked for each time`() throws {
    let scene = try scene("ask")
    try Copy(scene, "maker").store("web")
    for _ in 0..<2 {
      let answer = try read("web", scene)
      #expect(answer.value != nil && answer.consents.count == 1)
    }
    #expect(try programs(of: "web", scene).others.isEmpty)
  }

  @Test func `an administrator may have programs not told apart`() throws {
    let scene = try scene("off")
    try Copy(scene, "maker").store("web")
    let answer = try read("web", scene, Proving())
    #expect(answer.value != nil && answer.consents.isEmpty && answer.questions.isEmpty)
    // The item still remembers it.
    #expect(try programs(of: "web", scene).creator.contains("/maker"))
  }

  @Test func `another program replaces an item with consent only, and the item stays its creator's`() throws {
    let scene = try scene()
    let maker = try Copy(scene, "maker")
    try maker.store("web")
    let item = Item(name("web"), accessibility: .afterFirstUnlock)
    let refused = try scene.ask(.update(user: "", item, length: 3), value: [1, 2, 3], Proving())
    #expect(refused.end != .done && refused.consents.count == 1)
    let made = try scene.ask(.update(user: "", item, length: 3), value: [1, 2, 3], passcode)
    #expect(made.end == .done && made.consents.count == 1)
    let row = try programs(of: "web", scene)
    #expect(row.creator.contains("/maker") && row.others.count == 1)
    #expect(try read("web", scene, Proving()).value == [1, 2, 3])
    // Its creator is not asked for its own.
    try maker.store("web", [], command: "update", value: "new")
    #expect(try read("web", scene, Proving()).value == Array("new".utf8))
  }

  @Test func `anybody of the user's deletes, and whoever stores anew is the creator`() throws {
    let scene = try scene()
    try Copy(scene, "maker").store("web")
    #expect(try scene.ask(.delete(user: "", name("web"))).end == .done)
    #expect(try scene.store(Item(name("web"), accessibility: .afterFirstUnlock), [1]).end == .done)
    #expect(try read("web", scene, Proving()).value == [1])
    #expect(try !programs(of: "web", scene).creator.contains("/maker"))
  }

  @Test func `a program that was upgraded while it ran, and its successor, are the same`() throws {
    let scene = try scene()
    let maker = try Copy(scene, "maker")
    try maker.store("web") { unlink(maker.path) }
    let creator = try programs(of: "web", scene).creator
    #expect(creator.hasPrefix(maker.path) && !creator.contains("deleted"))
    let successor = try Copy(scene, "maker")
    try successor.store("web", [], command: "update", value: "new")
    #expect(try programs(of: "web", scene).others.isEmpty)
  }

  @Test func `where nothing may be asked, nothing is, and the item is there`() throws {
    let scene = try scene()
    try Copy(scene, "maker").store("web")
    #expect(try scene.store(Stock.passcode.item, Stock.passcode.value).end == .done)
    #expect(try scene.store(Stock.unasked.item, Stock.unasked.value).end == .done)
    for name in [name("web"), Stock.passcode.name] {
      let answer = try scene.ask(.read(user: "", name, mayInteract: false), passcode)
      #expect(answer.end == .refused(.interactionNotAllowed) && answer.questions.isEmpty && answer.consents.isEmpty, "\(answer)")
    }
    #expect(try scene.ask(.read(user: "", Stock.unasked.name, mayInteract: false)).value == Stock.unasked.value)
    #expect(try scene.ask(.read(user: "", name("none"), mayInteract: false)).end == .refused(.notFound))
    try scene.lockNow()
    let answer = try scene.ask(.read(user: "", Stock.unasked.name, mayInteract: false), passcode)
    #expect(answer.end == .refused(.interactionNotAllowed) && answer.questions.isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to become another user"))
  func `root is another program like any other`() throws {
    let scene = try scene()
    chmod(scene.daemon.folder, 0o711)
    try scene.daemon.write(
      "passcodes", "\(scene.daemon.user):\(RunningDaemon.passcode):signet-passcode\nnobody:n:signet-passcode\n")
    // It makes nobody's vault.
    let first = Item(name("first"), accessibility: .afterFirstUnlock)
    #expect(try scene.ask(.add(user: "nobody", first, length: 1), value: [1], Proving(passcode: "n")).end == .done)
    try Copy(scene, "maker").store("web", as: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    let request = VaultRequest.read(user: "nobody", name("web"))
    #expect(try scene.ask(request, passcode).value == nil)
    let answer = try scene.ask(request, Proving(passcode: "n"))
    #expect(answer.value == Array("the value".utf8) && answer.consents.count == 1)
  }

  @Test func `the longest item with eight programs is listed`() throws {
    let scene = try scene()
    let text = { (count: Int) in String(repeating: "x", count: count) }
    let item = Item(
      ItemName(service: text(256), account: text(256)), label: text(1024), comment: text(1024),
      attributes: [UInt8](repeating: 1, count: 1024))
    #expect(try scene.store(item, [1]).end == .done)
    for number in 1...8 { try scene.diskVault().admit("/\(number)/" + text(240), to: item.name) }
    let row = try #require(try scene.ask(.list(user: "")).items.first)
    #expect(row.item == item && row.others.count == 8)
    #expect(row.others.allSatisfy { !$0.isEmpty && $0.utf8.count <= 24 })
  }
}
