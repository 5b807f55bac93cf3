import Foundation
import Testing

/// The folder of the release build, as `make test` sets it.
private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct ProgramGates {
  /// Debian has no package of Swift's runtime, and loading C++'s is a tenth of a cold login.
  @Test(arguments: [
    "signetd", "signet-reader", "signet-passcode", "signet-tpm", "signet-logind", "signet-stack", "signet", "signet-agent",
    "signet-credential",
  ])
  func `a program brings the runtimes of its languages with it`(name: String) throws {
    let needed = try run("readelf", "--dynamic", "--wide", release + "/" + name).filter { $0.contains("(NEEDED)") }
    #expect(!needed.isEmpty)
    for runtime in ["libswift", "libstdc++", "libgcc_s"] {
      #expect(!needed.contains { $0.contains(runtime) }, "\(needed)")
    }
  }
}
