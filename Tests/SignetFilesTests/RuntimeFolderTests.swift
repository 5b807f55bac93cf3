import Glibc
import SignetFiles
import SignetTestKit
import Testing

@Suite struct RuntimeFolderTests {
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/runtime" }

  init() throws {
    folder = try TemporaryFolder()
    mkdir(path, 0o700)
  }

  @Test func `a folder of the user's alone is used`() throws {
    #expect(try RuntimeFolder.own(named: path) == path)
    #expect(try RuntimeFolder.own(named: path + "//") == path)
  }

  @Test(arguments: [0o701, 0o710, 0o770, 0o1777] as [mode_t]) func `one that is open to others is not`(mode: mode_t) {
    chmod(path, mode)
    #expect(throws: RuntimeFolder.Failure.notOwn(path)) { try RuntimeFolder.own(named: path) }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to give a folder away")) func `one of another user's is not`() {
    chown(path, 65534, 65534)
    #expect(throws: RuntimeFolder.Failure.notOwn(path)) { try RuntimeFolder.own(named: path) }
  }

  @Test func `a link to one is not, whatever stands behind its name`() {
    symlink(path, folder.path + "/link")
    for name in ["/link", "/link/"] {
      #expect(throws: RuntimeFolder.Failure.notOwn(folder.path + "/link")) { try RuntimeFolder.own(named: folder.path + name) }
    }
  }

  @Test func `one that is not there is missing`() {
    #expect(throws: RuntimeFolder.Failure.missing) { try RuntimeFolder.own(named: path + "/other") }
  }
}
