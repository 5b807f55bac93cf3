import Glibc
import SignetTestKit
import Testing

/// Promise 2 against the power switch: whatever a power cut leaves on the disk, the strikes are not fewer.
///
/// This is the kernel's own ext4 on a loop device. What drops the writes is a stand-in, since not every kernel has
/// dm-log-writes or dm-flakey: the file below the loop device is served over FUSE by the test (`RecordedDisk`), which keeps
/// every write and every flush. Afterwards each state in which a power cut may have left that disk is built, mounted (the
/// kernel replays the journal), and read by signetd's own reader.
@Suite(.serialized, .enabled(if: Recorder.obstacle == nil, Comment(rawValue: Recorder.obstacle ?? "")))
struct PowerCutTests {
  private func examine(
    _ writing: LoopDevice.Writing, _ story: @escaping @Sendable (Recorder) throws -> Void
  ) async throws -> Examination {
    let folder = try makeTemporaryFolder("powercut")
    defer { removeTree(folder) }
    let recording = try await withOwnMounts { try Recorder.record(in: folder, writing, story) }
    return try await Examination.run(recording, in: folder, uid: geteuid(), seed: 1)
  }

  @Test(arguments: LoopDevice.Writing.allCases)
  func `no power cut takes back a strike, tears a file or loses a finger`(_ writing: LoopDevice.Writing) async throws {
    let examination = try await examine(writing) { try DaemonStory($0).play() }
    #expect(examination.violations.isEmpty)
    #expect(Recording.Kind.allCases.allSatisfy { examination.states[$0] ?? 0 > 20 }, "\(examination.states)")
  }

  @Test(arguments: BadWriter.allCases)
  func `a careless writer is caught`(_ writer: BadWriter) async throws {
    let examination = try await examine(writer == .emptied ? .stepByStep : .late) { try writer.play(on: $0) }
    #expect(!examination.violations.isEmpty)
  }
}
