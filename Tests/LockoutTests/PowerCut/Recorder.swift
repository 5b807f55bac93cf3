import CPowerCut
import Foundation
import Glibc
import SignetTestKit

/// A new ext4 on a recorded disk, while a story is played on it.
final class Recorder {
  /// Where signetd keeps its state; it is for signetd to make it.
  let stateDirectory: String
  private let disk: RecordedDisk
  private var promises: [Recording.Promise] = []

  /// Why it cannot run here; `nil` where it can.
  static var obstacle: String? {
    if geteuid() != 0 { return "needs root" }
    for path in ["/dev/fuse", "/dev/loop-control"] where access(path, R_OK | W_OK) != 0 { return "needs \(path)" }
    return access(mkfs, X_OK) == 0 ? nil : "needs mkfs.ext4 (e2fsprogs)"
  }

  private static let mkfs = "/usr/sbin/mkfs.ext4"

  /// Plays a story and returns what it left on the disk. Call it in a thread with mounts of its own.
  static func record(
    in folder: String, _ writing: LoopDevice.Writing, _ story: (Recorder) throws -> Void
  ) throws -> Recording {
    let disk = try RecordedDisk(format(folder + "/base"), at: folder + "/disk")
    defer { _ = powercut_unmount(disk.path) }
    let recorder = Recorder(disk, stateDirectory: folder + "/mounted/state")
    mkdir(folder + "/mounted", 0o700)
    // The loop device first asks for the size.
    guard access(disk.path, F_OK) == 0 else { throw TestKitError("the disk is not there") }
    let file = open(disk.path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { throw TestKitError("the disk does not open") }
    defer { close(file) }
    let device = try LoopDevice(of: file)
    var recording: Recording?
    try device.mounted(at: folder + "/mounted", writing) {
      do { try story(recorder) } catch { throw TestKitError("after \"\(recorder.promises.last?.event ?? "")\": \(error)") }
      recording = Recording(base: disk.base, entries: disk.entries, promises: recorder.promises)
    }
    return recording!
  }

  private init(_ disk: RecordedDisk, stateDirectory: String) {
    (self.disk, self.stateDirectory) = (disk, stateDirectory)
  }

  /// From now on a power cut may leave this.
  func promise(_ expectation: Expectation, _ event: String) {
    promises.append(Recording.Promise(entry: disk.count, expectation: expectation, event: event))
  }

  /// An empty ext4 as Debian makes it, but small, and with nothing left for a background thread to write.
  private static func format(_ path: String) throws -> [UInt8] {
    let bytes = 8 << 20
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0, ftruncate(file, bytes) == 0 else { throw TestKitError("no room for a disk") }
    close(file)
    let options = ["-b", "\(RecordedDisk.block)", "-N", "64", "-E", "lazy_itable_init=0,lazy_journal_init=0,nodiscard"]
    guard try Program([mkfs, "-q", "-F"] + options + [path]).waitForExit() == 0 else { throw TestKitError("mkfs.ext4 failed") }
    return try Array(Data(contentsOf: URL(filePath: path)))
  }
}
