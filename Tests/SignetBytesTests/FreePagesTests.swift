import Glibc
import SignetMemory
import SignetTestKit
import Testing

/// Pages that are kept for the next secrets. What is kept belongs to the whole process, so one test at a time changes it.
@Suite(.serialized) struct FreePagesTests {
  private static let page = 4096

  private func empty(_ capacity: Int) throws -> SecretBytes {
    guard let secret = SecretBytes(capacity: capacity) else { throw TestKitError("no memory") }
    return secret
  }

  /// All bytes of a page that a new secret got.
  private func contents() throws -> [UInt8] {
    var secret = try empty(Self.page)
    var found: [UInt8] = []
    _ = secret.replace { buffer in
      found = Array(buffer)
      return 0
    }
    return found
  }

  private func fill(_ capacity: Int) throws {
    var secret = try empty(capacity)
    while secret.append(0xAA) {}
    #expect(secret.count == capacity)
  }

  @Test func `a page that held a secret is empty for the next`() throws {
    FreePages.keep(upTo: 4)
    defer { FreePages.keep(upTo: 0) }
    for capacity in [1, 32, Self.page, Self.page + 1, 5 * Self.page] {
      for _ in 0..<8 {
        try fill(capacity)
        #expect(try contents() == [UInt8](repeating: 0, count: Self.page))
      }
    }
  }

  @Test func `a page of others goes back to the kernel`() throws {
    FreePages.keep(upTo: 64)
    defer { FreePages.keep(upTo: 0) }
    let folder = try TemporaryFolder()
    let file = open(folder.path + "/page", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    try #require(ftruncate(file, Self.page) == 0)
    let address = try #require(mmap(nil, Self.page, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0))
    try #require(Int(bitPattern: address) != -1)
    do { _ = SecretBytes(adopting: address, capacity: Self.page, count: 0) }
    for _ in 0..<64 { try fill(Self.page) }
    var found = [UInt8](repeating: 0, count: Self.page)
    #expect(pread(file, &found, found.count, 0) == Self.page)
    #expect(found == [UInt8](repeating: 0, count: Self.page))
  }
}
