import Foundation
import Glibc
import SignetTestKit
import Testing

/// The interface, message by message, and who is hostile in it.
@Suite(.enabled(if: SecretsWorld.isAvailable, "needs dbus-daemon, python3-gi and secret-tool, which `make deps` installs"))
struct SecretsInterfaceTests {
  private let world: SecretsWorld
  private let client: SecretsClient
  private let session: String

  init() throws {
    world = try SecretsWorld()
    client = try world.client()
    session = try client.openSession()
  }

  private func lock() throws { try client.call("@ROOT", "Service.Lock", "([objectpath '@ROOT/collection/login'],)") }

  /// A prompt that opens the first collection.
  private func prompt() throws -> String {
    let answer = try client.call("@ROOT", "Service.Unlock", "([objectpath '@ROOT/aliases/default'],)")
    let path = answer.split(separator: "'").last { $0.hasPrefix("/org") }
    return String(try #require(path, "\(answer)"))
  }

  @Test(arguments: [0, 1, 65_536]) func `a secret of any length comes back as it was`(size: Int) throws {
    let item = try client.store(session, size: size)
    try #require(item.hasPrefix("/org"), "\(item)")
    #expect(try client.size(of: item, session) == "ok \(size) application/octet-stream")
  }

  @Test func `what is too much for the vault is refused, and what is there stays`() throws {
    let item = try client.item(session)
    #expect(try client.store(session, size: 65_537) == SecretsClient.tooMuch)
    #expect(try client.store(session, size: 1_000_000) == SecretsClient.tooMuch)
    #expect(try client.store(session, size: 10, attributes: 100) == SecretsClient.tooMuch)
    #expect(try client.store(session, size: 10, attributes: 1_000) == SecretsClient.tooMuch)
    let long = String(repeating: "x", count: 1_025)
    #expect(
      try client.call(item, "org.freedesktop.DBus.Properties.Set", "('org.freedesktop.Secret.Item', 'Label', <'\(long)'>)")
        == SecretsClient.tooMuch)
    #expect(try client.size(of: item, session) == "ok 10 application/octet-stream")
  }

