import Glibc
import SignetFiles
import SignetTestKit
import SignetVocabulary
import Testing

@Suite struct StateDirectoryTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/file" }

  init() throws { folder = try TemporaryFolder() }

  private func read() throws -> [UInt8]? { try StateDirectory(path: folder.path, create: false).read("file", limit: 16) }

  private func replace(_ bytes: [UInt8]) throws {
    try StateDirectory(path: folder.path, create: false).replace("file", with: bytes)
  }

  private func overwrite(_ bytes: [UInt8]) throws -> Bool {
    try StateDirectory(path: folder.path, create: false).overwrite("file", with: bytes)
  }

  private func inode() -> ino_t? {
    var status = stat()
    return stat(file, &status) == 0 ? status.st_ino : nil
  }

  @Test func `a replaced file reads back, for its owner only`() throws {
    let old = umask(0)
    defer { umask(old) }
    try replace([1, 2, 3])
    try replace([4])
    #expect(try read() == [4])
    var status = stat()
    #expect(stat(file, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `a file that is not there is none`() throws {
    #expect(try read() == nil)
  }

  @Test func `a FIFO in a file's place is refused at once`() throws {
    #expect(mkfifo(file, 0o600) == 0)
    #expect(throws: SystemError.self) { _ = try read() }
  }

  @Test func `a link in a file's place is refused`() throws {
    #expect(symlink("/dev/zero", file) == 0)
    #expect(throws: SystemError.self) { _ = try read() }
  }

  @Test func `a folder in a file's place is refused`() throws {
    #expect(mkdir(file, 0o700) == 0)
    #expect(throws: SystemError.self) { _ = try read() }
  }

  @Test func `a file that others may write is refused`() throws {
    try replace([1])
    #expect(chmod(file, 0o620) == 0)
    #expect(throws: SystemError.self) { _ = try read() }
  }

  @Test func `a folder that others may write is refused`() throws {
    #expect(chmod(folder.path, 0o770) == 0)
    #expect(throws: SystemError.self) { _ = try StateDirectory(path: folder.path, create: false) }
  }

  @Test func `a file over its limit is refused`() throws {
    try replace([UInt8](repeating: 0, count: 17))
    #expect(throws: SystemError.self) { _ = try read() }
  }

  @Test func `what is as long as before is written in place, and nothing else`() throws {
    #expect(try !overwrite([1]))
    #expect(try read() == nil)
    try replace([1, 2])
    let before = inode()
    #expect(try overwrite([3, 4]))
    #expect(try read() == [3, 4])
    #expect(inode() == before)
    for other in [[5], [5, 6, 7], []] as [[UInt8]] { #expect(try !overwrite(other)) }
    #expect(try read() == [3, 4])
  }

  @Test func `more than a sector is not written in place, nor is what cannot be trusted`() throws {
    for (size, isWritten) in [(512, true), (513, false)] {
      try replace([UInt8](repeating: 1, count: size))
      #expect(try overwrite([UInt8](repeating: 2, count: size)) == isWritten)
    }
    try replace([1])
    #expect(chmod(file, 0o620) == 0)
    #expect(try !overwrite([2]))
    #expect(chmod(file, 0o600) == 0)
    #expect(try read() == [1])
    #expect(unlink(file) == 0 && symlink("/dev/zero", file) == 0)
    #expect(try !overwrite([2]))
  }

  @Test func `what a crash left half written is not read, and the next replacement succeeds`() throws {
    try replace([1])
    let half = open(folder.path + "/.file.new", O_CREAT | O_WRONLY, 0o600)
    #expect(write(half, [9, 9, 9], 3) == 3)
    close(half)
    #expect(try read() == [1])
    #expect(try StateDirectory(path: folder.path, create: false).names() == ["file"])
    try replace([2])
    #expect(try read() == [2])
  }

  @Test func `what a crash left half written is removed, and nothing else`() throws {
    try replace([1])
    let halves = [".file.new", ".other.new", ".kept"]
    for half in halves { close(open("\(folder.path)/\(half)", O_CREAT | O_WRONLY, 0o600)) }
    try StateDirectory(path: folder.path, create: false).removeUnfinished()
    #expect(halves.map { access("\(folder.path)/\($0)", F_OK) == 0 } == [false, false, true])
    #expect(try read() == [1])
  }
}
