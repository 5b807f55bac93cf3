import CLinux
import Glibc
import SignetAuthentication
import SignetTestKit
import Testing

@testable import DaemonAccounts
@testable import SignetDaemon

/// Common wrong ways to write a state file, which can lose it. `PowerCutTests` must notice each.
enum BadWriter: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case withoutFileSync = "that does not sync the file"
  case withoutDirectorySync = "that does not sync the directory"
  case emptied = "that empties the file first"
  case inPlaceWithoutSync = "that writes in place and does not sync the file"

  var testDescription: String { rawValue }

  /// Strikes that go up, each on top of the last. The first is written as signetd does.
  func play(on recorder: Recorder) throws {
    let (uid, state) = (geteuid(), recorder.stateDirectory)
    try AccountStore(path: state, runtimePath: state + "/run").write(record(0), of: uid)
    var expectation = Expectation(mayBeMissing: false)
    for strikes in 1...3 {
      expectation.strikes = strikes - 1...strikes
      recorder.promise(expectation, "strike \(strikes) is being written")
      try replace("\(state)/users/\(uid)", with: record(strikes).encoded(uid: uid))
      expectation.strikes = strikes...strikes
      recorder.promise(expectation, "strike \(strikes) is written")
    }
  }

  private func record(_ strikes: Int) -> LockoutFile {
    var record = LockoutRecord()
    record.strikes = strikes
    return LockoutFile(sequence: UInt64(strikes) + 1, record: record)
  }

  private func replace(_ folder: String, with bytes: [UInt8]) throws {
    let isInPlace = self == .emptied || self == .inPlaceWithoutSync
    let path = folder + (isInPlace ? "/strikes" : "/.strikes.new")
    let file = clinux_open(path, O_WRONLY | O_CREAT | (self == .inPlaceWithoutSync ? 0 : O_TRUNC) | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard write(file, bytes, bytes.count) == bytes.count else { throw TestKitError("\(path): \(clinux_errno())") }
    if self == .inPlaceWithoutSync { return }
    if self != .withoutFileSync { try sync(file, path) }
    if !isInPlace { rename(path, folder + "/strikes") }
    if self == .withoutDirectorySync { return }
    let directory = clinux_open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
    defer { close(directory) }
    try sync(directory, folder)
  }

  private func sync(_ descriptor: Int32, _ path: String) throws {
    guard fsync(descriptor) == 0 else { throw TestKitError("\(path): \(clinux_errno())") }
  }
}
