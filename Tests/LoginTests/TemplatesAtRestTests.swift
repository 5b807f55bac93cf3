import CPAM
import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

@testable import DaemonAccounts
@testable import SignetDaemon

/// Where templates are found unencrypted and where not, and what a user without a usable template can do.
@Suite struct TemplatesAtRestTests {
  /// Pieces of the template that the only finger of this state has, as signet-reader returned it.
  private func pieces(of scene: Scene) throws -> [[UInt8]] {
    let copy = scene.daemon.folder + "-copy"
    defer { removeTree(copy) }
    // A copy is read, because signetd has the lock on the original.
    _ = try Program.output(["cp", "-a", scene.daemon.stateDirectory, copy])
    let store = try AccountStore(path: copy, runtimePath: copy + "/run")
    let finger = try #require(store.openable(store.fingers(of: scene.daemon.uid, named: nil)).usable.first)
    let template = try store.template(of: finger).array
    #expect(template.starts(with: Array("FP3".utf8)) && template.count > 500, "\(template.count) bytes")
    return stride(from: 0, to: template.count - 16, by: 16).map { Array(template[$0..<$0 + 16]) }
      .filter { $0[0] != 0 && Set($0).count > 4 }
  }

  private func sceneAfterLogin() throws -> Scene {
    let scene = try Scene(.image, enrolls: false)
    let finger = SyntheticFinger(seed: 3)
    try scene.enrollImages(of: finger)
    let client = try scene.daemon.connect()
    try client.authenticate(scene.daemon.user)
    try client.awaitArmed()
    try scene.reader.present(finger.impression(30))
    #expect(try client.next().isSuccess)
    // Answered when the account is free again: the strikes are on disk, and nothing is being renamed.
    let other = try scene.daemon.connect()
    try other.send(.status(user: ""))
    guard case .status = try other.nextAdministration() else { throw TestKitError("no status") }
    return scene
  }

  @Test func `no file of signetd's holds a piece of a template in clear`() throws {
    let scene = try sceneAfterLogin()
    let pieces = try pieces(of: scene)
    #expect(pieces.count > 20)
    for folder in [scene.daemon.stateDirectory, scene.daemon.runtimeDirectory] {
      let names = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
      let files = names.filter { access("\(folder)/\($0)/.", F_OK) != 0 }
      #expect(!files.isEmpty)
      for name in files {
        let bytes = try RawFile.read("\(folder)/\(name)")
        #expect(!pieces.contains(where: bytes.holds), "\(folder)/\(name)")
      }
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to read the memory of signetd"))
  func `after enrolling and a login no piece of a template is in signetd's memory`() throws {
    let scene = try sceneAfterLogin()
    let pieces = try pieces(of: scene)
    let ours = try ProcessMemory(of: getpid())
    #expect(pieces.allSatisfy(ours.holds), "what is searched for can be found")
    let memory = try ProcessMemory(of: scene.daemon.pid)
    #expect(memory.holds(Array("signet-reader".utf8)), "what signetd has can be found")
    #expect(!pieces.contains(where: memory.holds))
  }

  @Test func `of two fingers the one whose template opens is taken, and is told by its name`() throws {
    let scene = try Scene()
    try scene.daemon.enroll(.leftThumb, as: "left", on: scene.reader)
    // Loaded before the other one.
    #expect(Finger.leftThumb < .rightIndexFinger)
    let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder)
    let damaged = scene.folder + "/" + (try #require(names.first { $0.hasPrefix("left-thumb") }))
    var bytes = try RawFile.read(damaged)
    bytes[bytes.count - 1] ^= 1
    try RawFile.overwrite(damaged, bytes)
    #expect(try scene.attempt("right").isSuccess)
    try scene.daemon.awaitLog("left out: \(damaged) does not open")
    #expect(scene.daemon.loggedSoFar.contains("right-index-finger"))
    #expect(try scene.attempt("left") == .show(.notRecognised, value: 2, detail: ""))
  }

  /// What `signet list` is told.
  private func refusal(_ scene: Scene) throws -> String? {
    let client = try scene.daemon.connect()
    try client.send(.list(user: ""))
    guard case .refused(let explanation) = try client.nextAdministration(), explanation.code == .stateUnusable else { return nil }
    return explanation.words
  }

  @Test(arguments: ["missing", "another machine's", "damaged", "somebody's link"])
  func `without the device key fingers are named as unusable, and are deleted and enrolled anew`(what: String) throws {
    let scene = try Scene()
    let file = scene.deviceKeyFile
    switch what {
    case "missing": unlink(file)
    case "damaged": truncate(file, 31)
    case "somebody's link":
      unlink(file)
      symlink("/dev/zero", file)
    default: try RawFile.overwrite(file, [UInt8](1...32))
    }
    try scene.restart()
    #expect(try refusal(scene)?.contains(file) == true)
    let host = try LoginHost(scene.daemon, answers: [RunningDaemon.passcode])
    #expect(try host.finish().code == PAM_SUCCESS)
    try scene.daemon.awaitLog(file)
    #expect(try scene.deleteAll() == .done)
    #expect(try refusal(scene) == nil)
    // As the reason says; another machine's key is as good as any once nothing is sealed under the old one.
    if what != "another machine's" { unlink(file) }
    #expect(try scene.enroll(.rightIndexFinger, as: "new").last == .done)
    #expect(try scene.attempt("new").isSuccess)
    try scene.restart()
    #expect(try scene.attempt("new").isSuccess)
  }

  @Test func `without the device key nobody is made to touch the reader for nothing`() throws {
    let scene = try Scene()
    unlink(scene.deviceKeyFile)
    try scene.restart()
    let before = try RawFile.read(scene.templateFile)
    let replies = try scene.enroll(.rightIndexFinger, as: "new")
    guard case .refused(let explanation)? = replies.last, explanation.code == .stateUnusable else {
      Issue.record("enrolled: \(replies)")
      return
    }
    #expect(explanation.words.contains(scene.deviceKeyFile) && explanation.words.contains("put it back"))
    #expect(!replies.contains { if case .show(.touchReader, _, _) = $0 { true } else { false } })
    #expect(try RawFile.read(scene.templateFile) == before)
    #expect(access(scene.deviceKeyFile, F_OK) != 0)
  }
}