  @Test func `a message with other arguments does nothing`() throws {
    let item = try client.item(session)
    for (path, method, arguments) in [
      ("@ROOT", "Service.OpenSession", "('plain',)"), ("@ROOT", "Service.SearchItems", "('x',)"),
      ("@ROOT", "Service.OpenSession", "('plain', <5>)"),
      ("@ROOT", "Service.OpenSession", "('dh-ietf1024-sha256-aes128-cbc-pkcs7', <'x'>)"),
      ("@ROOT", "Service.OpenSession", "('dh-ietf1024-sha256-aes128-cbc-pkcs7', <[byte 1]>)"),
      ("@ROOT", "Service.OpenSession", "('dh-ietf1024-sha256-aes128-cbc-pkcs7', <@ay []>)"),
      ("@ROOT", "Service.Unlock", "([('x',)],)"), ("@ROOT", "Service.GetSecrets", "([objectpath '/x'],)"),
      ("@ROOT/collection/login", "Collection.CreateItem", "(@a{sv} {}, 'x', true)"),
      ("@ROOT/collection/login", "Collection.Delete", "(1,)"), (item, "Item.SetSecret", "('x',)"),
    ] {
      #expect(try client.call(path, method, arguments) == SecretsClient.badArguments, "\(method) \(arguments)")
    }
    #expect(
      try client.call("@ROOT", "Service.OpenSession", "('rot13', <''>)") == "error org.freedesktop.DBus.Error.NotSupported")
    #expect(try client.size(of: item, session) == "ok 10 application/octet-stream")
  }

  @Test func `a session is of use to its client alone, and ends with it`() throws {
    let item = try client.item(session)
    let other = try world.client()
    #expect(try other.size(of: item, session) == SecretsClient.noSession)
    #expect(try other.call(session, "Session.Close") == SecretsClient.noSession)
    let own = try other.openSession()
    #expect(try other.size(of: item, own) == "ok 10 application/octet-stream")
    #expect(try other.call(own, "Session.Close") == "ok ()")
    #expect(try other.size(of: item, own) == SecretsClient.noSession)
  }

  @Test func `a client has sixteen sessions, and nobody else has fewer for it`() throws {
    for _ in 2...16 { _ = try client.openSession() }
    #expect(try client.call("@ROOT", "Service.OpenSession", "('plain', <''>)") == SecretsClient.tooMuch)
    let other = try world.client()
    _ = try other.openSession()
  }

  @Test func `who does not read holds up nobody`() throws {
    let deaf = try world.client()
    let own = try deaf.openSession()
    let item = try deaf.store(own, size: 65_536)
    try #require(item.hasPrefix("/org"), "\(item)")
    deaf.talker.program.signal(SIGSTOP)
    // What it asked before it stopped is answered to nobody.
    for _ in 1...100 { try deaf.talker.say("size \(item) \(own)") }
    #expect(try client.size(of: item, session) == "ok 65536 application/octet-stream")
    deaf.talker.program.signal(SIGCONT)
    let answer = try deaf.answer(to: "GetSecret")
    #expect(answer == "ok 65536 application/octet-stream", "\(answer)")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root")) func `another user is refused, whatever the bus allows`() throws {
    chmod(world.scene.daemon.folder, 0o755)
    let other = try world.client(as: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"])
    #expect(
      try other.call("@ROOT", "Service.OpenSession", "('plain', <''>)") == "error org.freedesktop.DBus.Error.AccessDenied")
    #expect(
      try other.call("@ROOT", "org.freedesktop.DBus.Introspectable.Introspect")
        == "error org.freedesktop.DBus.Error.AccessDenied")
  }

  @Test func `nothing is told or stored while it is locked`() throws {
    let item = try client.item(session)
    try lock()
    #expect(try client.size(of: item, session) == SecretsClient.locked)
    #expect(try client.store(session, size: 10) == SecretsClient.locked)
    #expect(
      try client.call("@ROOT", "Service.GetSecrets", "([objectpath '\(item)'], objectpath '\(session)')") == "ok ({},)")
    #expect(
      try client.call(item, "org.freedesktop.DBus.Properties.Get", "('org.freedesktop.Secret.Item', 'Locked')") == "ok (True,)")
    // Nor deleted.
    #expect(try client.call(item, "Item.Delete").contains("/prompt/"))
    #expect(try client.call("@ROOT", "Service.SearchItems", "(@a{ss} {},)") == "ok ([], ['\(item)'])")
  }

  @Test func `a prompt that is dismissed opens nothing, and takes the question off the screen`() throws {
    let item = try client.item(session)
    try lock()
    let prompt = try prompt()
    #expect(try client.call(prompt, "Prompt.Prompt", "('',)") == "ok ()")
    try world.awaitShown("show 1")
    #expect(try client.call(prompt, "Prompt.Dismiss") == "ok ()")
    try client.talker.line(with: "signal Completed \(prompt) (True, [])")
    try world.awaitShown("the caller left")
    #expect(try client.size(of: item, session) == SecretsClient.locked)
    #expect(try client.call(prompt, "Prompt.Prompt", "('',)") == SecretsClient.noObject)
  }

  @Test func `a prompt is its client's, and goes with it`() throws {
    try lock()
    let other = try world.client()
    let prompt = try prompt()
    #expect(try other.call(prompt, "Prompt.Prompt", "('',)") == SecretsClient.noObject)
    #expect(try client.call(prompt, "Prompt.Prompt", "('',)") == "ok ()")
    try world.awaitShown("show 1")
    client.talker.program.signal(SIGKILL)
    try world.awaitShown("the caller left")
  }

  @Test func `one question is enough for all who wait for the owner`() throws {
    let item = try client.item(session)
    try lock()
    let other = try world.client()
    let own = try other.openSession()
    let first = try prompt()
    try client.call(first, "Prompt.Prompt", "('',)")
    try world.awaitShown("show 1")
    let delete = try other.call(item, "Item.Delete")
    let second = try #require(delete.split(separator: "'").first { $0.hasPrefix("/org") }.map(String.init), "\(delete)")
    try other.call(second, "Prompt.Prompt", "('',)")
    try world.scene.reader.scan("right")
    try client.talker.line(with: "signal Completed \(first) (False, ['/org/freedesktop/secrets/aliases/default'])")
    try other.talker.line(with: "signal Completed \(second) (False, '')")
    #expect(try other.size(of: item, own) == SecretsClient.noObject)
    #expect(world.prompts == 1)
  }

  @Test func `those who listen are told what changes`() throws {
    let other = try world.client()
    let item = try client.item(session)
    let login = "/org/freedesktop/secrets/collection/login"
    try other.talker.line(with: "signal ItemCreated \(login) ('\(item)',)")
    try other.talker.line(with: "{'Items': ['\(item)']}")
    try client.call(item, "org.freedesktop.DBus.Properties.Set", "('org.freedesktop.Secret.Item', 'Label', <'x'>)")
    try other.talker.line(with: "signal ItemChanged \(login) ('\(item)',)")
    try client.call(item, "Item.Delete")
    try other.talker.line(with: "signal ItemDeleted \(login) ('\(item)',)")
    try client.call("@ROOT", "Service.CreateCollection", "({'org.freedesktop.Secret.Collection.Label': <'Work'>}, '')")
    try other.talker.line(with: "signal CollectionCreated /org/freedesktop/secrets ('/org/freedesktop/secrets/collection/Work',)")
  }

  @Test func `the first collection is emptied where it is deleted, which is told of each item, and stays`() throws {
    let other = try world.client()
    let item = try client.item(session)
    let login = "/org/freedesktop/secrets/collection/login"
    #expect(try client.call(login, "Collection.Delete") == "ok ('/',)")
    try other.talker.line(with: "signal ItemDeleted \(login) ('\(item)',)")
    try other.talker.line(with: "{'Items': []}")
    try other.talker.line(with: "signal CollectionChanged /org/freedesktop/secrets ('\(login)',)")
    #expect(try client.call("@ROOT", "Service.SearchItems", "(@a{ss} {},)") == "ok ([], [])")
    #expect(try client.call("@ROOT", "Service.ReadAlias", "('default',)") == "ok ('\(login)',)")
  }

  @Test func `that an item is locked is told of itself, too`() throws {
    let other = try world.client()
    let item = try client.item(session)
    try lock()
    try other.talker.line(with: "signal PropertiesChanged \(item) ('org.freedesktop.Secret.Item', {'Locked': True}, [])")
  }

  @Test func `a closed vault is told as locked, and an open one again`() throws {
    try world.closeVault()
    try client.talker.line(with: "'Locked': True")
    try world.scene.loginByPasscode(until: "vault open")
    try client.talker.line(with: "'Locked': False")
  }

  @Test(.enabled(if: ProcessMemory.isReadable, "needs root, to read another process's memory"))
  func `of a secret that came and was told nothing is left in memory`() throws {
    let word = "quite unlike anything 4711"
    let bytes = word.utf8.map { "0x" + String($0, radix: 16) }.joined(separator: ", ")
    let made = try client.call(
      "@ROOT/collection/login", "Collection.CreateItem",
      "(@a{sv} {}, (objectpath '\(session)', @ay [], [byte \(bytes)], 'text/plain'), false)")
    let item = try #require(made.split(separator: "'").first { $0.hasPrefix("/org") }.map(String.init), "\(made)")
    #expect(try client.call(item, "Item.GetSecret", "(objectpath '\(session)',)").contains("ok"))
    // An answer is with the caller before what it was made of is wiped. That is done when another one comes.
    #expect(try client.call("@ROOT", "org.freedesktop.DBus.Introspectable.Introspect").contains("org.freedesktop"))
    let memory = try ProcessMemory(of: try client.pid())
    #expect(memory.holds(Array("org.freedesktop.secrets".utf8)))
    #expect(!memory.holds(Array(word.utf8)))
  }

  @Test func `what stands at each path can be asked`() throws {
    let item = try client.item(session)
    for (path, word) in [
      ("@ROOT", "org.freedesktop.Secret.Service"), ("@ROOT/collection/login", "org.freedesktop.Secret.Collection"),
      (item, "org.freedesktop.Secret.Item"), (session, "org.freedesktop.Secret.Session"),
    ] {
      #expect(try client.call(path, "org.freedesktop.DBus.Introspectable.Introspect").contains(word), "\(path)")
    }
    let all = try client.call(item, "org.freedesktop.DBus.Properties.GetAll", "('org.freedesktop.Secret.Item',)")
    #expect(all.contains("'Label': 'made here'") && all.contains("'Attributes': {'name0': 'value'}"), "\(all)")
    for path in ["@ROOT/collection/none", "@ROOT/collection/login/none", "@ROOT/other", "@ROOT/prompt/7"] {
      #expect(try client.call(path, "org.freedesktop.DBus.Properties.GetAll", "('',)") == SecretsClient.noObject, "\(path)")
    }
  }
}

