import Foundation
import SignetVocabulary
import Testing

private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

/// One number, in SignetVocabulary/Version.swift, is what everybody tells.
@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct VersionGates {
  private let version = "\(Version.text)"

  @Test(arguments: [
    "signetd", "signet-reader", "signet-passcode", "signet-logind", "signet-stack", "signet-prompt", "signet-tpm",
    "signet-agent", "signet-fprint", "signet-secrets", "signet-hid", "signet-passkey",
  ]) func `every program tells it`(program: String) throws {
    #expect(try run("\(release)/\(program)", "--version") == ["\(program) \(version)"])
  }

  @Test func `the command tells it`() throws {
    #expect(try run("\(release)/signet", "--version") == [version])
    for name in ["signet-askpass", "signet-credential"] {
      #expect(try run("bash", "-c", "exec -a /usr/bin/\(name) '\(release)/signet' --version") == ["\(name) \(version)"])
    }
  }

  @Test func `the library has it`() throws {
    #expect(try run("strings", "\(release)/libsignet0.so").contains(version))
  }

  @Test func `make takes it for the library's name and the packages`() throws {
    let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    #expect(try run("make", "-s", "-C", checkout.path, "version") == [version])
  }
}
