import CLinux
import Glibc
import SignetBytes
import SignetClient
import SignetMemory
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

@testable import SignetContexts

/// The client's side of a context, against a scripted signetd.
@Suite struct ConnectionTests {
  typealias Step = ScriptedDaemon.Step
  private let greeted: [Step] = [.expect(.context), .send(Packet.done)]
  private let asked: [Step] = [.expect(.evaluate)]
  private let any = EvaluateRequest(policy: .deviceOwnerAuthentication, timeout: 60)

  private func connect(_ daemon: ScriptedDaemon) throws -> ContextConnection {
    try ContextConnection(path: daemon.path, name: "Notes")
  }

  @Test func `one connection carries one request after another`() throws {
    let daemon = try ScriptedDaemon(
      greeted + [
        .expect(.canEvaluate), .send(Packet.policy(.success, .touchID, [UInt8](repeating: 5, count: 32))), .send(Packet.done),
        .expect(.evaluate), .send(Packet.heartbeat), .send(Packet.show(.touchReader)),
        .send(Packet.evaluated(.success, .fingerprint)),
        .expect(.evaluate), .send(Packet.evaluated(.authenticationFailed)), .expect(.forget), .send(Packet.done),
      ])
    var context = try connect(daemon)
    let host = ScriptedHost()
    var asking = host
    let answer = try context.canEvaluate(.deviceOwnerAuthenticationWithBiometrics)
    #expect(answer == PolicyAnswer(.success, .touchID, domainState: [UInt8](repeating: 5, count: 32)))
    #expect(try context.evaluate(any, &asking) == EvaluatedReply(.success, .fingerprint))
    #expect(try context.evaluate(any, &asking) == EvaluatedReply(.authenticationFailed))
    try context.forget()
    #expect(host.told == ["offer", "touchReader 0", "finish", "finish"])
    #expect(try daemon.finish()[0][0] == [1, 35, 5, 0] + Array("Notes".utf8))
  }

