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

  // MARK: - the files beside it

  private func writeBeside(_ name: String, _ text: String) throws {
    mkdir(path + ".d", 0o755)
    try RawFile.create("\(path).d/\(name)", Array(text.utf8))
  }

  @Test func `what a later file sets holds, and each setting says in which file and line that is`() throws {
    try write("strikes = 4\ntries = 2\n[service sudo]\ntries = 1\n")
    try writeBeside("20-site.conf", "# the site's\nstrikes = 6\n[service sudo]\nallow = finger\n")
    try writeBeside("10-base.conf", "strikes = 7\npoor_scans = 3\n")
    let file = try ConfigurationFile(path: path, isOptional: false)
    #expect(file.dropIns == [path + ".d/10-base.conf", path + ".d/20-site.conf"])
    #expect(file.configuration.limits.strikes == 6)
    #expect(file.configuration.limits.poorScansPerEvaluation == 3)
    #expect(file.configuration.limits.missesPerEvaluation == 2)
    // A section goes on where another file has it too.
    #expect(file.policy(of: "sudo").filter { $0.service == "sudo" }.map(\.value).sorted() == ["1", "finger"])
    func origin(_ key: String) -> String {
      file.settings.first { $0.key == key }.map { "\($0.file ?? "-"):\($0.line ?? 0)" } ?? ""
    }
    #expect(origin("strikes") == "\(path).d/20-site.conf:2")
    #expect(origin("poor_scans") == "\(path).d/10-base.conf:2")
    #expect(origin("tries") == "\(path):2")
    #expect(origin("lid") == "-:0")
  }

  @Test func `a key that may be given several times is given anew by a later file`() throws {
    try write("virtual_reader = device:/one\nvirtual_reader = image:/two\n")
    try writeBeside("a.conf", "virtual_reader = storage:/three\nvirtual_reader = storage:/four\n")
    let readers = try ConfigurationFile(path: path, isOptional: false).configuration.virtualReaders
    #expect(readers.map(\.path) == ["/three", "/four"])
  }

  @Test func `files beside it are read without it, and those of other names are not`() throws {
    try writeBeside("a.conf", "strikes = 2\n")
    for name in ["b.conf.dpkg-old", "c.conf~", ".d.conf", "README"] { try writeBeside(name, "no such key\n") }
    let file = try ConfigurationFile(path: path, isOptional: true)
    #expect(!file.exists && file.dropIns == [path + ".d/a.conf"])
    #expect(file.configuration.limits.strikes == 2)
  }

  @Test func `errors are told with the file in which they are, of all files at once`() throws {
    try write("strikes = 0\n")
    try writeBeside("a.conf", "tries = 1\ntries = 2\n")
    try writeBeside("b.conf", "[service sudo]\nstrikes = 5\n")
    do throws(InvalidConfiguration) {
      _ = try ConfigurationFile(path: path, isOptional: false)
      Issue.record("no error")
    } catch {
      #expect(error.problems.map(\.file) == [path, path + ".d/a.conf", path + ".d/b.conf"])
      #expect(error.lines.map { $0.split(separator: " ")[0] } == ["\(path):1:", "\(path).d/a.conf:2:", "\(path).d/b.conf:2:"])
    }
  }

  @Test func `a folder beside it, or a file there, that others may write is refused`() throws {
    try writeBeside("a.conf", "strikes = 2\n")
    chmod(path + ".d", 0o777)
    #expect(problem(isOptional: true)?.contains("writable by others") == true)
    chmod(path + ".d", 0o755)
    chmod(path + ".d/a.conf", 0o666)
    #expect(problem(isOptional: true)?.contains("\(path).d/a.conf: it is writable by others") == true)
    chmod(path + ".d/a.conf", 0o644)
    symlink(path + ".d/a.conf", path + ".d/b.conf")
    #expect(problem(isOptional: true) != nil)
    unlink(path + ".d/b.conf")
    #expect(problem(isOptional: true) == nil)
  }

  @Test func `more than 64 files beside it are refused`() throws {
    for number in 1...64 { try writeBeside("\(number).conf", "") }
    #expect(problem(isOptional: true) == nil)
    try writeBeside("65.conf", "")
    #expect(problem(isOptional: true)?.hasPrefix(path + ".d: ") == true)
  }

  // MARK: - what is believed

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
