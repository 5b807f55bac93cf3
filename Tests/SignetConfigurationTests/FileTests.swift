import Glibc
import SignetConfiguration
import SignetTestKit
import Testing

/// What stands in the file's place.
@Suite struct FileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/signet.conf" }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, mode: mode_t = 0o644) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, mode)
    guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count, fchmod(file, mode) == 0 else {
      throw TestKitError("\(path): \(errno)")
    }
    close(file)
  }

  private func problem(isOptional: Bool = false) -> String? {
    do throws(InvalidConfiguration) {
      _ = try ConfigurationFile(path: path, isOptional: isOptional)
      return nil
    } catch {
      return error.lines.first
    }
  }

  @Test func `a file of one's own is read`() throws {
    try write("strikes = 4\n")
    let file = try ConfigurationFile(path: path, isOptional: false)
    #expect(file.exists)
    #expect(file.configuration.limits.strikes == 4)
  }

  @Test func `the default file need not be there, one that was named must`() throws {
    let file = try ConfigurationFile(path: path, isOptional: true)
    #expect(!file.exists)
    #expect(file.configuration == Configuration())
    #expect(try ConfigurationFile(path: folder.path + "/none/signet.conf", isOptional: true).configuration == Configuration())
    #expect(problem() == "\(path): there is no such file")
  }

  @Test func `a file that others may write is refused`() throws {
    try write("strikes = 4\n", mode: 0o666)
    #expect(problem(isOptional: true)?.contains("writable by others") == true)
  }

  @Test func `a file in a folder that others may write is refused`() throws {
    try write("strikes = 4\n")
    #expect(chmod(folder.path, 0o777) == 0)
    #expect(problem(isOptional: true)?.contains("trust \(folder.path): it is writable by others") == true)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a file away")) func `a file of somebody else is refused`() throws {
    try write("strikes = 4\n")
    #expect(chown(path, 4711, 0) == 0)
    #expect(problem(isOptional: true)?.contains("it belongs to uid 4711") == true)
  }

  @Test func `a link is refused, even to a good file`() throws {
    try write("strikes = 4\n")
    #expect(rename(path, path + ".real") == 0)
    #expect(symlink(path + ".real", path) == 0)
    #expect(problem(isOptional: true) != nil)
    #expect(unlink(path) == 0)
    #expect(symlink("/proc/nonexistent", path) == 0)
    #expect(problem(isOptional: true) != nil)
  }

  @Test(.timeLimit(.minutes(1))) func `a FIFO is refused at once`() throws {
    #expect(mkfifo(path, 0o600) == 0)
    #expect(problem(isOptional: true)?.contains("which is no regular file") == true)
  }

  @Test func `a folder is refused`() throws {
    #expect(mkdir(path, 0o700) == 0)
    #expect(problem(isOptional: true)?.contains("which is no regular file") == true)
  }

  @Test func `a file over 64 KiB is refused`() throws {
    try write(String(repeating: "\n", count: ConfigurationFile.limit + 1))
    #expect(problem(isOptional: true)?.contains("File too large") == true)
  }
}
