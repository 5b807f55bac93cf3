import CLinux
import Foundation
import Glibc
import SignetTestKit
import Testing

@Suite struct ProtectionNoticeTests {
  @Test func `signetd's log says once a boot that keys could be kept better, not at every start or opening`() throws {
    let secret = clinux_secret_memory()
    if secret >= 0 { close(secret) }
    let scene = try Scene()
    let words = "keys of open vaults"
    try scene.loginByPasscode(until: "vault made")
    #expect(scene.daemon.loggedSoFar.components(separatedBy: words).count == (secret >= 0 ? 1 : 2))
    try scene.restart()
    try scene.loginByPasscode(until: "vault opened")
    #expect(!scene.daemon.loggedSoFar.contains(words))
  }
}