  @Test func `a wrong passcode is said, and asked for again`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [
        .send(Packet.askPasscode(.misses)), .expect(.passcode), .send(Packet.heartbeat),
        .send(Packet.show(.wrongPasscode, value: 2)), .send(Packet.askPasscode(.wrongPasscode)), .expect(.passcode),
        .send(Packet.evaluated(.success, .passcode)),
      ])
    var context = try connect(daemon)
    var host = ScriptedHost()
    host.passcodes = ["wrong", "right horse"]
    #expect(try context.evaluate(any, &host) == EvaluatedReply(.success, .passcode))
    #expect(host.told == ["ask misses", "wrongPasscode 2", "ask wrongPasscode", "finish"])
    let sent = try daemon.finish()[0]
    #expect(sent[3] == [1, 2, 11, 0] + Array("right horse".utf8))
  }

  @Test func `the passcode is offered at once where the policy has it`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [
        .send(Packet.show(.touchReader)), .expect(.fallback), .send(Packet.askPasscode(.userFallback)), .expect(.passcode),
        .send(Packet.evaluated(.success, .passcode)),
      ])
    var context = try connect(daemon)
    var host = ScriptedHost()
    host.fallsBack(by: context.interrupter)
    host.passcodes = ["right horse"]
    #expect(try context.evaluate(any, &host) == EvaluatedReply(.success, .passcode))
    #expect(host.told == ["offer", "touchReader 0", "ask userFallback", "finish"])
    try daemon.finish()
  }

  @Test func `where a finger alone counts, the program's own way is offered after the first miss, and asked for once`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [
        .send(Packet.show(.touchReader)), .send(Packet.show(.notRecognised, value: 2)), .expect(.fallback),
        .send(Packet.evaluated(.userFallback)),
      ])
    var context = try connect(daemon)
    var host = ScriptedHost()
    host.fallsBack(by: context.interrupter)
    let finger = EvaluateRequest(policy: .deviceOwnerAuthenticationWithBiometrics, timeout: any.timeout)
    #expect(try context.evaluate(finger, &host) == EvaluatedReply(.userFallback))
    #expect(host.told == ["touchReader 0", "offer", "notRecognised 2", "finish"])
    try daemon.finish()
  }

  @Test func `a cancel is told, its end awaited, and the context goes on`() throws {
    for reason in [CancelReason.user, .app, .system] {
      let daemon = try ScriptedDaemon(
        greeted + asked + [
          .send(Packet.show(.touchReader)), .expect(.cancel), .send(Packet.heartbeat), .send(Packet.evaluated(.userCancel)),
          .expect(.canEvaluate), .send(Packet.policy(.success, .touchID)), .send(Packet.done),
        ])
      var context = try connect(daemon)
      var host = ScriptedHost()
      let interrupter = context.interrupter
      host.whenShown = { _ in interrupter.cancel(reason) }
      #expect(throws: ContextError.cancelled(reason)) { try context.evaluate(any, &host) }
      #expect(try context.canEvaluate(.deviceOwnerAuthentication).verdict == .success)
      try daemon.finish()
    }
  }

  @Test func `a success that a cancel crossed is taken back with the connection`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [
        .send(Packet.show(.touchReader)), .expect(.cancel), .send(Packet.evaluated(.success, .fingerprint)), .silence,
      ],
      greeted + [.expect(.canEvaluate), .send(Packet.policy(.success, .touchID)), .send(Packet.done)])
    var context = try connect(daemon)
    var host = ScriptedHost()
    let interrupter = context.interrupter
    host.whenShown = { _ in interrupter.cancel(.app) }
    #expect(throws: ContextError.cancelled(.app)) { try context.evaluate(any, &host) }
    #expect(try context.canEvaluate(.deviceOwnerAuthentication).verdict == .success)
    try daemon.finish()
  }

  @Test func `an old cancel ends nothing that begins later`() throws {
    let daemon = try ScriptedDaemon(greeted + asked + [.send(Packet.evaluated(.success, .fingerprint))])
    var context = try connect(daemon)
    var host = ScriptedHost()
    context.interrupter.cancel(.app)
    #expect(try context.evaluate(any, &host).verdict == .success)
    try daemon.finish()
  }

  @Test func `an invalidated context ends what is pending and does nothing more`() throws {
    let daemon = try ScriptedDaemon(greeted + asked + [.send(Packet.show(.touchReader)), .expect(.cancel), .silence])
    var context = try connect(daemon)
    var host = ScriptedHost()
    let interrupter = context.interrupter
    host.whenShown = { _ in interrupter.invalidate() }
    #expect(throws: ContextError.invalidated) { try context.evaluate(any, &host) }
    try daemon.finish()
    #expect(throws: ContextError.invalidated) { try context.canEvaluate(.deviceOwnerAuthentication) }
  }

  @Test func `a user who gives up at the question cancels`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [.send(Packet.askPasscode(.lockout)), .expect(.cancel), .send(Packet.evaluated(.userCancel))])
    var context = try connect(daemon)
    var host = ScriptedHost()
    host.passcodes = [nil]
    #expect(throws: ContextError.cancelled(.user)) { try context.evaluate(any, &host) }
    try daemon.finish()
  }

  @Test func `with nobody to ask signetd is told so, and a question is not answered`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [
        .send(Packet.evaluated(.notInteractive)), .expect(.evaluate), .send(Packet.askPasscode(.lockout)), .expect(.cancel),
        .silence,
      ])
    var context = try connect(daemon)
    var host = SilentHost()
    #expect(try context.evaluate(any, &host).verdict == .notInteractive)
    #expect(throws: ContextError.notInteractive) { try context.evaluate(any, &host) }
    #expect(try daemon.finish()[0][1].last == 1)
  }

  // MARK: The connection

  @Test func `a context that had to make room is made again, once and silently`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [.send(Packet.evaluated(.authenticationFailed)), .send(Packet.busy(.ofAsker))],
      greeted + asked + [.send(Packet.evaluated(.success, .fingerprint))],
      greeted + asked)
    var context = try connect(daemon)
    var host = ScriptedHost()
    #expect(try context.evaluate(any, &host).verdict == .authenticationFailed)
    #expect(try context.evaluate(any, &host).verdict == .success)
    // Closed by the script's end, and closed again: the second time is told.
    #expect(throws: ContextError.self) { try context.evaluate(any, &host) }
    try daemon.finish()
  }

  @Test func `a busy signetd is asked again for a while`() throws {
    let daemon = try ScriptedDaemon(
      [.expect(.context), .send(Packet.busy(.ofAsker))], [.expect(.context), .send(Packet.busy(.ofAsker))],
      greeted + asked + [.send(Packet.evaluated(.success, .fingerprint))])
    var context = try connect(daemon)
    var host = ScriptedHost()
    #expect(try context.evaluate(any, &host).verdict == .success)
    try daemon.finish()
  }

  @Test func `nobody there, a refusal and nonsense are what they are, and no verdict`() throws {
    var host = ScriptedHost()
    var lost = try ContextConnection(path: "/nowhere", name: "")
    #expect(throws: ContextError.client(.noHelper(ENOENT))) { try lost.evaluate(any, &host) }
    let refusing = try ScriptedDaemon([.expect(.context), .send(Packet.refused(.permissionDenied))])
    var refused = try connect(refusing)
    #expect(throws: ContextError.refused(.permissionDenied)) { try refused.evaluate(any, &host) }
    try refusing.finish()
    for reply in [Packet.done, [1, 70, 0xA5, 0], [1, 70, 0xA5, 2], Packet.refusal(.authenticationFailed), [9]] {
      let daemon = try ScriptedDaemon(greeted + asked + [.send(reply), .silence])
      var context = try connect(daemon)
      #expect(throws: ContextError.client(.malformed)) { try context.evaluate(any, &host) }
      try daemon.finish()
    }
  }

  @Test func `a forked child has neither the connection nor what it proved`() throws {
    let daemon = try ScriptedDaemon(
      greeted + asked + [.send(Packet.evaluated(.success, .fingerprint)), .expect(.forget), .send(Packet.done)])
    var context = try connect(daemon)
    var host = ScriptedHost()
    #expect(try context.evaluate(any, &host).verdict == .success)
    let before = context.descriptor
    // What is made at its first use is made by now: the child would wait for ever for another thread that is just making it.
    _ = SecretBytes(capacity: 1)
    let child = clinux_fork()
    if child == 0 {
      context.leaveParent()
      context.interrupter.cancel(.app)
      // `forget` says nothing where there is no connection.
      let isAlone = context.descriptor < 0 && (try? context.forget()) != nil && fcntl(before, F_GETFD) < 0
      _exit(isAlone ? 0 : 1)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    #expect(status == 0)
    try context.forget()
    try daemon.finish()
  }

  // MARK: Each step

  /// What signetd has said and heard so far, step by step.
  private var steps: [Step] {
    greeted + asked + [
      .send(Packet.heartbeat), .send(Packet.show(.touchReader)), .send(Packet.show(.notRecognised, value: 2)),
      .send(Packet.askPasscode(.misses)), .expect(.passcode), .send(Packet.heartbeat),
    ]
  }

  @Test func `wherever signetd ends nothing is proved, and the next request finds the next one`() throws {
    for count in 0...steps.count {
      let daemon = try ScriptedDaemon(
        Array(steps[..<count]), greeted + asked + [.send(Packet.evaluated(.success, .fingerprint))])
      var context = try connect(daemon)
      var host = ScriptedHost()
      host.passcodes = ["right horse"]
      #expect(throws: ContextError.self) { try context.evaluate(any, &host) }
      #expect(try context.evaluate(any, &host).verdict == .success)
      try daemon.finish()
    }
  }

  @Test func `a cancel and an invalidation end it at each step`() throws {
    for count in 0...steps.count {
      for invalidates in [false, true] {
        let daemon = try ScriptedDaemon(Array(steps[..<count]) + [.silence])
        do {
          var context = try connect(daemon)
          var host = ScriptedHost()
          host.passcodes = ["right horse"]
          try context.beginEvaluation(any, host)
          // Until signetd has said and heard it all; then more steps than there are packets: the last ones find nothing.
          while !daemon.hasPlayed(count) { _ = try context.step(&host, within: 20) }
          for _ in 0..<12 { _ = try context.step(&host, within: 20) }
          if invalidates { context.interrupter.invalidate() } else { context.interrupter.cancel(.app) }
          let error = invalidates ? ContextError.invalidated : .cancelled(.app)
          #expect(throws: error) { _ = try context.next(&host) }
        }
        try daemon.finish()
      }
    }
  }

  // MARK: Watching

  @Test func `a watch tells each change once, and goes on with the next signetd`() throws {
    let daemon = try ScriptedDaemon(
      [
        .expect(.watch), .send(Packet.biometry(.usable, .success)), .send(Packet.biometry(.usable, .success)),
        .send(Packet.biometry(.lockout, .biometryLockout)),
      ],
      [
        .expect(.watch), .send(Packet.biometry(.lockout, .biometryLockout)), .send(Packet.biometry(.usable, .success)), .silence,
      ])
    do {
      var watch = try StateWatch(path: daemon.path)
      #expect(try watch.next() == BiometryReport(.usable, .none, .success))
      #expect(try watch.next() == BiometryReport(.lockout, .none, .biometryLockout))
      #expect(try watch.next() == BiometryReport(.usable, .none, .success))
      watch.interrupter.cancel(.app)
      #expect(throws: ContextError.cancelled(.app)) { try watch.next() }
    }
    try daemon.finish()
  }

  @Test func `a watch without signetd says that nothing works`() throws {
    var watch = try StateWatch(path: "/nowhere")
    #expect(try watch.next() == .unreachable)
    #expect(try watch.step(within: 0) == nil)
  }
}
