import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// An unlock of the machine by finger that a program lets count: signetd's boot clock is moved, so that nobody has to wait.
@Suite(.serialized) struct ReuseTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
    let source = String(#filePath.dropLast("LocalAuthenticationTests/ReuseTests.swift".count)) + "LoginTests/asleep.c"
    let library = scene.daemon.folder + "/asleep.so"
    try compileSharedObject(source, to: library)
    scene.daemon.launcher = ["env", "LD_PRELOAD=\(library)", "ASLEEP=\(scene.daemon.folder)/asleep"]
    try scene.restart()
  }

  /// At the seat, by finger.
  private func unlock() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user, service: "login")
    try client.awaitArmed()
    try scene.reader.scan("right")
    guard case .verdict(.success, _, _) = try client.next() else { throw TestKitError("no login") }
  }

  /// So many seconds after the scene began.
  private func move(to seconds: Int) throws { try scene.daemon.write("asleep", String(repeating: ".", count: seconds)) }

  /// An evaluation that may ask nobody.
  private func evaluate(_ form: Form, reuse: Int) throws -> Int {
    let program = try form.evaluating(1, [.silent, .reuse(reuse)], at: scene.daemon.socket)
    return try form.outcome(program, of: form.evaluated)
  }

  @Test func `an unlock counts for as long as the program says, in each form`() throws {
    for form in Form.allCases { #expect(try evaluate(form, reuse: 300) == -1004) }
    try unlock()
    for form in Form.allCases {
      #expect(try evaluate(form, reuse: 60) == 0)
      #expect(try evaluate(form, reuse: 0) == -1004)
    }
    try move(to: 61)
    for form in Form.allCases {
      #expect(try evaluate(form, reuse: 60) == -1004)
      #expect(try evaluate(form, reuse: 200) == 0)
    }
  }

  @Test func `no unlock counts for more than five minutes, whatever the program says`() throws {
    try unlock()
    try move(to: 290)
    for form in Form.allCases { #expect(try evaluate(form, reuse: 4_000) == 0) }
    try move(to: 301)
    for form in Form.allCases { #expect(try evaluate(form, reuse: 4_000) == -1004) }
  }

  @Test(arguments: Form.allCases) func `it proves nothing for an item`(form: Form) throws {
    try scene.openSession()
    try unlock()
    let program = try form.calling(
      ["add", "mail", "horse", "2", "context", "silent", "copy", "mail"], at: scene.daemon.socket)
    #expect(try form.outcome(program, of: "copy") == -25_308)
  }

  @Test func `what a context proved opens items for five minutes, and no longer`() throws {
    try scene.openSession()
    let client = try scene.daemon.connect()
    try client.openContext()
    let item = Item(ItemName(service: "mail", account: ""), accessControl: AccessControl(.biometryAny))
    let added = try client.ask(.add(user: "", item, length: 1), value: [1])
    #expect(added.end == .done)
    let read = try client.ask(.read(user: "", item.name), Proving(touch: { [scene] in try scene.reader.scan("right") }))
    #expect(read.end == .done)
    try move(to: 290)
    #expect(try client.ask(.read(user: "", item.name, mayInteract: false)).end == .done)
    try move(to: 301)
    #expect(try client.ask(.read(user: "", item.name, mayInteract: false)).end == .refused(.interactionNotAllowed))
  }
}
