import CPAM
import Foundation
import Glibc
import SignetTestKit
import Testing

/// What other fingerprint logins do badly, and Signet better. README.md beside this file has the whole list, and says which test
/// proves each line of it.
@Suite struct BehaviourTests {
  @Test func `of sixty wrong fingers five are looked at, and then the right one is not`() throws {
    let scene = try Scene()
    var misses = 0
    for _ in 0..<20 {
      let host = try LoginHost(scene.daemon, answers: [""])
      let run = try host.finish(presenting: ["wrong", "wrong", "wrong"], on: scene.reader)
      #expect(run.code != PAM_SUCCESS)
      misses += run.texts.filter { $0.hasPrefix("Fingerprint not recognised") || $0.contains("attempts left. Enter") }.count
      misses +=
        run.texts.contains { $0.hasPrefix("Fingerprints are locked") } && run.texts.contains(where: \.isFirstPrompt) ? 1 : 0
    }
    #expect(misses == 5)
    #expect(scene.daemon.strikesOnDisk == 5)
    let run = try LoginHost(scene.daemon, answers: [""]).finish(presenting: ["right"], on: scene.reader)
    #expect(run.code != PAM_SUCCESS)
    #expect(run.texts == ["Fingerprints are locked after too many attempts. Enter your passcode.", "Password: "])
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to look into a process that hides its memory"))
  func `signetd keeps no descriptor of fifty logins`() throws {
    let scene = try Scene()
    func login() throws {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      try client.awaitArmed()
      try scene.reader.scan("right")
      #expect(try client.next().isSuccess)
    }
    try login()
    let process = ProcessLook(scene.daemon.pid)
    let before = try process.descriptors()
    for _ in 0..<50 { try login() }
    // The last connection ends a moment after its verdict.
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    var kept = [String: String]()
    repeat {
      kept = try process.descriptors().filter { before[$0.key] != $0.value }
      pauseBeforeNextLook()
    } while !kept.isEmpty && PAMHost.microseconds() < deadline
    #expect(kept == [:], "before: \(before)")
  }

  @Test(arguments: FileFault.all.map(\.name))
  func `a damaged template is named, and the passcode is asked at once`(name: String) throws {
    let scene = try Scene()
    let path = try scene.templateFile
    try FileFault.all.first { $0.name == name }?.inject(path)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.readerUnavailable))
    try scene.daemon.awaitLog(path)
    let list = try scene.daemon.connect()
    try list.send(.list(user: ""))
    guard case .refused(let explanation) = try list.nextAdministration(), explanation.code == .stateUnusable else {
      Issue.record("it is listed")
      return
    }
    #expect(explanation.words.contains(path))
  }

  /// What can interrupt an enrolment.
  enum Interruption: CaseIterable { case cancelled, clientGone, readerKilled, signetdKilled, signetdStopped, unplugged }

  @Test(arguments: Interruption.allCases)
  func `an enrolment that is interrupted keeps the old finger`(interruption: Interruption) throws {
    let scene = try Scene()
    let before = try RawFile.read(scene.templateFile)
    do {
      let client = try scene.daemon.connect()
      try client.send(.enroll(user: "", .rightIndexFinger, reader: ""))
      while true {
        let reply = try client.nextAdministration()
        if case .askPasscode = reply { try client.answer(passcode: RunningDaemon.passcode) }
        if case .show(.touchReader, _, _) = reply { try scene.reader.scan("new") }
        guard case .enrollStage(let completed, _, _) = reply else { continue }
        if completed == 2 { break }
        try scene.reader.scan("new")
      }
      switch interruption {
      case .cancelled:
        try client.cancel()
        guard case .refused(let refusal) = try client.nextAdministration(), refusal.code == .cancelled else {
          throw TestKitError("not cancelled")
        }
      case .clientGone: break
      case .readerKilled: try scene.signal(SIGKILL, to: "signet-reader")
      case .signetdKilled: try scene.restart(SIGKILL)
      case .signetdStopped: try scene.restart(SIGTERM)
      case .unplugged: try scene.reader.unplug()
      }
      if [.readerKilled, .unplugged].contains(interruption) {
        guard case .refused(let refusal) = try client.nextAdministration(),
          refusal.code == (interruption == .unplugged ? .readerFailed : .readerEnded)
        else {
          throw TestKitError("not refused")
        }
      }
    }
    #expect(try RawFile.read(scene.templateFile) == before)
    if interruption == .clientGone { try scene.daemon.awaitLog("not enrolled") }
    if interruption == .unplugged { try scene.restart() }
    let run = try LoginHost(scene.daemon, answers: [""]).finish(presenting: ["right"], on: scene.reader)
    #expect(run.code == PAM_SUCCESS, "\(run.texts)")
  }

  @Test func `on an image reader the next login right after a success succeeds`() throws {
    let scene = try Scene(.image, enrolls: false)
    let finger = SyntheticFinger(seed: 7)
    try scene.enrollImages(of: finger)
    for number in 0..<4 {
      let host = try LoginHost(scene.daemon, answers: [""])
      try host.awaitPrompt()
      try scene.reader.present(finger.impression(30 + number))
      #expect(try host.finish().code == PAM_SUCCESS)
    }
  }

  @Test func `a long time-out is asked for as it is written`() throws {
    let daemon = try ScriptedDaemon([.expect(.authenticate), .send(Packet.refusal(.biometryNotEnrolled))])
    let configuration = try PAMConfiguration().add("signet-test", options: "socket=\(daemon.path) timeout=120")
    let run = try HostRun.run(["--service", "signet-test", "--confdir", configuration.path, "--user", "alice"])
    #expect(run.code == PAM_AUTHINFO_UNAVAIL)
    #expect(try daemon.finish()[0][0][3...4] == [120, 0])
  }

  @Test(arguments: ["a miss", "a poor scan"])
  func `the time-out is of the whole login, and nothing that a finger does begins it anew`(what: String) throws {
    let scene = try Scene(configuration: "tries = 20\nstrikes = 50")
    let client = try scene.daemon.connect()
    let start = PAMHost.microseconds()
    try client.authenticate(scene.daemon.user, timeout: 2)
    try client.awaitArmed()
    // A second after each other: if each began it anew, it would come after none of them.
    var scans = 0
    var end: LoginClient.Reply?
    while scans < 9 {
      end = try? client.afterShowing(within: 1_000)
      if end != nil { break }
      // The time-out may be faster.
      try? what == "a miss" ? scene.reader.scan("wrong") : scene.reader.poorScan()
      scans += 1
    }
    #expect(end == .askPasscode(.timedOut))
    #expect(PAMHost.microseconds() - start >= 2_000_000)
  }

  @Test func `a reader that is too hot says so, and the passcode is asked at once`() throws {
    let scene = try Scene()
    let host = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode])
    try host.awaitPrompt()
    try scene.reader.fail(0x101)
    let run = try host.finish()
    #expect(run.code == PAM_SUCCESS)
    #expect(run.texts.dropFirst() == ["The fingerprint reader is too hot; it works again when it has cooled down", "Password: "])
  }

  @Test func `a second login is told at once who has the reader, and the finger serves the first`() throws {
    let scene = try Scene()
    let first = try LoginHost(scene.daemon, service: "first", answers: [""])
    try first.awaitPrompt()
    // From beginning to end while the first still waits for its finger.
    let second = try LoginHost(scene.daemon, service: "second", answers: [RunningDaemon.passcode]).finish()
    #expect(second.code == PAM_SUCCESS)
    #expect(second.texts == ["The fingerprint reader is in use by another program", "Password: "])
    try scene.reader.scan("right")
    #expect(try first.finish().code == PAM_SUCCESS)
  }

  @Test func `a finger that comes after its login has gone serves no other`() throws {
    let scene = try Scene()
    do {
      let gone = try scene.daemon.connect()
      try gone.authenticate(scene.daemon.user)
      try gone.awaitArmed()
      try scene.reader.scan("right")
    }
    // Whatever became of that finger: nobody has it.
    let host = try LoginHost(scene.daemon, options: "timeout=1", answers: [""])
    #expect(try host.finish().code != PAM_SUCCESS)
  }

  @Test func `Ctrl-C ends a passcode check that never ends, and the process that checks`() throws {
    let scene = try Scene()
    try scene.replace("signet-passcode", by: "exec sleep 60")
    unlink(scene.strikesFile)
    let host = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode], "--sigint", "ignore")
    try host.awaitMessage("Password")
    try scene.awaitChild(named: "sleep")
    kill(host.pid, SIGINT)
    #expect(try host.finish().code == PAM_AUTH_ERR)
    try scene.awaitNoChild(named: "sleep")
    // Not by the limit of such a check, which would also end it.
    try scene.daemon.awaitLog("cancelled=yes")
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to mount"))
  func `a match whose strike cannot be taken off the disk counts, and the strike stays`() throws {
    let scene = try Scene(launcher: Scene.smallDisk)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try scene.makeDiskReadOnly()
    try scene.reader.scan("right")
    #expect(try client.next().isSuccess)
    try scene.daemon.awaitLog("could not be cleared")
    let status = try scene.daemon.connect()
    try status.send(.status(user: ""))
    guard case .status(let row) = try status.nextAdministration() else { throw TestKitError("no status") }
    #expect(row.strikes == 1)
  }

  @Test(arguments: ["signetd", "signet-reader"])
  func `a process that is killed during a scan is noticed by its end, and not by its silence`(name: String) throws {
    let scene = try Scene()
    let host = try LoginHost(scene.daemon, answers: [""], "--log")
    try host.awaitPrompt()
    if name == "signetd" { kill(scene.daemon.pid, SIGKILL) } else { try scene.signal(SIGKILL, to: name) }
    let run = try host.finish()
    #expect(run.code == (name == "signetd" ? PAM_AUTHINFO_UNAVAIL : PAM_AUTH_ERR))
    if name == "signetd" {
      #expect(run.log.contains { $0.contains("signetd closed the connection") }, "\(run.log)")
    } else {
      #expect(run.texts.last == "Password: ")
      try scene.daemon.awaitLog("signet-reader is gone")
    }
  }
}

extension Scene {
  /// Enrolls the right index finger on an image reader.
  func enrollImages(of finger: SyntheticFinger) throws {
    let client = try daemon.connect()
    try client.send(.enroll(user: "", .rightIndexFinger, reader: ""))
    var number = 0
    func present() throws {
      number += 1
      try reader.present(finger.impression(number))
    }
    while true {
      let reply = try client.nextAdministration()
      switch reply {
      case .askPasscode: try client.answer(passcode: RunningDaemon.passcode)
      case .show(.touchReader, _, _): try present()
      case .enrollStage(let completed, let all, _): if completed < all { try present() }
      case .done: return
      case .heartbeat: continue
      default: throw TestKitError("\(reply)")
      }
    }
  }
}
