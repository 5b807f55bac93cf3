import CLinux
import Glibc
import SignetFiles
import SignetTestKit
import SignetVocabulary
import Testing

@testable import DaemonService
@testable import DaemonVaults

/// What keeps keys from others on this machine, and how it is told.
@Suite struct KeyProtectionTests {
  @Test func `it is what the kernel has`() {
    let isSecret = Descriptor(clinux_secret_memory()).raw >= 0
    #expect(UserKeys(store: DescriptorStore()).protection == (isSecret ? .secret : .locked))
  }

  @Test func `less than there could be is noted where the next start of signetd finds it`() throws {
    let folder = try TemporaryFolder()
    let run = folder.path + "/run"
    ProtectionNotice.write(.secret, in: run)
    #expect(throws: (any Error).self) { try RawFile.read(run + "/keys-notice") }
    ProtectionNotice.write(.locked, in: run)
    #expect(try RawFile.read(run + "/keys-notice") == [KeyProtection.locked.rawValue])
  }
}
