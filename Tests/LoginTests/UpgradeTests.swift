import Foundation
import Glibc
import SignetTestKit
import SignetVault
import SignetVocabulary
import Testing

/// Another signetd installed over a running one: SIGHUP has the process execute its file anew, with the vaults that are open.
@Suite struct UpgradeTests {
  private let scene: Scene
  private let manager: FakeServiceManager
  private var name: String { "vault-\(scene.daemon.uid)" }
  private var folder: String { scene.daemon.folder + "/installed" }

  /// signetd is installed in a folder of the test's own, and systemd keeps its keys.
  init() throws {
    scene = try Scene(configuration: "vault_close_with_session = no")
    manager = try FakeServiceManager(path: scene.daemon.folder + "/notify")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    for program in ["signetd", "signet-reader", "signet-passcode"] { try install(program) }
    scene.daemon.program = folder + "/signetd"
    scene.daemon.launcher = manager.launcher()
    try scene.restart()
    try manager.await("READY=1")
  }

  /// As install(1) does it: the old file stays with whoever runs it. By a process of its own: what other tests start at this
  /// moment would inherit a file that this one writes, and nothing executes a file that somebody may still write.
  private func install(_ program: String) throws {
    let copying = try Program(["/bin/cp", "--remove-destination", ReaderChannel.program(program), "\(folder)/\(program)"])
    try #require(try copying.waitForExit() == 0)
  }

  /// Makes a vault with an item in it; a mapping of the key's memory, as systemd could make one.
  private func openVault() throws -> UnsafeRawBufferPointer {
    try scene.loginByPasscode(until: "vault made")
    #expect(try scene.store(Stock.finger.item, Stock.finger.value).end == .done)
    try manager.await("FDSTORE=1")
    let kept: Int32 = try #require(manager.kept[name], "the kernel has no memfd_secret(2): secretmem.enable=1")
    let page = try #require(mmap(nil, 4096, PROT_READ, MAP_SHARED, kept, 0))
    let bytes = UnsafeRawBufferPointer(start: page, count: 4096)
    #expect(bytes.contains { $0 != 0 })
    return bytes
  }

  private func hangUp() { kill(scene.daemon.pid, SIGHUP) }

  private var file: UInt64 {
    var status = stat()
    return stat("/proc/\(scene.daemon.pid)/exe", &status) == 0 ? UInt64(status.st_ino) : 0
  }

  @Test func `an upgrade keeps the process, the socket and the open vault`() throws {
    let page = try openVault()
    defer { munmap(UnsafeMutableRawPointer(mutating: page.baseAddress!), page.count) }
    let pid = scene.daemon.pid
    // Twice: the second time from what the first handed over.
    for _ in 1...2 {
      // Its number is another file's only when nobody runs it any more.
      let before = file
      try install("signetd")
      hangUp()
      try manager.await("RELOADING=1")
      try manager.await("READY=1")
      #expect(scene.daemon.pid == pid && !scene.daemon.hasEnded)
      #expect(file != before && file != 0)
      #expect(manager.kept[name] != nil)
      #expect(try scene.read(.finger, Proving(touch: scene.touch())).value == Stock.finger.value)
    }
    try scene.daemon.awaitLog("vault open: its key was kept")
    try scene.lock()
    #expect(page.allSatisfy { $0 == 0 })
    try manager.await("FDSTOREREMOVE=1")
    #expect(manager.kept.isEmpty)
  }

  @Test func `a request that comes meanwhile is answered by the new one`() throws {
    hangUp()
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a login under way ends as cancelled by the system, without a strike, and nothing is left of its reader`() throws {
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    hangUp()
    #expect(try client.verdict().verdict == .systemCancel)
    try manager.await("READY=1")
    #expect(scene.daemon.strikesOnDisk == 0)
    #expect(try ProcessLook(scene.daemon.pid).children(named: "signet-reader").isEmpty)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a file that is still being written is waited for`() throws {
    try install("signetd")
    let writer = open(folder + "/signetd", O_WRONLY | O_CLOEXEC)
    try #require(writer >= 0)
    hangUp()
    try scene.daemon.awaitLog("somebody still writes to \(folder)/signetd")
    close(writer)
    try manager.await("READY=1")
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `where the new file cannot be executed signetd ends, and nothing is open`() throws {
    let page = try openVault()
    defer { munmap(UnsafeMutableRawPointer(mutating: page.baseAddress!), page.count) }
    try FileManager.default.removeItem(atPath: folder + "/signetd")
    try scene.daemon.write("installed/signetd", "no program\n")
    hangUp()
    try scene.daemon.awaitLog("All vaults are closed")
    #expect(scene.daemon.loggedSoFar.contains(folder + "/signetd"))
    #expect(ends(scene.daemon.pid))
    try manager.await("STOPPING=1")
    #expect(page.allSatisfy { $0 == 0 })
    #expect(manager.kept.isEmpty)
  }

  @Test func `where the new one refuses to start the vaults are closed`() throws {
    let page = try openVault()
    defer { munmap(UnsafeMutableRawPointer(mutating: page.baseAddress!), page.count) }
    try scene.daemon.write("signet.conf", "no_such_key = 1\n")
    hangUp()
    try scene.daemon.awaitLog("cannot start")
    #expect(ends(scene.daemon.pid))
    try manager.await("FDSTOREREMOVE=1")
    #expect(page.allSatisfy { $0 == 0 })
    #expect(manager.kept.isEmpty)
  }

  @Test func `where the new one is another program systemd has no key, either`() throws {
    let page = try openVault()
    defer { munmap(UnsafeMutableRawPointer(mutating: page.baseAddress!), page.count) }
    try FileManager.default.removeItem(atPath: folder + "/signetd")
    try writeScript("#!/bin/sh\nexit 3\n", to: folder + "/signetd")
    hangUp()
    #expect(ends(scene.daemon.pid))
    try manager.await("FDSTOREREMOVE=1")
    #expect(manager.kept.isEmpty)
  }
}
