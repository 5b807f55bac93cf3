import Foundation
import Testing

/// The folder of the release build, as `make test` sets it.
private let release = ProcessInfo.processInfo.environment["SIGNET_RELEASE_DIR"] ?? ""

/// What is installed, and how heavy it is.
@Suite(.enabled(if: !release.isEmpty, "there is no release build (SIGNET_RELEASE_DIR), as `make test` makes it"))
struct WeightGates {
  static let installed = [
    "signetd", "signet-reader", "signet-passcode", "signet-tpm", "signet-logind", "signet-stack", "signet-prompt", "signet-agent",
    "signet", "libpam_signet.so", "libsignet0.so",
  ]

  @Test(arguments: installed) func `stripped, no file has more than 20 MB`(name: String) throws {
    let stripped = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(getpid())")
    defer { try? FileManager.default.removeItem(at: stripped) }
    _ = try run("strip", "-o", stripped.path, "\(release)/\(name)")
    let size = try #require(try FileManager.default.attributesOfItem(atPath: stripped.path)[.size] as? Int)
    // The agent is what grew most by a library once: a sixth more than it has.
    #expect(size <= (name == "signet-agent" ? 17_500_000 : 20_000_000), "\(size) bytes")
  }

  /// One that we brought could be mended by our own releases only.
  @Test(arguments: installed)
  func `no file has a TLS library in it, and none needs one before it makes a request`(name: String) throws {
    // libcurl is asked for by its name; what it has of these is its own.
    let marks = "BoringSSL|OPENSSL_init_ssl|SSL_CTX_new|gnutls_init|mbedtls_ssl_init"
    #expect(try run("sh", "-c", "grep -acE '\(marks)' '\(release)/\(name)' || true") == ["0"])
    let needed = try run("readelf", "--dynamic", "--wide", "\(release)/\(name)").filter { $0.contains("(NEEDED)") }
    for library in ["libssl", "libcrypto", "libgnutls", "libcurl"] { #expect(!needed.contains { $0.contains(library) }) }
  }
}
