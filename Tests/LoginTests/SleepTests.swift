import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import SignetWire
import Testing

/// The machine goes to sleep while readers are in use, and wakes again.
@Suite(.enabled(if: geteuid() == 0, "needs root: nobody else may say that the machine sleeps"))
struct SleepTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  private var daemon: RunningDaemon { scene.daemon }

  private func order(_ request: AdministrationRequest) throws {
    let client = try daemon.connect()
    try client.send(request)
    let reply = try client.nextAdministration()
    guard reply == .done else { throw TestKitError("\(request): \(reply)") }
  }

  /// A login whose reader waits for a finger.
  private func armed() throws -> LoginClient {
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    try client.awaitArmed()
    return client
  }

  /// signetd anew, with asleep.c between it and the clocks: the machine has slept as many seconds as the file `asleep` has
  /// bytes.
  private func restartWithClock() throws {
    let (source, library) = (#filePath.dropLast("SleepTests.swift".count) + "asleep.c", daemon.folder + "/asleep.so")
    try compileSharedObject(source, to: library)
    daemon.launcher = ["env", "LD_PRELOAD=\(library)", "ASLEEP=\(daemon.folder)/asleep"]
    try scene.restart()
  }

  private func hasEnded(_ pid: pid_t) -> Bool { kill(pid, 0) != 0 && errno == ESRCH }

  // MARK: A scan under way

  @Test func `a suspend cancels the scan, charges nothing, and the reader process is gone when it is answered`() throws {
    let client = try armed()
    #expect(daemon.strikesOnDisk == 1)
    let pid = try #require(daemon.readerPid)
    try order(.suspend)
    #expect(hasEnded(pid))
    #expect(daemon.strikesOnDisk == 0)
    #expect(try client.next().verdict == .systemCancel)
  }

  @Test func `a miss before the suspend is kept`() throws {
    let client = try armed()
    try scene.reader.scan("wrong")
    #expect(try client.next() == .show(.notRecognised, value: 2, detail: ""))
    try order(.suspend)
    #expect(try client.next().verdict == .systemCancel)
    #expect(daemon.strikesOnDisk == 1)
  }

  @Test func `a reader that does not answer does not hold the suspend up, and its strike is kept`() throws {
    let client = try armed()
    let pid = try #require(daemon.readerPid)
    // For ever: the suspend is answered all the same.
    kill(pid, SIGSTOP)
    try order(.suspend)
    #expect(hasEnded(pid))
    // The scan is cancelled. If signetd first notices that the process was stopped, it asks for the passcode instead.
    #expect(try client.verdict().verdict != nil)
    #expect(daemon.strikesOnDisk == 1)
  }

  @Test func `the reader is closed by its own process, which is not cut off`() throws {
    let notes = daemon.folder + "/notes"
    let real = try ReaderChannel.program("signet-reader")
    try scene.replace("signet-reader", by: "'\(real)' \"$@\"; echo \"ended with $?\" > '\(notes)'")
    let client = try armed()
    try order(.suspend)
    #expect(try String(contentsOfFile: notes, encoding: .utf8) == "ended with 0\n")
    #expect(try client.next().verdict == .systemCancel)
  }

  @Test func `an idle reader process is ended too`() throws {
    #expect(try scene.attempt("right").isSuccess)
    let pid = try #require(daemon.readerPid)
    try order(.suspend)
    #expect(hasEnded(pid))
  }

  @Test func `a suspend without a reader in use starts none`() throws {
    try scene.restart()
    try order(.suspend)
    #expect(daemon.readerPid == nil)
  }

  // MARK: Between suspend and resume

  @Test func `until the machine is awake the passcode is asked at once, and no reader starts`() throws {
    try order(.suspend)
    let client = try daemon.connect()
    try client.authenticate(daemon.user)
    #expect(try client.next() == .show(.readerUnavailable, value: 0, detail: ""))
    #expect(try client.next() == .askPasscode(.readerUnavailable))
    #expect(daemon.readerPid == nil)
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
  }

  @Test func `a passcode that is being typed survives the sleep`() throws {
    let client = try armed()
    try client.fallback()
    #expect(try client.next() == .askPasscode(.userFallback))
    try order(.suspend)
    try order(.resume)
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess)
  }

  @Test func `the command line is told why there is no reader`() throws {
    try order(.suspend)
    for request in [AdministrationRequest.readers, .enroll(user: "", .leftThumb, reader: "")] {
      let client = try daemon.connect()
      try client.send(request)
      guard case .refused(let why) = try client.nextAdministration(), why.code == .asleep else {
        throw TestKitError("\(request) was not refused")
      }
      #expect(why.words.contains("about to sleep"))
    }
    #expect(daemon.readerPid == nil)
  }

  // MARK: Awake again

  @Test func `after the resume a new reader process takes the finger, again and again`() throws {
    var pids: Set<pid_t> = []
    for _ in 0..<3 {
      let client = try armed()
      pids.insert(try #require(daemon.readerPid))
      try order(.suspend)
      #expect(daemon.strikesOnDisk == 0)
      try order(.suspend)
      #expect(try client.next().verdict == .systemCancel)
      try order(.resume)
      #expect(try scene.attempt("right").isSuccess)
    }
    #expect(pids.count == 3)
  }

  @Test func `a resume without a suspend changes nothing`() throws {
    let client = try armed()
    try order(.resume)
    try scene.reader.scan("right")
    #expect(try client.next().isSuccess)
  }

  @Test func `a sleep that nobody announced cancels the scan, and the finger after it is not taken for it`() throws {
    try restartWithClock()
    let client = try armed()
    let pid = try #require(daemon.readerPid)
    try daemon.write("asleep", "8 hours")
    try? scene.reader.scan("right")
    #expect(try client.next().verdict == .systemCancel)
    #expect(ends(pid))
    // The reader sleeps no more, and is another one.
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a reader process that waited through a sleep is not used again`() throws {
    try restartWithClock()
    #expect(try scene.attempt("right").isSuccess)
    let pid = try #require(daemon.readerPid)
    try daemon.write("asleep", "1")
    let client = try armed()
    #expect(daemon.readerPid != pid)
    #expect(ends(pid))
    try scene.reader.scan("right")
    #expect(try client.next().isSuccess)
  }

  // MARK: Enrolling

  @Test func `a suspend while a finger is enrolled leaves the old one, and nothing of the new`() throws {
    let before = try RawFile.read(scene.templateFile)
    let client = try daemon.connect()
    try client.send(.enroll(user: "", .rightIndexFinger, reader: ""))
    var stages = 0
    while stages < 2 {
      let reply = try client.nextAdministration()
      if case .enrollStage(let completed, _, _) = reply { stages = Int(completed) }
      if case .show(.touchReader, _, _) = reply { try scene.reader.scan("new") }
      if case .enrollStage = reply, stages < 2 { try scene.reader.scan("new") }
    }
    try order(.suspend)
    guard case .refused(let refusal) = try client.nextAdministration(), refusal.code == .cancelled else {
      throw TestKitError("not cancelled")
    }
    #expect(try RawFile.read(scene.templateFile) == before)
    let files = try FileManager.default.contentsOfDirectory(atPath: scene.folder).filter { $0.contains("template") }
    #expect(files.count == 1, "\(files)")
    try order(.resume)
    #expect(try scene.enroll(.rightIndexFinger, as: "new").last == .done)
    #expect(try scene.attempt("new").isSuccess)
  }

  // MARK: Who may say so

  @Test(arguments: ["suspend", "resume"])
  func `nobody but root may say so`(request: String) throws {
    chmod(daemon.folder, 0o711)
    let run = try HostRun.run(["administer", daemon.socket, "65534", request])
    #expect(run.steps.compactMap(\.text).first?.contains("Refusal.permissionDenied") == true)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `the commands of signet-sleep.service tell it`() throws {
    let signet = try ReaderChannel.program("signet")
    let client = try armed()
    #expect(try Program([signet, "suspend", "--socket", daemon.socket]).waitForExit() == 0)
    #expect(try client.next().verdict == .systemCancel)
    #expect(try Program([signet, "resume", "--socket", daemon.socket]).waitForExit() == 0)
    #expect(try scene.attempt("right").isSuccess)
    #expect(try Program([signet, "suspend", "--socket", daemon.folder + "/nobody"]).waitForExit() != 0)
  }
}
