import Glibc
import Security
import SignetTestKit
import SignetVocabulary
import Testing

/// Each result of the keychain, provoked by a program in C, in Swift, and in a task, in both language modes.
@Suite(.serialized) struct StatusTableTests {
  private func result(_ calls: Calls, _ form: Form, _ scene: Scene, at socket: String) throws -> OSStatus {
    let words = form == .inC ? calls.inC ?? [] : calls.inSwift
    let program = try form.calling(words, at: socket)
    try calls.owner(program, scene)
    let last = try #require(words.last { ["add", "big", "copy", "odd"].contains($0) })
    var status = 0
    for word in words where word == last { status = try form.outcome(program, of: word) }
    return OSStatus(status)
  }

  @Test func `the table has every result that the sources name, and no other`() throws {
    let (given, listed) = (try StatusTable.given(), StatusTable.unprovoked.union(StatusTable.calls.keys))
    #expect(given == listed)
    #expect(StatusTable.unprovoked.isDisjoint(with: StatusTable.calls.keys))
  }

  @Test(arguments: StatusTable.calls.keys.filter { $0 != errSecDiskFull }.sorted(), Form.allCases)
  func `each result comes alike in C, in Swift and in a task`(status: OSStatus, form: Form) throws {
    let calls = try #require(StatusTable.calls[status])
    guard form != .inC || calls.inC != nil else { return }
    let scene = try Scene()
    try scene.openSession()
    let socket = calls.isWithoutSignetd ? "/nonexistent/socket" : scene.daemon.socket
    #expect(try result(calls, form, scene, at: socket) == (form == .inC ? calls.statusInC ?? status : status))
  }

  /// Filling it takes so long that all share one.
  @Test(.timeLimit(.minutes(4))) func `a vault that is full says so in each form`() throws {
    let scene = try Scene()
    try scene.openSession()
    let client = try scene.daemon.connect()
    try client.openContext()
    var number = 0
    while case let name = ItemName(service: "fill-\(number)", account: ""),
      try client.ask(.add(user: "", Item(name), length: 1), value: [1]).end == .done
    { number += 1 }
    #expect(number == ItemLimit.items)
    let calls = try #require(StatusTable.calls[errSecDiskFull])
    for form in Form.allCases { #expect(try result(calls, form, scene, at: scene.daemon.socket) == errSecDiskFull) }
  }

  @Test(arguments: Form.allCases) func `a signetd that is killed while the owner is asked is no keychain`(form: Form) throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try form.calling(["add", "mail", "horse", "2", "copy", "mail"], at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    scene.daemon.end(SIGKILL)
    #expect(try form.outcome(program, of: "copy") == Int(errSecNotAvailable))
  }

  @Test(arguments: Form.allCases) func `an invalidated context opens nothing, nor goes on asking`(form: Form) throws {
    let scene = try Scene()
    try scene.openSession()
    let words = ["add", "mail", "horse", "2", "context", "typed", "invalidate", "copy", "mail", "copy", "mail"]
    // In Swift what is typed is there to invalidate.
    let program = try form.calling(form == .inC ? words : words.filter { $0 != "invalidate" }, at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    program.terminal.type("now\n")
    for _ in 1...2 { #expect(try form.outcome(program, of: "copy") == Int(errSecAuthFailed)) }
    try scene.daemon.awaitStrikes(0)
  }

  @Test(arguments: languageModes) func `the cancel of an evaluation that waits for its turn leaves the read alone`(mode: Int)
    throws
  {
    let scene = try Scene()
    try scene.openSession()
    let form = mode == 5 ? Form.completion5 : .completion6
    let words = ["add", "mail", "horse", "2", "context", "waiting", "copy", "mail"]
    let program = try form.calling(words, at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    for word in ["waiting", "cancelled"] {
      program.terminal.type("now\n")
      try program.terminal.read(until: word)
    }
    try scene.reader.scan("right")
    #expect(try form.outcome(program, of: "copy") == 0)
  }

  @Test(arguments: Form.allCases)
  func `after five wrong passcodes what the passcode opens stays closed, and nothing is asked`(form: Form) throws {
    let scene = try Scene()
    try scene.openSession()
    for number in 1...5 {
      let program = try form.calling(["add", "safe-\(number)", "horse", "16", "copy", "safe-\(number)"], at: scene.daemon.socket)
      try program.enterPasscode("wrong")
      #expect(try form.outcome(program, of: "copy") == Int(errSecAuthFailed))
    }
    let program = try form.calling(["add", "safe", "horse", "16", "copy", "safe"], at: scene.daemon.socket)
    #expect(try form.outcome(program, of: "copy") == Int(errSecAuthFailed))
    #expect(!program.terminal.screen.contains("Passcode:"))
  }

  @Test(.enabled(if: geteuid() == 0, "needs root: nobody else may say that the machine sleeps"), arguments: Form.allCases)
  func `the machine's sleep opens nothing, and is not the user's cancel`(form: Form) throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try form.calling(["add", "mail", "horse", "2", "copy", "mail"], at: scene.daemon.socket)
    try program.terminal.read(until: "the fingerprint reader")
    let machine = try scene.daemon.connect()
    try machine.send(.suspend)
    #expect(try machine.nextAdministration() == .done)
    #expect(try form.outcome(program, of: "copy") == Int(errSecAuthFailed))
  }

  // MARK: Whether the owner may be asked

  @Test(arguments: [Form.completion5, .completion6, .async5, .async6])
  func `where the owner must not be asked, nothing is shown and each way says it`(form: Form) throws {
    let scene = try Scene()
    try scene.openSession()
    let program = try form.calling(
      "add open air 0 add mail horse 2 ui-fail copy mail copy open no-ui copy mail ui-skip copy mail all delete mail ui-allow all"
        .split(separator: " ").map(String.init), at: scene.daemon.socket)
    for (word, status) in [
      ("add", 0), ("add", 0), ("copy", errSecInteractionNotAllowed), ("copy", 0), ("copy", errSecInteractionNotAllowed),
      ("copy", errSecItemNotFound),
    ] { #expect(try form.outcome(program, of: word) == Int(status)) }
    #expect(try program.line(beginning: "names ") == "names open")
    #expect(try form.outcome(program, of: "all") == 0)
    // To skip is for looking only.
    #expect(try form.outcome(program, of: "delete") == Int(errSecParam))
    // The next call may ask already.
    #expect(program.terminal.screen.split(separator: "delete").first?.contains("reader") == false)
    try program.touch("right", scene.reader)
    #expect(try program.line(beginning: "names ") == "names mail,open")
  }
}
