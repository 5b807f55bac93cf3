import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// Guessing as fast as it can be done: processes that log in again and again with fingers that are not the user's, by the
/// real module and the real libpam, for as long as `SIGNET_GUESS_SECONDS` says (20). What the reader decided is counted
/// between signet-reader and signetd.
@Suite struct GuesserTests {
  private static let seconds = ProcessInfo.processInfo.environment["SIGNET_GUESS_SECONDS"].flatMap { Int($0) } ?? 20

  private let scene: Scene
  private let decisions: String

  init() throws {
    scene = try Scene()
    decisions = scene.daemon.folder + "/decisions"
    let (host, reader) = (try ReaderChannel.program("pam-host"), try ReaderChannel.program("signet-reader"))
    try scene.replace("signet-reader", by: "exec \(host) tap \(decisions) \(reader) \"$@\"")
  }

  /// How often the reader decided this.
  private func count(_ event: UInt8) throws -> Int { try RawFile.read(decisions).count { $0 == event } }

  /// Starts one guesser for each of these services; returns what each printed when all have ended.
  private func guess(services: [String], seed: Int? = nil) async throws -> [String] {
    let module = try ReaderChannel.program("libpam_signet.so")
    var guessers: [(program: Program, output: Lines)] = []
    for (number, service) in services.enumerated() {
      try scene.daemon.write("pam/\(service)", "auth required \(module) socket=\(scene.daemon.socket)\n")
      let output = try Lines()
      // It takes all of a processor that nobody else wants.
      let words = try [
        "nice", "-n", "19", ReaderChannel.program("pam-host"), "guess", "\(Self.seconds)", scene.reader.path, service,
        scene.daemon.confdir, scene.daemon.user,
      ]
      let seeds = seed.map { ["\($0 + number)"] } ?? []
      guessers.append((try Program(words + seeds, environment: HostRun.environment, descriptors: [1: output.writer]), output))
    }
    for guesser in guessers {
      while await !hasEnded(guesser.program.pid, within: 500) {
        // signetd writes a line a login; nobody else reads them.
        _ = scene.daemon.loggedSoFar
      }
    }
    return try guessers.map { guesser in
      try guesser.output.read(until: "successes")
      let status = try guesser.program.waitForExit()
      #expect(status == 0)
      return guesser.output.text
    }
  }

  /// Waits on a thread of its own: tests share a few.
  private func hasEnded(_ pid: pid_t, within limit: Int32) async -> Bool {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: ends(pid, within: limit)) }
    }
  }

  private func attempts(_ outputs: [String]) -> Int {
    HostRun(output: outputs.joined(), status: 0).steps.filter { $0.step == "attempts" }.compactMap { $0.code }
      .reduce(0) { $0 + Int($1) }
  }

  private func expectNoSuccess(_ outputs: [String]) throws {
    for output in outputs { #expect(output.contains("{\"step\":\"successes\",\"code\":0}")) }
    let matches = try count(5)
    #expect(matches == 0, "the reader matched a finger")
  }

  @Test func `wrong fingers as fast as they can be presented get five verdicts`() async throws {
    let outputs = try await guess(services: ["login"])
    try expectNoSuccess(outputs)
    let misses = try count(6)
    #expect(misses == 5)
    #expect(scene.daemon.strikesOnDisk == 5)
    #expect(attempts(outputs) > 10 * Self.seconds, "it did not try hard")
  }

  @Test func `the same from four processes and services at a time`() async throws {
    let outputs = try await guess(services: ["login", "vlock", "ftp", "polkit-1"])
    try expectNoSuccess(outputs)
    let misses = try count(6)
    #expect(misses == 5)
    #expect(scene.daemon.strikesOnDisk == 5)
  }

  @Test func `with cancels, poor scans, failing and unplugged readers between them there are no more`() async throws {
    let outputs = try await guess(services: ["login", "vlock"], seed: 41)
    try expectNoSuccess(outputs)
    let misses = try count(6)
    #expect(misses <= 5)
    #expect(scene.daemon.strikesOnDisk ?? 0 >= 5)
  }

  @Test func `of three fingers that are named in turn there are five looks in all, with cancels between them`() throws {
    let (reader, user) = (scene.reader, scene.daemon.user)
    try scene.daemon.enroll(.rightMiddleFinger, as: "middle", on: reader)
    try scene.daemon.enroll(.rightRingFinger, as: "ring", on: reader)
    var named: [UInt8] = []
    for login in 1...20 {
      let client = try scene.daemon.connect()
      try client.authenticate(user)
      var isOver = false
      while !isOver {
        switch try client.next() {
        case .show(.touchReader, let value, _):
          named.append(TouchForm.finger(in: value))
          try reader.scan("wrong")
        // Whoever cancels after a miss begins anew.
        case .show(.notRecognised, _, _) where login.isMultiple(of: 2): isOver = true
        case .show(.readerBusy, _, _), .askPasscode, .verdict, .closed: isOver = true
        default: continue
        }
      }
      try? client.cancel()
      _ = try? client.verdict()
    }
    #expect(try count(6) == 5)
    #expect(Set(named) == [7, 8, 9])
    #expect(scene.daemon.strikesOnDisk == 5)
    #expect(try scene.status().lock == .strikes)
  }

  /// Two hundred wrong passcodes, twenty at a time; how many a passcode service of these lines looked at. CHECK stands for
  /// a module that sees the passcode and fails with `PAM_SYSTEM_ERR`.
  private func guessPasscodes(service: String...) throws -> Int {
    let checks = scene.daemon.folder + "/checks"
    try scene.daemon.write("check", "echo checked >> \(checks)\nexit 1\n")
    let module = "pam_exec.so expose_authtok quiet /bin/sh \(scene.daemon.folder)/check"
    try scene.daemon.write("pam/signet-passcode", service.map { $0.replacing("CHECK", with: module) + "\n" }.joined())
    try scene.lock()
    for _ in 1...10 {
      let clients = try (1...20).map { _ in try scene.daemon.connect() }
      // Of a crowd some are turned away at once.
      for client in clients { try? client.authenticate(scene.daemon.user) }
      for client in clients where try client.isAskedForPasscode() { try client.answer(passcode: "wrong") }
      for client in clients { #expect(try !client.verdict().isSuccess) }
    }
    return try RawFile.read(checks).count { $0 == UInt8(ascii: "\n") }
  }

  @Test func `of hundreds of wrong passcodes, twenty at a time, five are looked at`() throws {
    let looks = try guessPasscodes(service: "auth optional CHECK", "auth required pam_deny.so")
    #expect(looks == 5)
    #expect(try scene.status().wrongPasscodes == 5)
  }

  @Test func `so of a passcode service that fails where it should say no`() throws {
    let looks = try guessPasscodes(service: "auth required CHECK")
    #expect(looks == 5)
  }

  @Test func `killing signet-passcode before it answers gives no guess back: the sixth has to wait`() throws {
    try scene.lock()
    try scene.holdPasscodeChecks()
    for _ in 1...5 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      #expect(try client.isAskedForPasscode())
      try client.answer(passcode: "wrong")
      try scene.checking?.awaitArrival()
      try scene.signal(SIGKILL, to: "signet-passcode")
      #expect(try client.verdict().verdict == .biometryNotAvailable)
    }
    #expect(try scene.nextLogin().verdict == .biometryLockout)
    #expect(try scene.status().wrongPasscodes == 5)
  }
}

extension LoginClient {
  fileprivate func isAskedForPasscode() throws -> Bool {
    if case .askPasscode = try afterShowing() { true } else { false }
  }
}
