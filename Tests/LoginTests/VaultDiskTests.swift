import CLinux
import Foundation
import Glibc
import SignetTestKit
import SignetVocabulary
import Testing

/// The real signetd with a vault whose files were damaged or put back, or that find no room on the disk. SignetVaultTests test
/// what the library makes of such files. Here logins must go on, nothing may be released that should not be, and messages must
/// name the file.
@Suite(.serialized) struct VaultDiskTests {
  /// A file of the vault.
  enum VaultFile: CaseIterable {
    case key, set, index, epoch, item

    func path(_ scene: Scene) throws -> String {
      switch self {
      case .key: return scene.folder + "/key"
      case .set: return scene.folder + "/set"
      case .index: return scene.folder + "/index"
      case .epoch: return "\(scene.daemon.stateDirectory)/epochs/\(scene.daemon.uid)"
      case .item:
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder + "/items")
        // The stock is stored in its order, and the finger's is the second.
        guard let name = names.first(where: { $0.hasSuffix(".3") }) else { throw TestKitError("\(names)") }
        return "\(scene.folder)/items/\(name)"
      }
    }

    /// The items of the stock that are still released while the vault is open.
    var released: [Stock] {
      switch self {
      case .key: Stock.allCases
      case .set, .item: [.unasked, .passcode]
      case .index, .epoch: []
      }
    }
  }

  /// Reads each of the stock, and compares with what may come.
  private func expectReleased(_ wanted: [Stock], _ scene: Scene, _ what: String) throws {
    for one in Stock.allCases {
      // The passcode's costs scrypt and is tried elsewhere.
      if one == .passcode { continue }
      let answer = try scene.read(one, Proving(touch: scene.touch()))
      #expect(answer.value == (wanted.contains(one) ? one.value : nil), "\(what): \(one), \(answer)")
      if answer.end != .done { expectNamed(answer.explanation, scene, what) }
    }
  }

  /// That a file is named, in a sentence that goes on with what to do.
  private func expectNamed(_ explanation: String, _ scene: Scene, _ what: String) {
    let isNamed = explanation.contains(scene.daemon.stateDirectory)
    let hasWayOut = ["put ", "reset", "delete", "update", "enroll", "remove", "Delete"].contains { explanation.contains($0) }
    #expect(isNamed && hasWayOut, "\(what): \(explanation)")
  }

  @Test(arguments: VaultFile.allCases)
  func `whatever is in a file's place, logins go on, the rest is released, and the file is named`(file: VaultFile) throws {
    let scene = try Scene.stocked()
    let path = try file.path(scene)
    let faults = FileFault.all + (geteuid() == 0 ? FileFault.foreign : [])
    for fault in faults {
      let what = "\(file) \(fault.name)"
      #expect(rename(path, path + ".aside") == 0)
      try RawFile.create(path, RawFile.read(path + ".aside"))
      try fault.inject(path)
      #expect(try scene.attempt("right").isSuccess, "\(what)")
      try expectReleased(file.released, scene, what)
      let status = try scene.status()
      #expect(status.account.strikes == 0 && status.account.wrongPasscodes == 0)
      expectNamed(status.vault.explanation, scene, what)
      for leftover in [path, path + ".real"] { try? FileManager.default.removeItem(atPath: leftover) }
      #expect(rename(path + ".aside", path) == 0)
    }
    try expectReleased(Stock.allCases, scene, "mended")
    // After a start the passcode reads the key, too.
    try FileFault.all[2].inject(path)
    try scene.restart()
    #expect(try scene.attempt("right").isSuccess)
    try scene.loginByPasscode(until: file == .key ? "the vault stays closed" : "vault ")
    if file == .key {
      let answer = try scene.read(.unasked, Proving(passcode: RunningDaemon.passcode))
      #expect(answer.value == nil && answer.explanation.contains("signet status"), "\(answer)")
      expectNamed(try scene.status().vault.explanation, scene, "key after a start")
    } else {
      try expectReleased(file.released, scene, "\(file) after a start")
    }
  }

  @Test func `whatever is in a folder's place, logins go on and nothing comes out`() throws {
    let scene = try Scene.stocked()
    for folder in [scene.folder + "/items", scene.daemon.stateDirectory + "/epochs"] {
      for (what, put) in Self.instead {
        #expect(rename(folder, folder + ".aside") == 0)
        put(folder)
        #expect(try scene.attempt("right").isSuccess, "\(what)")
        let answer = try scene.read(.unasked)
        #expect(answer.value == nil && answer.explanation.contains(folder), "\(what): \(answer)")
        // Where only the files of the items are gone, storing them anew is the way out.
        if what != "an empty folder" {
          #expect(try scene.store(Stock.unasked.item, [1], replaces: true).end != .done, "\(what)")
        }
        let status = try scene.status()
        #expect(status.vault.explanation.contains(folder) && status.account.lock == .none, "\(what): \(status)")
        if !folder.hasSuffix("items") {
          guard case .refused(let refusal)? = try scene.enroll(.leftThumb, as: "left").last, refusal.code == .vaultUnavailable
          else {
            throw TestKitError("enrolled with \(what)")
          }
        }
        try FileManager.default.removeItem(atPath: folder)
        #expect(rename(folder + ".aside", folder) == 0)
      }
    }
    try expectReleased(Stock.allCases, scene, "mended")
  }

  @Test func `a finger that goes while the set cannot be renewed takes with it what the set opens`() throws {
    let scene = try Scene.stocked()
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    #expect(try scene.store(Stock.finger.item, Stock.finger.value, replaces: true).end == .done)
    let epochs = scene.daemon.stateDirectory + "/epochs"
    #expect(rename(epochs, epochs + ".aside") == 0)
    let client = try scene.daemon.connect()
    try client.send(.delete(user: "", .leftThumb))
    guard case .refused(let why) = try client.nextAdministration(), why.code == .deletedWithFault else {
      throw TestKitError("not said")
    }
    #expect(why.words.contains("deleted") && why.words.contains(epochs), "\(why)")
    try FileManager.default.removeItem(atPath: epochs)
    #expect(rename(epochs + ".aside", epochs) == 0)
    let answer = try scene.read(.finger, Proving(touch: scene.touch()))
    #expect(answer.end != .done && answer.value == nil, "\(answer)")
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
  }

  private static let instead: [(String, @Sendable (String) -> Void)] = [
    ("a file", { close(clinux_open($0, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }), ("a FIFO", { mkfifo($0, 0o600) }),
    ("a link", { symlink($0 + ".aside", $0) }),
    (
      "a folder of everybody's",
      {
        mkdir($0, 0o700); chmod($0, 0o777)
      }
    ),
    ("an empty folder", { mkdir($0, 0o700) }),
  ]

  @Test(arguments: [VaultFile.key, .epoch]) func `a reset is the way out of every damage, and only of the vault's`(
    file: VaultFile
  )
    throws
  {
    let scene = try Scene.stocked()
    try FileFault.all[2].inject(try file.path(scene))
    #expect(try scene.ask(.reset(user: "")).end == .done)
    #expect(try scene.read(.unasked).end != .done)
    #expect(try scene.attempt("right").isSuccess)
    let again = try scene.store(Stock.finger.item, Stock.finger.value)
    #expect(again.end == .done && again.questions == [.passcode(.vault)], "\(again)")
    #expect(try scene.read(.finger, Proving(touch: scene.touch())).value == Stock.finger.value)
    #expect(try scene.status().vault.explanation == "")
  }

  // MARK: - put back

  private func copy(_ from: String, _ to: String) throws {
    guard try Program(["cp", "-a", from, to], environment: ["PATH=/usr/bin:/bin"]).waitForExit() == 0 else {
      throw TestKitError("\(from) is not copied")
    }
  }

  /// Puts it in the place of the user's folder, into which signetd may still be writing the history.
  private func putBack(_ aside: String, _ scene: Scene) throws {
    for attempt in 1...100 {
      rename(scene.folder, "\(scene.daemon.folder)/newer.\(attempt)")
      if rename(aside, scene.folder) == 0 { return }
    }
    throw TestKitError("\(scene.folder): \(clinux_errno())")
  }

  @Test(arguments: [false, true])
  func `an older copy of a user's whole folder revives no set and takes back no strike`(restarts: Bool) throws {
    let scene = try Scene.stocked()
    let aside = scene.daemon.folder + "/aside"
    try copy(scene.folder, aside)
    #expect(try scene.enroll(.leftThumb, as: "left").last == .done)
    let destroyed = try scene.read(.finger, Proving(touch: scene.touch()))
    #expect(destroyed.end == .refused(.fingersChanged))
    try scene.strikeOut()

    if restarts { scene.daemon.end(SIGTERM) }
    try putBack(aside, scene)
    if restarts { try scene.daemon.start() }
    let status = try scene.status()
    #expect(status.account.lock == .stateUnusable || status.account.lock == .strikes, "\(status)")
    #expect(status.vault.state == .closed)
    #expect(try scene.read(.unasked).value == nil)
    try scene.loginByPasscode(until: "vault opened")
    let revived = try scene.read(.finger, Proving(touch: scene.touch(), passcode: RunningDaemon.passcode))
    #expect(revived.value == nil && revived.end != .done, "\(revived)")
    #expect(try scene.read(.unasked).value == Stock.unasked.value)
    #expect(try scene.attempt("right").isSuccess)
  }

  @Test func `a deleted item comes back with no older copy of any of its files`() throws {
    let scene = try Scene.stocked()
    let (items, index) = (scene.folder + "/items", scene.folder + "/index")
    for path in [items, index] { try copy(path, scene.daemon.folder + "/" + path.split(separator: "/").last!) }
    #expect(try scene.ask(.delete(user: "", Stock.unasked.name)).end == .done)
    try FileManager.default.removeItem(atPath: items)
    try copy(scene.daemon.folder + "/items", items)
    #expect(try scene.read(.unasked).end == .refused(.notFound))
    #expect(try scene.ask(.list(user: "")).items.count == 2)
    try copy(scene.daemon.folder + "/index", index)
    let answer = try scene.read(.unasked)
    #expect(answer.end == .refused(.vaultUnavailable))
    expectNamed(answer.explanation, scene, "an older index")
    #expect(try scene.attempt("right").isSuccess)
  }

  // MARK: - no room

  /// What all of these are refused with, on a disk that takes nothing.
  private func expectUnchanged(_ scene: Scene, _ what: String) throws {
    let (name, other) = (scene.daemon.user, "another horse")
    let new = Item(ItemName(service: "new", account: ""))
    let refused = [
      try scene.store(new, [1]), try scene.store(Stock.unasked.item, [2], replaces: true),
      try scene.daemon.connect().passcodeChanged(name, from: RunningDaemon.passcode, to: RunningDaemon.passcode),
    ]
    for answer in refused {
      #expect(answer.end == .refused(.vaultUnavailable), "\(what): \(answer)")
      expectNamed(answer.explanation, scene, what)
    }
    #expect(try scene.daemon.connect().passcodeChanged(name, from: RunningDaemon.passcode, to: other).end != .done)
    guard case .refused(let why)? = try scene.enroll(.leftThumb, as: "left").last, why.code == .vaultUnavailable else {
      throw TestKitError("\(what): enrolled")
    }
    #expect(why.words.contains(scene.daemon.stateDirectory), "\(what): \(why)")
    #expect(try scene.read(.unasked).value == Stock.unasked.value, "\(what)")
    #expect(try scene.read(.passcode, Proving(passcode: RunningDaemon.passcode)).value == Stock.passcode.value, "\(what)")
    #expect(try scene.ask(.list(user: "")).items.count == Stock.allCases.count, "\(what)")
    #expect(try scene.status().vault.state == .open, "\(what)")
    try scene.loginByPasscode(until: "vault opened")
  }

  private static let isRoot: ConditionTrait = .enabled(if: geteuid() == 0, "needs root, to mount a disk")

  @Test(isRoot) func `on a full disk and on one without files left nothing changes, and the passcode logs in`() throws {
    let scene = try Scene.stocked(launcher: Scene.smallDisk)
    try scene.fillDisk()
    try expectUnchanged(scene, "full")
    let other = try Scene.stocked(launcher: Scene.smallDisk)
    try other.useUpFiles()
    try expectUnchanged(other, "no files left")
  }

  @Test(isRoot) func `on a disk that takes no writes nothing changes, and the passcode logs in`() throws {
    let scene = try Scene.stocked(launcher: Scene.smallDisk)
    try scene.makeDiskReadOnly()
    try expectUnchanged(scene, "read-only")
    let answer = try scene.ask(.delete(user: "", Stock.unasked.name))
    #expect(answer.end == .refused(.vaultUnavailable))
    expectNamed(answer.explanation, scene, "a deletion")
  }

  @Test(isRoot) func `however little room there is, an update is made or not made, and says which`() throws {
    let scene = try Scene.stocked(launcher: Scene.smallDisk)
    try scene.fillDisk()
    var current = Stock.unasked.value
    var (made, refused) = (0, 0)
    for pages in 0..<10 {
      try scene.leaveRoom(pages)
      let next = [UInt8](repeating: UInt8(65 + pages), count: 6_000)
      let answer = try scene.store(Stock.unasked.item, next, replaces: true)
      let value = try scene.read(.unasked).value
      if answer.end == .done || answer.explanation.contains("the change is made") {
        current = next
        made += 1
      } else {
        expectNamed(answer.explanation, scene, "\(pages) pages")
        refused += 1
      }
      #expect(value == current, "\(pages) pages: \(answer)")
      #expect(try scene.read(.passcode, Proving()).end == .refused(.cancelled))
      try scene.fillDisk()
    }
    #expect(made > 1 && refused > 1)
  }

  @Test(isRoot) func `however little room there is, no old set is left where a new finger is`() throws {
    let scene = try Scene.stocked(launcher: Scene.smallDisk)
    var outcomes: [String] = []
    for pages in 0..<6 {
      let finger = Item(ItemName(service: "finger \(pages)", account: ""), accessControl: AccessControl(.biometryCurrentSet))
      #expect(try scene.store(finger, [1]).end == .done)
      try scene.fillDisk()
      try scene.leaveRoom(pages)
      let isEnrolled = try scene.enroll(.leftThumb, as: "left \(pages)").last == .done
      try scene.emptyFiller()
      let answer = try scene.ask(.read(user: "", finger.name), Proving(touch: scene.touch()))
      outcomes.append("\(isEnrolled ? "enrolled" : "refused") \(answer.end == .done ? "released" : "dead")")
      #expect(!isEnrolled || answer.end == .refused(.fingersChanged), "\(pages) pages: \(answer)")
    }
    #expect(outcomes.contains("refused released") && outcomes.contains("enrolled dead"), "\(outcomes)")
  }
}
