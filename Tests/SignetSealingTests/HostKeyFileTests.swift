import Glibc
import SignetBytes
import SignetFiles
import SignetSealing
import SignetTestKit
import SignetVocabulary
import SignetWords
import Testing

@Suite struct HostKeyFileTests {
  private let folder: TemporaryFolder
  private let context = SealContext("SGtp", uid: 1000)
  private var file: String { folder.path + "/device.key" }

  init() throws { folder = try TemporaryFolder() }

  private func key(isNew: Bool = false) throws -> HostKeyFile {
    try HostKeyFile(in: StateDirectory(path: folder.path, create: false), isNew: isNew)
  }

  private func opened(_ sealed: [UInt8], _ key: HostKeyFile) throws -> [UInt8] {
    let plain = try key.open(sealed.span, for: context)
    return Array(copying: plain.span)
  }

  @Test func `the key that is made is the key that is read`() throws {
    let text = Array("a template".utf8)
    let sealed = try key(isNew: true).seal(text.span, for: context)
    #expect(try opened(sealed, key()) == text)
    #expect(try opened(sealed, key(isNew: true)) == text)
  }

  @Test func `only its owner can read it`() throws {
    _ = try key(isNew: true)
    var status = stat()
    #expect(stat(file, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
  }

  @Test func `where something was sealed a missing key is not replaced, and the way out is named`() throws {
    #expect { try key() } throws: { error in
      guard let error = error as? SystemError else { return false }
      return FaultText.of(error).contains(file) && FaultText.of(error).contains("put it back")
    }
    #expect(access(file, F_OK) != 0)
  }

  @Test(arguments: [0, 31, 33]) func `a file of another length is no key, and stays`(count: Int) throws {
    _ = try key(isNew: true)
    #expect(truncate(file, count) == 0)
    #expect(throws: SystemError.self) { try key(isNew: true) }
    var status = stat()
    #expect(stat(file, &status) == 0)
    #expect(status.st_size == count)
  }

  @Test func `what another machine sealed is refused`() throws {
    let sealed = try key(isNew: true).seal([1, 2, 3].span, for: context)
    #expect(unlink(file) == 0)
    let other = try key(isNew: true)
    #expect(throws: SealingError.notAuthentic) { try opened(sealed, other) }
  }
}
