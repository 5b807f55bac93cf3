import CLinux
import CPowerCut
import Foundation
import Glibc
import SignetTestKit

/// A file as a block device, for as long as the value lives.
struct LoopDevice: ~Copyable {
  let path: String
  private let descriptor: Int32

  init(of file: Int32) throws {
    var number: Int32 = -1
    descriptor = powercut_attach_loop(file, &number)
    guard descriptor >= 0 else { throw TestKitError("a loop device: \(String(cString: strerror(clinux_errno())))") }
    path = "/dev/loop\(number)"
  }

  deinit { close(descriptor) }

  /// When what a program does reaches the disk, where it does not ask.
  enum Writing: String, CaseIterable, Sendable {
    /// When ext4 sees fit.
    case late
    /// Each step by itself, as when other programs' syncs fall between any two steps.
    case stepByStep
  }

  /// Mounts the ext4 on it; after a power cut the kernel replays the journal first. Its own rescue of programs that rename
  /// what they have not synced is off, since other file systems have none.
  func mounted<Value>(at folder: String, _ writing: Writing = .late, _ body: () throws -> Value) throws -> Value {
    guard powercut_mount(path, folder, "ext4", "noauto_da_alloc", writing == .stepByStep ? 1 : 0) == 0 else {
      throw TestKitError("mounting ext4: \(String(cString: strerror(clinux_errno())))")
    }
    let result = Result { try body() }
    try LoopDevice.unmount(folder)
    return try result.get()
  }

  /// Tries for a while: a program that another test is starting has a copy of every open file until its exec.
  private static func unmount(_ folder: String) throws {
    let deadline = PAMHost.microseconds() + Int64(waitingLimit) * 1000
    while powercut_unmount(folder) != 0 {
      guard clinux_errno() == EBUSY, PAMHost.microseconds() < deadline else {
        throw TestKitError("unmounting ext4: \(String(cString: strerror(clinux_errno())))")
      }
      pauseBeforeNextLook()
    }
  }

  /// The file was changed underneath.
  func forget() throws {
    guard powercut_forget(descriptor) == 0 else { throw TestKitError("BLKFLSBUF: \(clinux_errno())") }
  }
}

/// Runs `body` in a thread whose mounts are its own and that of the programs which it starts: when they are gone, so are
/// the mounts, and with these the loop devices.
func withOwnMounts<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(
        with: Result {
          guard powercut_own_mounts() == 0 else { throw TestKitError("unshare: \(clinux_errno())") }
          return try body()
        })
    }
  }
}
