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
  @Test func `it is what the kernel has, and nothing keeps it where systemd did not start signetd`() {
    let isSecret = Descriptor(clinux_secret_memory()).raw >= 0
    #expect(UserKeys(store: DescriptorStore(isThere: true)).protection == (isSecret ? .secret : .locked))
    #expect(UserKeys(store: DescriptorStore(isThere: false)).protection == (isSecret ? .unkept : .locked))
  }

  @Test func `less than there could be is noted where the next start of signetd finds it`() throws {
    let folder = try TemporaryFolder()
    let run = folder.path + "/run"
    for protection in [KeyProtection.secret, .unkept] { ProtectionNotice.write(protection, in: run) }
    #expect(throws: (any Error).self) { try RawFile.read(run + "/keys-notice") }
    ProtectionNotice.write(.locked, in: run)
    #expect(try RawFile.read(run + "/keys-notice") == [KeyProtection.locked.rawValue])
  }
}
