import Foundation
import Testing

/// The folder of the release build, as `make test` sets it.
private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct ProgramGates {
  /// Debian has no package of Swift's runtime, and loading C++'s is a tenth of a cold login.
  @Test(arguments: [
    "signetd", "signet-reader", "signet-passcode", "signet-tpm", "signet-logind", "signet-stack", "signet", "signet-agent",
    "signet-prompt", "signet-fprint", "signet-secrets", "signet-hid", "signet-passkey",
  ])
  func `a program brings the runtimes of its languages with it`(name: String) throws {
    let needed = try run("readelf", "--dynamic", "--wide", release + "/" + name).filter { $0.contains("(NEEDED)") }
    #expect(!needed.isEmpty)
    for runtime in ["libswift", "libstdc++", "libgcc_s"] {
      #expect(!needed.contains { $0.contains(runtime) }, "\(needed)")
    }
  }

  /// A login waits for the first two, and a C program is not there sooner.
  @Test(arguments: ["signet-passcode", "signet-tpm", "signet-stack"])
  func `a small helper has at most 72 KiB, and links and exports only what it must`(name: String) throws {
    let libraries: Set = name == "signet-tpm" ? ["libc.so.6"] : ["libc.so.6", "libpam.so.0"]
    let exports = name == "signet-stack" ? ["__syslog_chk", "audit_open", "dlopen", "pam_sm_authenticate"] : []
    let program = release + "/" + name
    let needed = try run("readelf", "--dynamic", "--wide", program).filter { $0.contains("(NEEDED)") }
    #expect(Set(needed.compactMap { $0.split(separator: "[").last.map { String($0.dropLast()) } }) == libraries)
    #expect(try run("nm", "--dynamic", "--defined-only", "--format=just-symbols", program) == exports)
    #expect(try strippedSize(of: program) <= 72 * 1024)
  }

  @Test(arguments: WeightGates.small)
  func `a small helper stands anywhere in memory, its stack is not executable, and its tables are read-only`(name: String) throws
  {
    let headers = try run("readelf", "--file-header", "--program-headers", "--wide", release + "/" + name)
    #expect(headers.contains { $0.hasPrefix("Type:") && $0.contains("DYN") })
    #expect(headers.contains { $0.contains("GNU_STACK") && $0.contains(" RW ") })
    #expect(headers.contains { $0.contains("GNU_RELRO") })
    #expect(try run("readelf", "--dynamic", "--wide", release + "/" + name).contains { $0.contains("NOW") && $0.contains("PIE") })
  }

  /// The same source makes the same packages wherever it is built (reproducible-builds.org).
  @Test(arguments: WeightGates.installed)
  func `nothing tells in which folder it was built`(name: String) throws {
    let program = try Data(contentsOf: URL(filePath: "\(release)/\(name)"), options: .alwaysMapped)
    let checkout = try #require(release.ranges(of: "/.build/").last.map { String(release[..<$0.lowerBound]) })
    #expect(program.range(of: Data(checkout.utf8)) == nil)
    #expect(try !run("readelf", "--sections", "--wide", "\(release)/\(name)").contains { $0.contains(".swift_modhash") })
  }

  @Test func `libsodium finds signetd's mmap before libc's`() throws {
    #expect(try run("nm", "--dynamic", "--defined-only", "--format=just-symbols", release + "/signetd").contains("mmap"))
  }
}