/// When it runs at all.
@Suite(.enabled(if: SecretsWorld.isAvailable, "needs dbus-daemon, python3-gi and secret-tool, which `make deps` installs"))
struct SecretsLifeTests {
  @Test func `it answers nobody before the user turns it on`() throws {
    let world = try SecretsWorld(isEnabled: false)
    #expect(try world.tool("lookup", "user", "alice").status != 0)
    let client = try world.client()
    // Another provider may be there, and has the name.
    if let pid = try? client.pid() {
      // GNOME's outlives its bus.
      defer { kill(pid, SIGKILL) }
      #expect(try String(contentsOfFile: "/proc/\(pid)/comm", encoding: .utf8) != "signet-secrets\n")
    }
  }

  @Test func `it goes where nobody has a session, and what it kept is there`() throws {
    let world = try SecretsWorld(idleExit: 1)
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    let client = try world.client()
    let first = try client.pid()
    #expect(ends(first))
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
    let session = try client.openSession()
    let second = try client.pid()
    #expect(first != second)
    // One that began later and has no session is gone sooner.
    let bus = try PrivateBus()
    let other = try Program([
      try ReaderChannel.program("signet-secrets"), "--socket", world.scene.daemon.socket, "--bus", bus.address, "--idle-exit",
      "1",
    ])
    #expect(try other.waitForExit() == 0)
    #expect(try client.pid() == second)
    #expect(try client.call(session, "Session.Close") == "ok ()")
    #expect(ends(second))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: to run it as another user, and to look at it"))
  func `no debugger reads it, and no core file has it`() throws {
    let bus = try PrivateBus()
    let service = try Program([
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", try ReaderChannel.program("signet-secrets"), "--socket",
      "/none",
      "--bus", bus.address,
    ])
    let client = try SecretsClient(at: bus.address)
    try wait(for: "signet-secrets to have its name") { (try? client.pid()) == service.pid }
    var status = stat()
    // Of a process that may not be traced the kernel gives its files to root.
    #expect(stat("/proc/\(service.pid)/environ", &status) == 0 && status.st_uid == 0)
    let limits = try String(contentsOfFile: "/proc/\(service.pid)/limits", encoding: .utf8)
    #expect(limits.contains(/Max core file size +0 +0/))
  }

  @Test func `where another program has the name, it says so and ends`() throws {
    let world = try SecretsWorld()
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    let second = try world.run([
      try ReaderChannel.program("signet-secrets"), "--socket", world.scene.daemon.socket, "--bus", world.bus.address,
    ])
    #expect(second.status == 1 && second.text.contains("another program has org.freedesktop.secrets on this bus, and keeps it"))
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
  }

  @Test func `a user's first secret makes the vault, with the passcode`() throws {
    let world = try SecretsWorld(isNew: true)
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    try world.awaitShown("ask ")
    #expect(try world.tool("lookup", "user", "alice").text == "hunter 2")
    #expect(world.prompts == 1)
  }

  @Test func `the desktop shows who wants the finger, and what for`() throws {
    let world = try SecretsWorld(prompt: nil)
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    try world.lock()
    let desktop = try NotificationServer(on: world.bus)
    let found = try world.tool("lookup", "user", "alice") {
      let shown = try desktop.next()
      #expect(shown.summary?.contains("Signet wants your finger") ?? false, "\(shown)")
      #expect(shown.body?.contains("open the passwords that programs keep in your vault") ?? false, "\(shown)")
      try world.scene.reader.scan("right")
    }
    #expect(found.text == "hunter 2")
  }

  @Test func `where nobody can be asked, what is locked stays so`() throws {
    let world = try SecretsWorld(prompt: "nobody")
    #expect(try world.store("hunter 2", "user", "alice") == 0)
    try world.lock()
    #expect(try world.tool("lookup", "user", "alice").status == 1)
  }
}
