import CPAM
import Glibc
import SignetTestKit
import Testing

/// What can be done to the strikes on disk: put back, deleted, cut, given away. Each either changes nothing or locks.
@Suite struct StateTests {
  private let scene: Scene

  init() throws { scene = try Scene() }

  /// Whether a login is asked for the passcode without a look at a finger.
  private func expectLocked(isMended: Bool = true) throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.afterShowing() == .askPasscode(.lockout))
    try scene.reader.awaitClosed()
    try client.answer(passcode: RunningDaemon.passcode)
    #expect(try client.next().isSuccess, "the passcode works")
    // And writes the strikes anew.
    if isMended { #expect(try scene.attempt("right").isSuccess) }
  }

  @Test func `an older copy that is put back takes no strike away: it locks at once`() throws {
    let copy = try RawFile.read(scene.strikesFile)
    try scene.miss()
    try RawFile.overwrite(scene.strikesFile, copy)
    try expectLocked()
  }

  @Test func `an older copy that is moved into place while signetd does not run locks too`() throws {
    let copy = try RawFile.read(scene.strikesFile)
    try scene.miss()
    scene.daemon.end(SIGKILL)
    try scene.daemon.write("state/users/\(scene.daemon.uid)/copy", "")
    try RawFile.overwrite(scene.folder + "/copy", copy)
    rename(scene.folder + "/copy", scene.strikesFile)
    try scene.daemon.start()
    try expectLocked()
  }

  @Test func `the whole state directory put back as it was locks too`() throws {
    let copy = scene.daemon.folder + "/copy"
    _ = try Program.output(["cp", "-a", scene.daemon.stateDirectory, copy])
    try scene.miss()
    scene.daemon.end(SIGKILL)
    removeTree(scene.daemon.stateDirectory)
    rename(copy, scene.daemon.stateDirectory)
    try scene.daemon.start()
    try expectLocked()
  }

  @Test func `a copy taken before a wrong passcode does not take the wrong passcode away`() throws {
    try scene.lock()
    let copy = try RawFile.read(scene.strikesFile)
    try scene.guessPasscodes(5)
    for restarts in [false, true] {
      if restarts { scene.daemon.end(SIGKILL) }
      try RawFile.overwrite(scene.strikesFile, copy)
      if restarts { try scene.daemon.start() }
      #expect(try scene.nextLogin().verdict == .biometryLockout)
      #expect(try scene.status().wrongPasscodes == 5)
    }
  }

  @Test(arguments: FileFault.all.map(\.name))
  func `what signetd keeps in memory of the strikes, damaged, gives none back`(name: String) throws {
    try scene.miss()
    try scene.miss()
    let path = "\(scene.daemon.runtimeDirectory)/strikes/\(scene.daemon.uid)"
    try FileFault.all.first { $0.name == name }?.inject(path)
    try scene.restart(SIGKILL)
    #expect(try scene.status().strikes >= 2)
  }

  @Test(arguments: FileFault.all.map(\.name))
  func `strikes that are damaged after a miss lock, across a restart too`(name: String) throws {
    try scene.miss()
    try FileFault.all.first { $0.name == name }?.inject(scene.strikesFile)
    try scene.restart(SIGKILL)
    // A folder is not replaced by a file; it is the administrator's to remove.
    try expectLocked(isMended: name != "a folder")
  }

  @Test func `deleted strikes lock, and the file is not made anew by a finger`() throws {
    try scene.miss()
    unlink(scene.strikesFile)
    for _ in 1...3 {
      let client = try scene.daemon.connect()
      try client.authenticate(scene.daemon.user)
      #expect(try client.afterShowing() == .askPasscode(.lockout))
      try client.cancel()
      _ = try client.next()
      #expect(access(scene.strikesFile, F_OK) != 0)
    }
    try expectLocked()
  }

  @Test func `strikes that are deleted while a finger is waited for lock from then on`() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    unlink(scene.strikesFile)
    try scene.reader.scan("wrong")
    #expect(try client.afterShowing() == .askPasscode(.lockout))
    try client.cancel()
    _ = try client.next()
    try expectLocked()
  }

  @Test func `without the user's folder there is no finger, and strikes are not begun anew`() throws {
    try scene.miss()
    rename(scene.folder, scene.folder + ".away")
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    #expect(try client.next().verdict == .biometryNotEnrolled)
    rename(scene.folder + ".away", scene.folder)
    #expect(scene.daemon.strikesOnDisk == 1)
  }

  @Test func `templates without their strikes lock`() throws {
    let (path, bytes) = (try scene.templateFile, try RawFile.read(scene.templateFile))
    let client = try scene.daemon.connect()
    try client.send(.delete(user: "", nil))
    _ = try client.nextAdministration()
    try scene.daemon.write("state/users/\(scene.daemon.uid)/" + path.split(separator: "/").last!, "")
    try RawFile.overwrite(path, bytes)
    unlink(scene.strikesFile)
    let login = try scene.daemon.connect()
    try login.authenticate(scene.daemon.user)
    #expect(try login.afterShowing() == .askPasscode(.lockout))
  }

  @Test func `a second signetd on the same state, with strikes of its own in memory, does not start`() throws {
    let words = try [
      ReaderChannel.program("signetd"), "--socket", scene.daemon.folder + "/second", "--state-dir", scene.daemon.stateDirectory,
      "--runtime-dir", scene.daemon.folder + "/second-run", "--config", scene.daemon.folder + "/signet.conf",
    ]
    #expect(try Program(words).waitForExit() == 1)
    #expect(try scene.attempt("right").isSuccess)
  }
}
